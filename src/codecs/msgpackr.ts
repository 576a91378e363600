import { FLOAT32_OPTIONS, isNativeAccelerationEnabled, type Options, Packr, Unpackr } from "msgpackr";
import { verifyMessagePack } from "../formats/msgpack-verifier/index.ts";
import { type Binding, defineCodec, type Mapping } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { UnsupportedError } from "../model/errors.ts";
import { type Field, reachableMessages, type Schema } from "../model/schema.ts";
import { type Value, walk } from "../model/value.ts";
import { compileMapping } from "../schema/generate/copy.ts";
import { mapped } from "../schema/mapped.ts";
import { MAX_DEPTH } from "../schema/values/conform.ts";
import { keysOf } from "../schema/values/field-keys.ts";

/** What msgpackr makes of an object: a map, as the specification says, or a record of its own. */
type Style = "maps" | "records";

function bindMsgpackr(dataset: Dataset, style: Style): Binding {
  const { schema, values, int64 } = dataset;
  const fields = reachableMessages(schema).flatMap((message) => message.fields);
  const areDocuments = schema.documents !== undefined;
  if (!areDocuments) refuseNames(fields, style);
  // Keys of maps are names only where maps are objects.
  const lost = style === "maps" || areDocuments ? LOST_NAMES[style] : [];
  for (const value of values) refuseLosses(value, lost);
  const mapping = style === "records" ? mapsAsMaps(schema) : undefined;
  const keys = mapping === undefined ? keysOf(schema) : new Set(fields.map(({ name }) => name));
  const limits = {
    // A level for each message, and one for the list or map that it is in.
    depth: 2 * MAX_DEPTH,
    items: Number.POSITIVE_INFINITY,
    integers: int64 === "number" ? "safe" : "any",
    records: style === "records",
    refuseProto: style === "maps",
    refuseMark: DROPS_MARKS,
    ...defined({ keys }),
  } as const;
  // One to write and one to read: what one has done is nothing to the other.
  const packr = new Packr(optionsFor(dataset, fields, style));
  const unpackr = new Unpackr(optionsFor(dataset, fields, style));
  return mapped(dataset, {
    format: "msgpack",
    write: (value) => packr.pack(value),
    read: (bytes): unknown => unpackr.unpack(bytes),
    mapping,
    verify: (bytes) => verifyMessagePack(bytes, limits),
    shape: mapping === undefined ? {} : { maps: "Map" },
  });
}

/** Where objects are records, a `Map` is what becomes a map. As a record, a map would define its keys in every message. */
function mapsAsMaps(schema: Schema): Mapping | undefined {
  const leaf = (): undefined => undefined;
  return compileMapping(schema, { to: { leaf, maps: "to Map" }, from: { leaf, maps: "from Map" } });
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
      : { mapsAsObjects: false }),
  };
}

/** Fields that msgpackr 2.1.3 reads under another name, or takes for a note of its own about a record's keys. */
const LOST_NAMES: Readonly<Record<Style, readonly string[]>> = {
  maps: ["__proto__"],
  records: ["__proto__", "__keys__"],
};

function refuseNames(fields: readonly Field[], style: Style): void {
  const lost = fields.find(({ name }) => LOST_NAMES[style].includes(name));
  if (lost !== undefined) throw new UnsupportedError(`msgpackr: it cannot carry a field called ${lost.name}`);
}

/** The part of msgpackr that is written in JavaScript takes a byte order mark off long text. */
const DROPS_MARKS = !isNativeAccelerationEnabled;

/**
 * Throws UnsupportedError, with the path, for a value that msgpackr would change. It always writes -0 as the integer 0.
 * @param lost names that it does not keep
 */
function refuseLosses(root: Value, lost: readonly string[]): void {
  walk(root, (value, path, name) => {
    const refuse = (problem: string): never => {
      throw new UnsupportedError(`${path === "" ? "" : `${path}: `}${problem}`);
    };
    if (name !== undefined && lost.includes(name)) {
      refuse(
        name === "__proto__"
          ? "msgpackr reads this key as __proto_"
          : `msgpackr cannot carry a field called ${name}`,
      );
    }
    if (Object.is(value, -0)) refuse("msgpackr writes -0 as 0");
    if (DROPS_MARKS && [name, value].some(isMarked)) {
      refuse("msgpackr without its native part drops the byte order mark of long text");
    }
  });
}

/** Whether this is text longer than 64 bytes that starts with a byte order mark (msgpackr 2.1.3, `readStringJS`). */
function isMarked(text: unknown): boolean {
  return typeof text === "string" && text.charCodeAt(0) === 0xfeff && Buffer.byteLength(text) > 64;
}

export default defineCodec({
  format: "msgpack",
  library: "msgpackr",
  build: isNativeAccelerationEnabled ? "with its native part" : "without its native part",
  schemaless: true,
  summary:
    "Packr without records: standard MessagePack; floats in four bytes where no field is a double; bytes are views on the input",
  bind: (dataset) => bindMsgpackr(dataset, "maps"),
  variants: {
    records: {
      schemaless: true,
      summary: "Packr with records: each message defines those it uses; not standard MessagePack",
      bind: (dataset) => bindMsgpackr(dataset, "records"),
    },
  },
});
