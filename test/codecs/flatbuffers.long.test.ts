/** What the FlatBuffers codec promises beyond the contract of all codecs. */
import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import flatbuffers from "../../src/codecs/flatbuffers/index.ts";
import tellist from "../../src/datasets/tellist.ts";
import type { Binding, CodecVariant } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { DecodeError, UnsupportedError } from "../../src/model/errors.ts";
import { seededRandom } from "../../src/model/random.ts";
import type { Field, MessageType, Schema } from "../../src/model/schema.ts";
import { firstDifference, type Value } from "../../src/model/value.ts";
import { compileVisitor } from "../../src/schema/generate/visit.ts";
import { readProto } from "../../src/schema/read/proto.ts";
import { conform } from "../../src/schema/values/conform.ts";
import { decodeTrusted, decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { datasets } from "../arbitrary-schema.ts";
import { cases, SEED } from "../seed.ts";
import {
  always,
  enumType,
  field,
  implicit,
  list,
  mapBy,
  message,
  optional,
  required,
  schemaOf,
} from "./flatbuffers-schema.ts";

const { object, verified } = flatbuffers.variants as Record<"object" | "verified", CodecVariant>;
const styles: [string, CodecVariant][] = [
  ["flatbuffers", flatbuffers],
  ["flatbuffers:object", object],
  ["flatbuffers:verified", verified],
];

function datasetOf(schema: Schema, values: readonly Value[], int64: Dataset["int64"] = "number"): Dataset {
  return { name: "test", schema, values, int64 };
}

function bind(style: CodecVariant, dataset: Dataset): Binding {
  return style.bind(dataset) as Binding;
}

/** What comes back of a value that is written alone. */
function roundTrip(style: CodecVariant, schema: Schema, value: Value, int64?: Dataset["int64"]): Value {
  const binding = bind(style, datasetOf(schema, [value], int64));
  return decodeTrusted(binding, encodeValue(binding, value));
}

function encode(style: CodecVariant, dataset: Dataset): Uint8Array {
  return encodeValue(bind(style, dataset), dataset.values[0]!) as Uint8Array;
}

function problemOf(call: () => void): string {
  try {
    call();
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

/** A value with every kind of field, which kinds.bin encodes. */
function goldenKinds(): Dataset {
  const schema = readProto(path.join(vectors, "kinds.proto"), "Kinds");
  const json: unknown = JSON.parse(readFileSync(path.join(vectors, "kinds.value.json"), "utf8"));
  const { value, int64 } = conform(schema, json, { form: "json", int64: "auto" });
  return datasetOf(schema, [value], int64);
}

const vectors = path.join(import.meta.dirname, "../vectors/flatbuffers");

describe("golden messages made by flatc 2.0.8", () => {
  it("of the address book, 1712 bytes, are what the codec makes and reads", () => {
    const golden = readFileSync(path.join(vectors, "tellist.bin"));
    const book = datasetOf(tellist.schema, [tellist.make(37, 0)]);
    expect(golden).toHaveLength(1712);
    expect(Buffer.from(encode(flatbuffers, book)).equals(golden)).toBe(true);
    expect(decodeUntrusted("flatbuffers", bind(flatbuffers, book), book, golden)).toEqual(book.values[0]);
  });

  it("of every kind of field are what the codec makes and reads", () => {
    const golden = readFileSync(path.join(vectors, "kinds.bin"));
    const kinds = goldenKinds();
    expect(Buffer.from(encode(flatbuffers, kinds)).toString("hex")).toBe(golden.toString("hex"));
    const decoded = decodeUntrusted("flatbuffers", bind(flatbuffers, kinds), kinds, golden);
    expect(firstDifference(kinds.values[0], decoded)).toBeUndefined();
  });
});

describe.each(styles)("%s", (_, style) => {
  it.each<[string, Field, Value]>([
    ["-0 in a field whose default is 0", field("x", "double"), -0],
    ["-0 in a float", field("x", "float", implicit), -0],
    ["NaN", field("x", "double"), Number.NaN],
    ["an optional 0", field("x", "int32", optional), 0],
    ["an optional false", field("x", "bool", optional), false],
    ["an optional empty string", field("x", "string", optional), ""],
    ["an implicit empty string", field("x", "string", implicit), ""],
    ["implicit bytes that are empty", field("x", "bytes", implicit), new Uint8Array(0)],
    ["a byte order mark at the start of a string", field("x", "string"), "\uFEFFtext"],
    ["nothing but a byte order mark", field("x", "string"), "\uFEFF"],
    ["byte order marks in a list", field("x", "string", list), ["\uFEFF\uFEFF", "", "a\uFEFF"]],
    ["a byte order mark in a key", field("x", "string", mapBy("string")), { "\uFEFFk": "v" }],
    ["a string that begins like a byte order mark", field("x", "string"), "\uF000\uFFFD"],
    ["a NUL in a string", field("x", "string"), "a\u0000b"],
    ["a string that makes the builder grow", field("x", "string"), "é".repeat(100_000)],
    ["bytes that make the builder grow", field("x", "bytes"), new Uint8Array(100_000).fill(7)],
    ["keys beyond 2^53 among numbers", field("x", "int32", mapBy("uint64")), { "18446744073709551615": 1 }],
    ["the key __proto__", field("x", "int32", mapBy("string")), JSON.parse('{"__proto__":1}') as Value],
    ["an enum that has no 0", field("x", { kind: "enum", name: "test.E" }), 2],
    ["the default of an enum that has no 0", field("x", { kind: "enum", name: "test.E" }), 1],
  ])("carries %s", (_name, one, value) => {
    const schema = schemaOf(
      [one],
      [],
      [
        enumType("test.E", [
          ["ONE", 1],
          ["TWO", 2],
        ]),
      ],
    );
    expect(firstDifference({ x: value }, roundTrip(style, schema, { x: value }))).toBeUndefined();
  });

  it("carries a field called __proto__ without touching a prototype", () => {
    const schema = schemaOf([
      field("a", "int32", optional),
      field("__proto__", "string"),
      field("b", "int32"),
    ]);
    const value = JSON.parse('{"__proto__":"own","b":1}') as Value;
    const decoded = roundTrip(style, schema, value) as object;
    expect(Object.keys(decoded)).toEqual(["__proto__", "b"]);
    expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype);
  });

  it("carries names that would end a string or a statement if they were pasted into code", () => {
    const names = [
      '"]; throw 1; //',
      "`+1+`",
      "'",
      "\\",
      "*/",
      "\u2028",
      "a\nb",
      "",
      "constructor",
      "hasOwnProperty",
    ];
    const schema = schemaOf(names.map((name, i) => field(name, "string", i % 2 === 0 ? always : optional)));
    const value = Object.fromEntries(names.map((name) => [name, name]));
    expect(roundTrip(style, schema, value)).toEqual(value);
  });

  it("gives fields in the order of the schema", () => {
    const schema = schemaOf([field("b", "int32"), field("a", "string", optional), field("c", "int32", list)]);
    expect(Object.keys(roundTrip(style, schema, { b: 1, a: "", c: [] }) as object)).toEqual(["b", "a", "c"]);
  });

  it("carries the greatest 64-bit integers as bigints", () => {
    const schema = schemaOf([
      field("s", "int64"),
      field("u", "uint64", list),
      field("o", "sint64", optional),
    ]);
    const value = { s: -(2n ** 63n), u: [2n ** 64n - 1n, 0n], o: 0n };
    expect(roundTrip(style, schema, value, "bigint")).toEqual(value);
  });
});

describe("nesting", () => {
  const node: MessageType = {
    name: "test.Node",
    fields: [
      field("next", message("test.Node"), optional),
      field("list", message("test.Node"), list),
      field("map", message("test.Node"), mapBy("string")),
    ],
  };
  const schema: Schema = { ...schemaOf([]), root: node.name, messages: new Map([[node.name, node]]) };
  const leaf: Value = { list: [], map: {} };
  const wrappers: Record<string, (inner: Value) => Value> = {
    next: (inner) => ({ next: inner, list: [], map: {} }),
    list: (inner) => ({ list: [inner], map: {} }),
    map: (inner) => ({ list: [], map: { key: inner } }),
  };
  function nested(wrapper: string, wraps: number): Value {
    let value = leaf;
    for (let i = 0; i < wraps; i++) value = wrappers[wrapper]!(value);
    return value;
  }

  // The root is one table, and a map has one more for each entry.
  const limits: [string, number][] = [
    ["next", 63],
    ["list", 63],
    ["map", 31],
  ];
  describe.each(styles)("in %s", (_, style) => {
    it.each(limits)("goes to 64 tables by way of %s", (wrapper, most) => {
      const dataset = datasetOf(schema, [nested(wrapper, most)]);
      const binding = bind(style, dataset);
      const decoded = decodeUntrusted(
        "flatbuffers",
        binding,
        dataset,
        encodeValue(binding, dataset.values[0]!),
      );
      expect(decoded).toEqual(dataset.values[0]);
    });

    it.each(limits)("goes no deeper by way of %s, and says so when it binds", (wrapper, most) => {
      const deep = nested(wrapper, most + 1);
      expect(() => bind(style, datasetOf(schema, [leaf, deep]))).toThrow(UnsupportedError);
      const binding = bind(style, datasetOf(schema, []));
      expect(() => encodeValue(binding, deep)).toThrow(/nested too deeply.*at most 64 tables/);
      expect(decodeTrusted(binding, encodeValue(binding, leaf)), "still works").toEqual(leaf);
    });
  });

  it("is refused beyond 64 tables in bytes from outside", () => {
    const binding = bind(flatbuffers, datasetOf(schema, []));
    expect(() => binding.verify(chain(65))).toThrow(/nested deeper than 64 tables/);
    expect(() => binding.verify(chain(64))).not.toThrow();
    expect(() => binding.verify(chain(200_000))).toThrow(DecodeError);
  });

  /** A message of tables of which each holds nothing but the next. */
  function chain(tables: number): Uint8Array {
    const first = 16;
    const last = first + 8 * (tables - 1);
    const bytes = Buffer.alloc(last + 4);
    bytes.writeUInt32LE(first, 0);
    // The vtable of a table of 8 bytes with field 0 at byte 4, and that of a table without fields.
    bytes.set([6, 0, 8, 0, 4, 0, 4, 0, 4, 0], 4);
    for (let table = first; table < last; table += 8) {
      bytes.writeInt32LE(table - 4, table);
      bytes.writeUInt32LE(4, table + 4);
    }
    bytes.writeInt32LE(last - 10, last);
    return bytes;
  }
});

describe("a built message", () => {
  const schema = schemaOf([field("x", "string")]);
  const binding = flatbuffers.bind(datasetOf(schema, [])) as Binding<number>;

  it("is written once, because it is the state of the one builder", () => {
    const built = binding.build({ x: "a" });
    binding.write(built);
    expect(() => binding.write(built)).toThrow(/holds one message, which is written once/);
  });

  it("gives way to the next", () => {
    const longer = binding.build({ x: "a longer one" });
    const shorter = binding.build({ x: "b" });
    expect(() => binding.write(longer)).toThrow(/holds one message/);
    expect(decodeTrusted(binding, binding.write(shorter))).toEqual({ x: "b" });
  });
});

describe("flatbuffers:object", () => {
  it("declares that it cannot tell optional bytes that are empty from absent ones", () => {
    const schema = schemaOf([field("x", "bytes", optional)]);
    expect(() => bind(object, datasetOf(schema, [{ x: new Uint8Array(0) }]))).toThrow(UnsupportedError);
    expect(roundTrip(object, schema, {})).toEqual({});
    expect(roundTrip(object, schema, { x: new Uint8Array(1) })).toEqual({ x: new Uint8Array(1) });
  });
});

describe("flatbuffers:verified", () => {
  it("checks what it reads", () => {
    const book = datasetOf(tellist.schema, [tellist.make(3, 0)]);
    const binding = bind(verified, book);
    const cut = encode(verified, book).subarray(0, 100);
    expect(() => binding.read(cut)).toThrow(DecodeError);
    expect(() => binding.access(cut)).toThrow(DecodeError);
  });
});

describe("verify", () => {
  const levels = [
    enumType("test.E", [
      ["ONE", 1],
      ["TWO", 2],
    ]),
  ];
  const enumField = { kind: "enum", name: "test.E" } as const;

  /** Writes a value by one schema, and verifies it by another. */
  function verifyAs(written: Field, value: Value, read: Field | undefined): void {
    const bytes = encode(flatbuffers, datasetOf(schemaOf([written], [], levels), [value], "bigint"));
    const known = read === undefined ? [] : [read];
    bind(flatbuffers, datasetOf(schemaOf(known, [], levels), [])).verify(bytes);
  }

  it.each<[string, Field, Value, Field | undefined, RegExp]>([
    [
      "a required string is missing",
      field("x", "string", optional),
      {},
      field("x", "string", required),
      /at x .*missing/,
    ],
    [
      "a string that is always there is missing",
      field("x", "string", optional),
      {},
      field("x", "string"),
      /at x .*missing/,
    ],
    [
      "a message of a list lacks its string",
      field("x", "string", list),
      { x: [""] },
      field("x", "bytes", list),
      /at x\[0\]/,
    ],
    [
      "a list has another length than the schema fixes",
      field("x", "int32", list),
      { x: [1] },
      field("x", "int32", { ...list, length: 2 }),
      /exactly 2 elements, got 1/,
    ],
    [
      "an integer beyond 2^53 would become a number",
      field("x", "int64"),
      { x: 2n ** 53n },
      field("x", "int64"),
      /at x .*9007199254740992 is beyond 2\^53/,
    ],
    [
      "one below -2^53 would",
      field("x", "int64", list),
      { x: [0n, -(2n ** 63n)] },
      field("x", "int64", list),
      /at x\[1\] .*beyond 2\^53/,
    ],
    [
      "an unsigned one would",
      field("x", "uint64", mapBy("string")),
      { x: { k: 2n ** 64n - 1n } },
      field("x", "uint64", mapBy("string")),
      /at x\[0\].value .*beyond 2\^53/,
    ],
    [
      "a closed enum has no such number",
      field("x", enumField),
      { x: 3 },
      field("x", enumField),
      /at x .*no value 3/,
    ],
    [
      "a bool is neither 0 nor 1",
      field("x", "uint8"),
      { x: 2 },
      field("x", "bool"),
      /at x .*bool of 0 or 1, got 2/,
    ],
    [
      "a field is not in the schema",
      field("x", "int32"),
      { x: 1 },
      undefined,
      /field 0 is not in the schema/,
    ],
  ])("refuses a message where %s", (_, written, value, read, problem) => {
    expect(() => verifyAs(written, value, read)).toThrow(DecodeError);
    expect(() => verifyAs(written, value, read)).toThrow(problem);
  });

  it("lets a map's key be beyond 2^53, because it becomes text", () => {
    const one = field("x", "bool", mapBy("uint64"));
    expect(() => verifyAs(one, { x: { "18446744073709551615": true } }, one)).not.toThrow();
  });

  it("refuses a map in which a key stands twice", () => {
    const schema = schemaOf([field("x", "int32", mapBy("string"))]);
    const bytes = Buffer.from(encode(flatbuffers, datasetOf(schema, [{ x: { aa: 1, ab: 2 } }])));
    bytes[bytes.indexOf("ab") + 1] = "a".charCodeAt(0);
    expect(() => bind(flatbuffers, datasetOf(schema, [])).verify(bytes)).toThrow(
      /at x\[1\] .*"aa" stands twice/,
    );
  });

  it.each<["bool" | "int32" | "uint64"]>([["bool"], ["int32"], ["uint64"]])(
    "refuses a map in which the %s key 0 stands twice, written and left out",
    (key) => {
      const schema = schemaOf([field("x", "int32", mapBy(key))]);
      const value = { x: key === "bool" ? { true: 1, false: 2 } : { "1": 1, "0": 2 } };
      const bytes = Buffer.from(encode(flatbuffers, datasetOf(schema, [value])));
      const { verify } = bind(flatbuffers, datasetOf(schema, []));
      const problems = [...bytes.keys()].map((at) => {
        const copy = Buffer.from(bytes);
        if (copy[at] === 1) copy[at] = 0;
        return problemOf(() => verify(copy));
      });
      expect(problems).toContainEqual(expect.stringMatching(/"0" stands twice/));
    },
  );

  it("refuses text in place of bytes", () => {
    expect(() => bind(flatbuffers, datasetOf(schemaOf([]), [])).verify("text")).toThrow(DecodeError);
  });

  it("leaves nothing for the reader to stumble on in damaged messages", () => {
    const small = datasetOf(tellist.schema, [tellist.make(3, 0)]);
    expect(expectSound(small, encode(flatbuffers, small), cases(160_000))).toBeGreaterThan(cases(10_000));
    const kinds = goldenKinds();
    expect(expectSound(kinds, encode(flatbuffers, kinds), cases(40_000))).toBeGreaterThan(cases(10_000));
  });

  it("leaves nothing for the reader to stumble on in damaged messages of random schemas", () => {
    fc.assert(
      fc.property(datasets(), (dataset) => {
        for (const value of dataset.values)
          expectSound(dataset, encode(flatbuffers, { ...dataset, values: [value] }), 100);
      }),
      { numRuns: 100, seed: SEED },
    );
  });
});

/**
 * Of damaged copies, the verifier refuses with a DecodeError or the readers get a value that fits the schema.
 * Gives the number of those that were accepted.
 */
function expectSound(dataset: Dataset, bytes: Uint8Array, mutants: number): number {
  const binding = bind(flatbuffers, dataset);
  const checksum = compileVisitor(dataset.schema, { long: "plain", text: "utf8" });
  const random = seededRandom(SEED);
  let accepted = 0;
  for (let i = 0; i < mutants; i++) {
    const mutant = damaged(bytes, i, random);
    try {
      binding.verify(mutant);
    } catch (error) {
      if (error instanceof DecodeError) continue;
      throw new Error(`verify of ${Buffer.from(mutant).toString("hex")}`, { cause: error });
    }
    accepted += 1;
    const value = binding.plain(binding.read(mutant));
    const { value: same } = conform(dataset.schema, value, { form: "plain", int64: dataset.int64 });
    const difference = firstDifference(value, same);
    if (difference !== undefined || binding.access(mutant) !== checksum(value)) {
      throw new Error(`${difference ?? "access"} in ${Buffer.from(mutant).toString("hex")}`);
    }
  }
  return accepted;
}

/** A copy with a changed bit, byte or 16-bit number; or an offset or count that is a little off. */
function damaged(bytes: Uint8Array, i: number, random: () => number): Uint8Array {
  const copy = Buffer.from(bytes);
  const below = (limit: number): number => Math.floor(random() * limit);
  const at = below(copy.length);
  const aligned = 4 * below(copy.length / 4);
  switch (i % 4) {
    case 0:
      copy[at] = copy[at]! ^ (1 << below(8));
      break;
    case 1:
      copy[at] = [0, 1, 4, 0x7f, 0x80, 0xff, below(256)][below(7)]!;
      break;
    case 2:
      copy.writeUInt16LE(
        [0, 2, 4, 6, 0x7fff, 0x8000, 0xffff, below(64)][below(8)]!,
        2 * below(copy.length / 2),
      );
      break;
    default: {
      // Small changes of an offset or a count lead to places that may well be right.
      const old = copy.readInt32LE(aligned);
      copy.writeInt32LE((old + 4 * (below(33) - 16)) | 0, aligned);
    }
  }
  return copy;
}
