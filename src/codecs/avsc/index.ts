import { avroShape, verifyAvro } from "../../formats/avro-verifier/index.ts";
import { type Binding, bytesOf, defineCodec, direct, type Mapping } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { shortPath, UnsupportedError } from "../../model/errors.ts";
import { pathText, show, type Value, walk } from "../../model/value.ts";
import { compileVisitor } from "../../schema/generate/visit.ts";
import { pageCode } from "../../schema/page-code.ts";
import { MAX_DEPTH } from "../../schema/values/conform.ts";
import { deciding } from "../../schema/values/transcode.ts";
import { avroSchema, compileAvroMapping, type Longs } from "./mapping.ts";

type Library = typeof import("avsc");
type Type = InstanceType<Library["Type"]>;

/** What the numbers of avsc hold of a long. Below -2^52 it reads a positive number (5.7.9, `Tap.prototype.readLong`). */
const NUMBERS = { least: -(2n ** 52n), most: 2n ** 53n - 2n };

/** @param writer whose messages are read by a resolver, where that is another schema */
async function bindAvsc(library: Library, dataset: Dataset, writer?: Dataset): Promise<Binding> {
  const { schema, values, int64 } = dataset;
  const json = avroSchema(schema);
  const longs: Longs = int64 === "bigint" || values.some(hasFar) ? "bigint" : "number";
  const type = typeOf(library, json, longs);
  const mapping = compileAvroMapping(schema, int64, longs);
  for (const value of values) refuse(type, mapping, value);
  const resolver = writer && type.createResolver(typeOf(library, avroSchema(writer.schema), longs));
  const shape = avroShape(writer === undefined ? json : avroSchema(writer.schema));
  const limits = { depth: 2 * MAX_DEPTH, ...(longs === "number" ? { longs: NUMBERS } : {}) };
  const binding = direct({
    write: (value) => type.toBuffer(value),
    read: (bytes) => type.fromBuffer(asBuffer(bytesOf(bytes, "avro")), resolver),
    visit: compileVisitor(schema),
    mapping,
    verify: (bytes) => verifyAvro(bytesOf(bytes, "avro"), shape, limits),
  });
  const readNext = (bytes: Uint8Array, at: number) => {
    const { value, offset } = type.decode(asBuffer(bytes), at, resolver);
    return { message: value as unknown, end: offset };
  };
  return deciding("avro", dataset, { ...binding, framing: "avro-blocks", readNext });
}

/** avsc calls methods that only Buffers have. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function typeOf({ Type, types }: Library, json: object | string, longs: Longs): Type {
  if (longs === "number") return Type.forSchema(json as Parameters<typeof Type.forSchema>[0]);
  const bits = (value: bigint): Buffer => {
    const buffer = Buffer.allocUnsafe(8);
    buffer.writeBigInt64LE(value);
    return buffer;
  };
  const long = types.LongType.__with({
    fromBuffer: (buffer: Buffer) => buffer.readBigInt64LE(),
    toBuffer: bits,
    fromJSON: BigInt,
    toJSON: String,
    isValid: (value: unknown) => typeof value === "bigint" && BigInt.asIntN(64, value) === value,
    compare: (a: bigint, b: bigint) => Number(a > b) - Number(a < b),
  });
  return Type.forSchema(json as Parameters<typeof Type.forSchema>[0], { registry: { long } });
}

/** Whether a value has an integer that a number holds, and a long of avsc's does not. */
function hasFar(root: Value): boolean {
  let isFar = false;
  walk(root, (value) => {
    isFar ||= typeof value === "number" && Number.isSafeInteger(value) && !isNear(value);
  });
  return isFar;
}

function isNear(value: number): boolean {
  return value >= Number(NUMBERS.least) && value <= Number(NUMBERS.most);
}

/** Throws UnsupportedError, with the path, for what avsc does not write. */
function refuse(type: Type, mapping: Mapping | undefined, root: Value): void {
  walk(root, (_, path, name) => {
    if (name === "__proto__") throw new UnsupportedError(`${path()}: avsc would set a prototype by this key`);
  });
  const given = mapping?.to === undefined ? root : mapping.to(root);
  type.isValid(given, {
    errorHook: (path, value, { typeName }) => {
      throw new UnsupportedError(
        `${shortPath(pathText(stepsIn(given, path)))}: ${problemOf(value, typeName)}`,
      );
    },
  });
}

function problemOf(value: unknown, typeName: string): string {
  if (typeof value === "bigint" && BigInt.asIntN(64, value) !== value)
    return `${show(value)} is outside Avro's long`;
  const isUnion = typeName.startsWith("union:");
  if (typeof value === "number" && (isUnion || typeName === "enum"))
    return `${value} has no name, and Avro's enums have names only`;
  return isUnion
    ? `${show(value)} fits no type of its union in Avro`
    : `${show(value)} is no ${typeName} in Avro`;
}

/** A path of avsc, whose places in lists are texts. */
function stepsIn(root: unknown, path: readonly string[]): (string | number)[] {
  let at = root;
  return path.map((step) => {
    const isPlace = Array.isArray(at);
    at = (at as Record<string, unknown> | undefined)?.[step];
    return isPlace ? Number(step) : step;
  });
}

export default defineCodec<Library>({
  format: "avro",
  library: "avsc",
  tried: "5.7.9",
  load: async () => (await import("avsc")).default as unknown as Library,
  traits: ["binary", "needs-eval"],
  summary:
    "Type.toBuffer and Type.fromBuffer of one schema, no resolver; what may be absent is a union with null; longs are bigints where numbers do not hold them",
  bind: (dataset, library) => bindAvsc(library, dataset),
  resolve: (reader, writer, library) => bindAvsc(library, reader, writer),
  page: ({ schema }) =>
    pageCode(
      `import avro from "avsc"; const type = avro.Type.forSchema(${JSON.stringify(avroSchema(schema))});`,
      "(value) => type.toBuffer(value)",
      "(bytes) => type.fromBuffer(Buffer.from(bytes))",
    ),
});
