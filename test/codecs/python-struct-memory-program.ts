/**
 * Reads inputs of 64 KB that are made to cost memory, in a small heap of its own, and prints a line of JSON for each:
 * what came of it, what its value takes, and how far the process has grown since before the first. Node's
 * `--expose-gc` is needed.
 */
import pythonStruct from "../../src/codecs/python-struct/index.ts";
import { compileFormat } from "../../src/formats/python-struct/index.ts";
import type { Binding } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { DecodeError } from "../../src/model/errors.ts";
import type { Field, FieldType, Scalar, Schema } from "../../src/model/schema.ts";
import type { Value } from "../../src/model/value.ts";

const SIZE = 65_536;
const LIST = { kind: "list", packed: false } as const;
const OPTIONAL = { kind: "one", presence: "optional" } as const;
const ITEM: FieldType = { kind: "message", name: "item" };

function scalar(scalar: Scalar): FieldType {
  return { kind: "scalar", scalar };
}

function field(type: FieldType, repetition: Field["repetition"], name = "x"): Field {
  return { name, number: 1, type, repetition };
}

/** A root with one field, and the type of its elements where they are messages. */
function reader(root: Field, value: Value, item: readonly Field[] = []): (bytes: Uint8Array) => unknown {
  const messages = [
    { name: "root", fields: [root] },
    { name: "item", fields: item },
  ];
  const schema: Schema = {
    package: "",
    root: "root",
    messages: new Map(messages.map((message) => [message.name, message])),
    enums: new Map(),
  };
  const dataset: Dataset = { name: "test", schema, values: [{ x: value }], int64: "bigint" };
  return (pythonStruct.bind(dataset) as Binding).read;
}

/** A count, and an element as often as it fits. */
function filled(element: (i: number) => Uint8Array, count?: number): Buffer {
  const { length } = element(0);
  const fits = Math.floor((SIZE - 4) / length);
  const bytes = Buffer.alloc(4 + fits * length);
  bytes.writeUInt32BE(count ?? fits);
  for (let i = 0; i < fits; i++) bytes.set(element(i), 4 + i * length);
  return bytes;
}

const zeros = (size: number) => (): Uint8Array => new Uint8Array(size);

function key(i: number): Uint8Array {
  return Uint8Array.of(2, 0x21 + (i % 90), 0x21 + (Math.floor(i / 90) % 90), 1);
}

const optionals = Array.from({ length: 30 }, (_, i) => field(scalar("bool"), OPTIONAL, `f${i}`));
/** Goes through structs without keeping them. */
function through(format: string): (bytes: Uint8Array) => number {
  return (bytes) => {
    let count = 0;
    for (const values of compileFormat(format).iterUnpack(bytes)) count += values.length;
    return count;
  };
}

/** The values of one struct. */
function values(format: string): (bytes: Uint8Array) => unknown {
  return (bytes) => compileFormat(format).unpack(bytes);
}

const cases: readonly (readonly [
  name: string,
  read: (bytes: Uint8Array) => unknown,
  bytes: Buffer,
  expected?: "refused",
])[] = [
  ["empty messages", reader(field(ITEM, LIST), []), filled(zeros(1))],
  ["booleans", reader(field(scalar("bool"), LIST), []), filled(zeros(1))],
  ["empty texts", reader(field(scalar("string"), LIST), []), filled(zeros(1))],
  [
    "bytes of one",
    reader(field(scalar("bytes"), LIST), [new Uint8Array(1), new Uint8Array()]),
    filled(() => Uint8Array.of(1, 7)),
  ],
  [
    "texts of two",
    reader(field(scalar("string"), LIST), ["a", "bc"]),
    filled(() => Uint8Array.of(2, 0xc3, 0xa9)),
  ],
  ["bigints", reader(field(scalar("uint64"), LIST), []), filled(() => new Uint8Array(8).fill(255))],
  [
    "messages in messages",
    reader(field(ITEM, LIST), [], [field(ITEM, OPTIONAL)]),
    // Chains of 90, each of which ends with a 0.
    filled((i) => Uint8Array.of((i + 1) % 90 === 0 ? 0 : 1), 728).subarray(0, 4 + 728 * 90),
  ],
  ["empty lists", reader(field(ITEM, LIST), [], [field(scalar("bool"), LIST)]), filled(zeros(4))],
  [
    "empty maps",
    reader(field(ITEM, LIST), [], [field(scalar("bool"), { kind: "map", key: "int32" })]),
    filled(zeros(4)),
  ],
  ["optional fields", reader(field(ITEM, LIST), [], optionals), filled(() => new Uint8Array(60).fill(1))],
  [
    "entries of a map",
    reader(field(scalar("bool"), { kind: "map", key: "string" }), { a: true, bc: true }),
    filled(key, 8100).subarray(0, 4 + 4 * 8100),
  ],
  [
    "entries by number",
    reader(field(ITEM, { kind: "map", key: "uint32" }), {}),
    filled((i) => Buffer.from([0, 0, i >> 8, i & 255, 0])),
  ],
  ["more elements than bytes", reader(field(ITEM, LIST), []), filled(zeros(1), 0xffff_ffff), "refused"],
  ["twice the elements", reader(field(scalar("double"), LIST), []), filled(zeros(8), 16_384), "refused"],
  ["structs of a byte", through("c"), Buffer.alloc(SIZE)],
  ["structs of a flag", through("?"), Buffer.alloc(SIZE)],
  ["values of a byte", values(`${SIZE}c`), Buffer.alloc(SIZE)],
  ["values of a flag", values(`${SIZE}?`), Buffer.alloc(SIZE)],
];

/** Bytes that are held, once what is not has been collected. */
function held(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function outcomeOf(read: (bytes: Uint8Array) => unknown, bytes: Buffer): { outcome: string; heldKb: number } {
  const empty = held();
  try {
    const value = read(bytes);
    const heldKb = (held() - empty) / 1024;
    return { outcome: value === undefined ? "nothing" : "accepted", heldKb };
  } catch (error) {
    return { outcome: error instanceof DecodeError ? "refused" : String(error), heldKb: 0 };
  }
}

const before = process.resourceUsage().maxRSS;
for (const [name, read, bytes, expected = "accepted"] of cases) {
  const result = outcomeOf(read, bytes);
  const grownKb = process.resourceUsage().maxRSS - before;
  process.stdout.write(`${JSON.stringify({ name, expected, grownKb, ...result })}\n`);
}
