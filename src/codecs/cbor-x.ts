import { utf8Size } from "../formats/bytes/portable.ts";
import { verifyCbor } from "../formats/cbor-verifier/index.ts";
import { type Binding, defineCodec } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { UnsupportedError } from "../model/errors.ts";
import { type Field, reachableMessages } from "../model/schema.ts";
import { type Value, walk } from "../model/value.ts";
import { mapsAsMaps } from "../schema/generate/copy.ts";
import { type BufferEncoder, intoBuffer } from "../schema/into-memory.ts";
import { mapped } from "../schema/mapped.ts";
import { pageCode } from "../schema/page-code.ts";
import { MAX_DEPTH } from "../schema/values/conform.ts";
import { keysOf } from "../schema/values/field-keys.ts";

type Library = typeof import("cbor-x");

/** What cbor-x makes of an object: a map, as the specification says, or a record of its own. */
type Style = "maps" | "records";

/** An option of `encode` that its types lack: the next message begins where this one did. */
const RESET_BUFFER_MODE = 1024;

/** Fields that cbor-x 1.6.9 reads under another name, or takes for a note of its own about a record's keys. */
const LOST_NAMES: Readonly<Record<Style, readonly string[]>> = {
  maps: ["__proto__"],
  records: ["__proto__", "__keys__"],
};

function bindCborX(library: Library, dataset: Dataset, style: Style, into = false): Binding {
  const { schema, values, int64 } = dataset;
  const fields = reachableMessages(schema).flatMap((message) => message.fields);
  const areDocuments = schema.documents !== undefined;
  if (!areDocuments) refuseNames(fields, style);
  // The part that is written in JavaScript takes a byte order mark off long text.
  const dropsMarks = !library.isNativeAccelerationEnabled;
  // Keys of maps are names only where maps are objects.
  const lost = style === "maps" || areDocuments ? LOST_NAMES[style] : [];
  for (const value of values) refuseLosses(value, lost, dropsMarks);
  const mapping = style === "records" ? mapsAsMaps(schema) : undefined;
  const keys = mapping === undefined ? keysOf(schema) : new Set(fields.map(({ name }) => name));
  const limits = {
    // A level for each message, and one for the list or map that it is in.
    depth: 2 * MAX_DEPTH,
    items: Number.POSITIVE_INFINITY,
    integers: int64 === "number" ? "safe" : "any",
    typedBytes: true,
    records: style === "records",
    refuseProto: style === "maps",
    ...defined({ keys, keepsMarks: dropsMarks ? MARK_IS_KEPT : undefined }),
  } as const;
  const encoder = new library.Encoder(optionsFor(library, dataset, fields, style));
  // One that has structures of its own would keep those of the messages that it reads.
  const decoder = new library.Decoder(optionsFor(library, dataset, fields, style));
  const binding = mapped(dataset, {
    format: "cbor",
    write: (value) => encoder.encode(value),
    read: (bytes): unknown => decoder.decode(bytes),
    mapping,
    verify: (bytes) => verifyCbor(bytes, limits),
    framing: "cbor-sequence",
    shape: mapping === undefined ? {} : { maps: "Map" },
  });
  if (!into) return binding;
  const own = new library.Encoder(optionsFor(library, dataset, fields, style)) as unknown as BufferEncoder;
  return { ...binding, into: intoBuffer(own, RESET_BUFFER_MODE) };
}

function optionsFor(
  { FLOAT32_OPTIONS }: Library,
  { schema, int64 }: Dataset,
  fields: readonly Field[],
  style: Style,
): ConstructorParameters<Library["Encoder"]>[0] & { readonly int64AsNumber: boolean } {
  // A float of a document is 0.1, which four bytes do not hold.
  const doubles =
    schema.documents !== undefined ||
    fields.some(({ type }) => type.kind === "scalar" && type.scalar === "double");
  return {
    // What others write in eight bytes is read as what the dataset has, a float without a fraction too: its types lack this option.
    int64AsNumber: int64 === "number",
    // A float keeps all its bits in four bytes; a double does not.
    useFloat32: doubles ? FLOAT32_OPTIONS.NEVER : FLOAT32_OPTIONS.ALWAYS,
    // In Node bytes have the tag of typed arrays else, two bytes each, which other readers of CBOR do not expect.
    tagUint8Array: false,
    // Without variableMapSize a map has two bytes for its size.
    ...(style === "maps"
      ? { useRecords: false, mapsAsObjects: true, variableMapSize: true }
      : { useRecords: true, mapsAsObjects: false }),
  };
}

function refuseNames(fields: readonly Field[], style: Style): void {
  const lost = fields.find(({ name }) => LOST_NAMES[style].includes(name));
  if (lost !== undefined) throw new UnsupportedError(`cbor-x: it cannot carry a field called ${lost.name}`);
}

/**
 * Throws UnsupportedError, with the path, for a value that cbor-x would change. It always writes -0 as the integer 0.
 * @param lost names that it does not keep
 */
function refuseLosses(root: Value, lost: readonly string[], dropsMarks: boolean): void {
  walk(root, (value, path, name) => {
    const refuse = (problem: string): never => {
      const place = path();
      throw new UnsupportedError(`${place === "" ? "" : `${place}: `}${problem}`);
    };
    if (name !== undefined && lost.includes(name)) refuse(`cbor-x cannot carry a field called ${name}`);
    if (Object.is(value, -0)) refuse("cbor-x writes -0 as 0");
    if (dropsMarks && [name, value].some(isMarked)) {
      refuse("cbor-x without its native part drops the byte order mark of long text");
    }
  });
}

/** Bytes of the longest text that it does not hand to a TextDecoder, which drops a mark (cbor-x 1.6.9, `readStringJS`). */
const MARK_IS_KEPT = 64;

/** Whether this is text that starts with a byte order mark and loses it. */
function isMarked(text: unknown): boolean {
  return typeof text === "string" && text.charCodeAt(0) === 0xfeff && utf8Size(text) > MARK_IS_KEPT;
}

export default defineCodec<Library>({
  format: "cbor",
  library: "cbor-x",
  tried: "1.6.9",
  load: () => import("cbor-x"),
  schemaless: true,
  traits: ["self-describing", "evolves", "binary"],
  summary:
    "Encoder without records, with variableMapSize: standard CBOR; bytes without a tag; floats in four bytes where no field is a double; bytes are views on the input",
  bind: (dataset, library) => bindCborX(library, dataset, "maps"),
  page: () =>
    pageCode(
      'import { Decoder, Encoder } from "cbor-x";',
      "(value) => new Encoder({ useRecords: false, variableMapSize: true, tagUint8Array: false }).encode(value)",
      "(bytes) => new Decoder({ mapsAsObjects: true }).decode(bytes)",
    ),
  variants: {
    into: {
      schemaless: true,
      summary:
        "the same with useBuffer: encode writes into memory of the caller's, which the next call overwrites",
      bind: (dataset, library) => bindCborX(library, dataset, "maps", true),
    },
    records: {
      schemaless: true,
      traits: ["self-describing", "evolves", "binary", "one-reader"],
      summary: "Encoder with records: each message defines those it uses; tags that only cbor-x knows",
      bind: (dataset, library) => bindCborX(library, dataset, "records"),
    },
  },
});
