// As a whole: an older version that lacks a name is measured all the same.
import * as library from "msgpackr";
import { FLOAT32_OPTIONS, type Options, Packr, Unpackr } from "msgpackr";
import { utf8Size } from "../formats/bytes/portable.ts";
import { verifyMessagePack } from "../formats/msgpack-verifier/index.ts";
import { type Binding, defineCodec, type Mapping } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { UnsupportedError } from "../model/errors.ts";
import { type Field, reachableMessages } from "../model/schema.ts";
import { type Value, walk } from "../model/value.ts";
import { mapsAsMaps } from "../schema/generate/copy.ts";
import { refuseChanged } from "../schema/given-back.ts";
import { intoBuffer } from "../schema/into-memory.ts";
import { mapped } from "../schema/mapped.ts";
import { pageCode } from "../schema/page-code.ts";
import { MAX_DEPTH } from "../schema/values/conform.ts";
import { keysOf } from "../schema/values/field-keys.ts";

/**
 * What msgpackr makes of an object: a map, as the specification says, or a record of its own, whose keys are in each message
 * or known to both sides; or such a record, and texts in bundles.
 */
type Style = "maps" | "records" | "structures" | "bundles";

function bindMsgpackr(dataset: Dataset, style: Style, into = false): Binding {
  const { schema, values, int64 } = dataset;
  const fields = reachableMessages(schema).flatMap((message) => message.fields);
  const areDocuments = schema.documents !== undefined;
  if (!areDocuments) refuseNames(fields, style);
  // Keys of maps are names only where maps are objects.
  const lost = style === "maps" || areDocuments ? LOST_NAMES[style] : [];
  for (const value of values) refuseLosses(value, lost, style === "bundles");
  const mapping = style === "maps" ? undefined : mapsAsMaps(schema);
  const keys = mapping === undefined ? keysOf(schema) : new Set(fields.map(({ name }) => name));
  const limits = {
    // A level for each message, and one for the list or map that it is in.
    depth: 2 * MAX_DEPTH,
    items: Number.POSITIVE_INFINITY,
    integers: int64 === "number" ? "safe" : "any",
    records: style !== "maps",
    bundles: style === "bundles",
    refuseProto: style === "maps",
    refuseMark: DROPS_MARKS,
    ...defined({ keys }),
  } as const;
  const options = optionsFor(dataset, fields, style);
  const shared = style === "structures" ? sharedStructures(values, mapping, options) : undefined;
  // One to write and one to read: what one has done is nothing to the other.
  const packr = new Packr({ ...options, ...sharing(shared) });
  const unpackr = new Unpackr({ ...options, ...sharing(shared) });
  const verified = { ...limits, ...defined({ known: shared?.map(({ length }) => length) }) };
  const bare = mapped(dataset, {
    format: "msgpack",
    write: (value) => packr.pack(value),
    read: (bytes): unknown => unpackr.unpack(bytes),
    mapping,
    verify: (bytes) => verifyMessagePack(bytes, verified),
    ...(style === "maps" && { framing: "msgpack" }),
    shape: mapping === undefined ? {} : { maps: "Map" },
  });
  const binding = style === "bundles" ? refuseChanged("msgpackr with bundleStrings", bare, values) : bare;
  if (!into) return binding;
  const reset = library.RESET_BUFFER_MODE as number | undefined;
  if (reset === undefined)
    throw new UnsupportedError("msgpackr: this version cannot begin at the start of a buffer again");
  return { ...binding, into: intoBuffer(new Packr(options), reset) };
}

/** The keys of the records that the values have, up to the 32 that msgpackr shares by default. */
function sharedStructures(
  values: readonly Value[],
  mapping: Mapping | undefined,
  options: Options,
): readonly (readonly string[])[] {
  const structures: string[][] & { sharedLength?: number } = [];
  const packr = new Packr({ ...options, structures });
  for (const value of values) packr.pack(mapping?.to?.(value) ?? value);
  return structures.slice(0, structures.sharedLength ?? 0).map((keys) => [...keys]);
}

/** Options for one side. Each has a list of its own, to which no other record is added: it is defined where it is used. */
function sharing(shared: readonly (readonly string[])[] | undefined): Options {
  if (shared === undefined) return {};
  return { structures: shared.map((keys) => [...keys]), maxSharedStructures: shared.length };
}

function optionsFor({ schema, int64 }: Dataset, fields: readonly Field[], style: Style): Options {
  // A float of a document is 0.1, which four bytes do not hold.
  const doubles =
    schema.documents !== undefined ||
    fields.some(({ type }) => type.kind === "scalar" && type.scalar === "double");
  return {
    // Fields called constructor or toJSON are data.
    useToJSON: false,
    int64AsType: int64,
    // A float keeps all its bits in four bytes; a double does not.
    useFloat32: doubles ? FLOAT32_OPTIONS.NEVER : FLOAT32_OPTIONS.ALWAYS,
    // Without variableMapSize a map has two bytes for its size, and never more than 65,535 entries.
    ...(style === "maps"
      ? { useRecords: false, mapsAsObjects: true, variableMapSize: true }
      : { mapsAsObjects: false, bundleStrings: style === "bundles" }),
  };
}

/** Fields that msgpackr 2.1.3 reads under another name, or takes for a note of its own about a record's keys. */
const LOST_NAMES: Readonly<Record<Style, readonly string[]>> = {
  maps: ["__proto__"],
  records: ["__proto__", "__keys__"],
  structures: ["__proto__", "__keys__"],
  bundles: ["__proto__", "__keys__"],
};

function refuseNames(fields: readonly Field[], style: Style): void {
  const lost = fields.find(({ name }) => LOST_NAMES[style].includes(name));
  if (lost !== undefined) throw new UnsupportedError(`msgpackr: it cannot carry a field called ${lost.name}`);
}

/** The part of msgpackr that is written in JavaScript takes a byte order mark off long text. */
const DROPS_MARKS = !library.isNativeAccelerationEnabled;

/**
 * Throws UnsupportedError, with the path, for a value that msgpackr would change. It always writes -0 as the integer 0.
 * @param lost names that it does not keep
 * @param isBundled whether texts stand in bundles, which are long text as a whole, and never read by the native part
 */
function refuseLosses(root: Value, lost: readonly string[], isBundled: boolean): void {
  walk(root, (value, path, name) => {
    const refuse = (problem: string): never => {
      const place = path();
      throw new UnsupportedError(`${place === "" ? "" : `${place}: `}${problem}`);
    };
    if (name !== undefined && lost.includes(name)) {
      refuse(
        name === "__proto__"
          ? "msgpackr reads this key as __proto_"
          : `msgpackr cannot carry a field called ${name}`,
      );
    }
    if (Object.is(value, -0)) refuse("msgpackr writes -0 as 0");
    if (isBundled && [name, value].some(isBundledMark)) {
      refuse("msgpackr drops the byte order mark of a text that begins a bundle");
    }
    if (DROPS_MARKS && [name, value].some(isMarked)) {
      refuse("msgpackr without its native part drops the byte order mark of long text");
    }
  });
}

/** Whether this is text longer than 64 bytes that starts with a byte order mark (msgpackr 2.1.3, `readStringJS`). */
function isMarked(text: unknown): boolean {
  return typeof text === "string" && text.charCodeAt(0) === 0xfeff && utf8Size(text) > 64;
}

/** Whether this is text that starts with a byte order mark, and may stand in a bundle (msgpackr 2.1.3, `pack`). */
function isBundledMark(text: unknown): boolean {
  return typeof text === "string" && text.charCodeAt(0) === 0xfeff && text.length >= 4;
}

export default defineCodec({
  format: "msgpack",
  library: "msgpackr",
  build: library.isNativeAccelerationEnabled ? "with its native part" : "without its native part",
  schemaless: true,
  traits: ["self-describing", "evolves", "binary"],
  summary:
    "Packr without records: standard MessagePack; floats in four bytes where no field is a double; bytes are views on the input",
  bind: (dataset) => bindMsgpackr(dataset, "maps"),
  page: () =>
    pageCode(
      'import { Packr, Unpackr } from "msgpackr";',
      "(value) => new Packr({ useRecords: false, variableMapSize: true }).pack(value)",
      "(bytes) => new Unpackr({ useRecords: false, mapsAsObjects: true }).unpack(bytes)",
    ),
  variants: {
    into: {
      schemaless: true,
      summary:
        "the same with useBuffer: encode writes into memory of the caller's, which the next call overwrites",
      bind: (dataset) => bindMsgpackr(dataset, "maps", true),
    },
    records: {
      schemaless: true,
      traits: ["self-describing", "evolves", "binary", "one-reader"],
      summary: "Packr with records: each message defines those it uses; not standard MessagePack",
      bind: (dataset) => bindMsgpackr(dataset, "records"),
    },
    "bundle-strings": {
      schemaless: true,
      traits: ["self-describing", "evolves", "binary", "one-reader"],
      summary:
        "Packr with records and bundleStrings: texts stand together behind the values, and are decoded at once; not standard MessagePack",
      bind: (dataset) => bindMsgpackr(dataset, "bundles"),
    },
    structures: {
      traits: ["binary", "one-reader"],
      summary:
        "Packr with shared structures: the keys of up to 32 records of the data are known to both sides, and no part of a message",
      bind: (dataset) => bindMsgpackr(dataset, "structures"),
    },
  },
});
