/**
 * Reports the work of reading, verifying and writing terms that are made to cost more than their size: repeated atoms,
 * keys that are hard to tell apart, deep nesting, many small terms and large ones. See `../linear-work/steps.ts`.
 */
import codec from "../../../src/codecs/erlang-etf/index.ts";
import {
  Atom,
  BitBinary,
  binaryToTerm,
  type DecodeOptions,
  type EncodeOptions,
  Tuple,
  termToBinary,
} from "../../../src/formats/erlang-etf/index.ts";
import type { MessageType } from "../../../src/model/schema.ts";
import { always, field, packedList, schemaOf, textMap } from "../../../src/schema/declare.ts";
import { type Family, report } from "../linear-work/steps.ts";

const TYPED = { terms: "typed", funs: "inert" } as const satisfies DecodeOptions;
const MAPS = { maps: "Map", binaries: "auto" } as const satisfies DecodeOptions;

const several = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const longText = (n: number): string => "a".repeat(4 * n).replace("b", "");
const objectOf = (n: number, entry: (i: number) => readonly [string, unknown]): object =>
  Object.fromEntries(several(n, entry));
const mapOf = (n: number, entry: (i: number) => readonly [unknown, unknown]): Map<unknown, unknown> =>
  new Map(several(n, entry));
/** What is in itself, so many levels deep. */
const nested = (levels: number, around: (value: unknown, level: number) => unknown): unknown => {
  let value: unknown = 0;
  for (let i = 0; i < levels; i++) value = around(value, i);
  return value;
};

/** Values by what they are, each written and read. */
const VALUES: readonly (readonly [name: string, make: (n: number) => unknown, from?: number])[] = [
  ["one text", longText],
  ["one text of Chinese", (n) => "小".repeat(n)],
  ["one binary", (n) => new Uint8Array(n).fill(255)],
  ["one bit string", (n) => new BitBinary(new Uint8Array(n).fill(128), 1)],
  ["one integer", (n) => 1n << BigInt(8 * n)],
  ["one list of bytes", (n) => several(n, (i) => i & 255)],
  ["one list", (n) => several(n, (i) => 1000 * i)],
  ["one tuple", (n) => new Tuple(several(n, (i) => i))],
  ["one object", (n) => objectOf(n, (i) => [`k${i}`, i])],
  ["one object of indexes", (n) => objectOf(n, (i) => [String(6001 * i), i])],
  ["one object of long keys", (n) => objectOf(n, (i) => ["a".repeat(200) + i, i])],
  ["one Map of integers", (n) => mapOf(n, (i) => [i, i]), 2048],
  ["one Map of large integers", (n) => mapOf(n, (i) => [2n ** 1000n + BigInt(i), i])],
  ["one Map of atoms", (n) => mapOf(n, (i) => [new Atom(`a${i}`), i])],
  ["one Map of tuples", (n) => mapOf(n, (i) => [new Tuple([i % 3, `x${i % 7}`, i]), i])],
  ["one Map of tuples of long texts", (n) => mapOf(n, (i) => [new Tuple(["a".repeat(200), i]), i])],
  ["one Map of Maps", (n) => mapOf(n, (i) => [new Map([[i, new Map([["x", i]])]]), i])],
  ["one Map with a long key", (n) => mapOf(64, (i) => [i === 0 ? longText(n) : `b${i}`, i])],
  ["Maps with a long key in a key", (n) => new Map([[mapOf(2, (i) => [i === 0 ? longText(n) : "b", i]), 1]])],
  ["many texts", (n) => several(n, (i) => `text ${i}`)],
  ["many long texts", (n) => several(n, () => "a".repeat(100))],
  ["many atoms", (n) => several(n, () => new Atom("ok"))],
  ["many atoms of all characters", (n) => several(n, () => new Atom("é".repeat(255)))],
  ["many empty lists", (n) => several(n, () => [])],
  ["many empty tuples", (n) => several(n, () => new Tuple([]))],
  ["many empty objects", (n) => several(n, () => ({}))],
  ["many empty Maps", (n) => several(n, () => new Map())],
  ["many floats", (n) => several(n, (i) => i + 0.5)],
  ["many integers of 70 bits", (n) => several(n, (i) => 2n ** 70n + BigInt(i))],
  ["many objects of one shape", (n) => several(n, (i) => ({ a: i, b: "text", c: [i] }))],
  ["many objects of other keys", (n) => several(n, (i) => ({ [`k${i}`]: i, last: 1 }))],
  ["many shapes in turns", (n) => several(n, (i) => ({ [`k${i % 50}`]: i, last: 1 }))],
  ["many objects of 33 keys", (n) => several(n / 32, () => objectOf(33, (i) => [`k${i}`, i]))],
  [
    "many objects of 32 long keys",
    (n) => several(n / 32, (j) => objectOf(32, (i) => [`${"k".repeat(50)}${i}`, j])),
  ],
  ["many Maps of one key", (n) => several(n, (i) => new Map([[i, i]]))],
  ["lists in lists", (n) => several(n / 64, () => nested(90, (value) => [value]))],
  ["tuples in tuples", (n) => several(n / 64, () => nested(90, (value) => new Tuple([value, value === 0])))],
  [
    "objects in objects",
    (n) => several(n / 64, () => nested(90, (value, i) => ({ [`level ${i % 20}`]: value }))),
  ],
  ["Maps in values of Maps", (n) => several(n / 64, () => nested(90, (value) => new Map([[1, value]])))],
  ["Maps in keys of Maps", (n) => several(n / 64, () => nested(90, (value) => new Map([[value, 1]])))],
  [
    "a long key beside a short one, in keys of keys",
    (n) =>
      nested(45, (value, level) =>
        mapOf(2, (i) => (i === 0 ? [level === 0 ? longText(n) : value, 1] : ["b", 2])),
      ),
  ],
];

type Around = (value: unknown) => Map<unknown, unknown>;

/** As many Maps in one another as 64 units of a long text, with the key that comes first in its order behind the other. */
const deep: readonly Family[] = (
  [
    [
      "values",
      (value) =>
        new Map<unknown, unknown>([
          ["b", value],
          ["a", 1],
        ]),
    ],
    [
      "keys",
      (value) =>
        new Map<unknown, unknown>([
          ["b", 1],
          [value, 1],
        ]),
    ],
  ] as readonly (readonly [string, Around])[]
).map(([place, around]) => ({
  name: `encode: a long text in ${place} of Maps in one another`,
  from: 100,
  make: (n) => {
    const value = nested(n, (inner, level) => around(level === 0 ? longText(64 * n) : inner));
    return () => termToBinary(value, { maxDepth: 512 });
  },
}));

function families([name, make, from = 512]: (typeof VALUES)[number]): Family[] {
  const encoding = (options: EncodeOptions, title: string): Family => ({
    name: `encode: ${name}${title}`,
    from,
    make: (n) => {
      const value = make(n);
      return () => termToBinary(value, options);
    },
  });
  const decoding = (options: DecodeOptions, title: string): Family => ({
    name: `decode: ${name}${title}`,
    from,
    make: (n) => {
      const bytes = termToBinary(make(n));
      return () => binaryToTerm(bytes, { maxIntegerBytes: 2 ** 20, ...options });
    },
  });
  return [
    encoding({}, ""),
    encoding({ minorVersion: 0 }, ", minor version 0"),
    encoding({ compressed: 1 }, ", compressed"),
    decoding(MAPS, ", Maps"),
    decoding(TYPED, ", typed"),
    ...(holdsNoMap(make(64)) ? [decoding({ binaries: "auto" }, "")] : []),
  ];
}

function holdsNoMap(value: unknown): boolean {
  if (value instanceof Map) return false;
  if (value instanceof Tuple) return value.elements.every(holdsNoMap);
  return !Array.isArray(value) || value.every(holdsNoMap);
}

type Body = string | ((i: number) => string);

/** A list of a term in hexadecimal digits n times, read with options. */
function reading(name: string, body: Body, options: DecodeOptions = {}, around = LIST, from = 512): Family {
  return {
    name: `decode: ${name}`,
    from,
    make: (n) => {
      const all = typeof body === "string" ? body.repeat(n) : several(n, body).join("");
      const [head, end] = around(n);
      const bytes = Buffer.from(`83${head}${all}${end}`.replaceAll(" ", ""), "hex");
      return () => binaryToTerm(bytes, options);
    },
  };
}

const uint32 = (n: number): string => n.toString(16).padStart(8, "0");
const LIST = (n: number): readonly [string, string] => [`6c${uint32(n)}`, "6a"];
const ENTRIES = (n: number): readonly [string, string] => [`74${uint32(n)}`, ""];
const NOTHING = (): readonly [string, string] => ["", "6a"];
const SHORT_NODE = "77 01 61";

const made: readonly Family[] = [
  reading("lists by their tails", "6c 00000001 61ff", {}, NOTHING),
  reading("tails that are lists", "6c 00000001 6a 6c 00000001 6a 6a", {}),
  reading("old atoms", `64 0064 ${"61".repeat(100)}`),
  reading("floats as text", `63 ${Buffer.from("1.5").toString("hex")}${"00".repeat(28)}`),
  reading("pids", `58 ${SHORT_NODE} 00000001 00000001 00000001`),
  reading("references", `5a 0005 ${SHORT_NODE} 00000001${"00000001".repeat(5)}`),
  reading("exports", `71 ${SHORT_NODE} ${SHORT_NODE} 6101`, TYPED),
  reading("pids as keys", (i) => `58 ${SHORT_NODE} ${uint32(i)} 00000001 00000001 6a`, TYPED, ENTRIES),
  reading("keys that are Maps", (i) => `74 00000002 62 ${uint32(i + 10)} 6a 6102 6a 6a`, TYPED, ENTRIES),
  reading("integers with zeros before them", `6e 64 00 01 ${"00".repeat(99)}`),
  reading("keys of one hash", (i) => `6e 0c 00 0100000000000000 ${uint32(i + 1)} 6a`, MAPS, ENTRIES, 2048),
  reading("keys that are integers", (i) => `62 ${uint32(i)} 6a`, MAPS, ENTRIES, 2048),
  reading("keys that are floats", (i) => `46 3ff00000${uint32(i)} 6a`, MAPS, ENTRIES, 2048),
  reading("keys of a few, again and again", "74 00000002 6d 00000001 61 6a 6d 00000001 62 6a"),
];

const part: MessageType = { name: "test.Part", fields: [field(1, "id", "uint64", always)] };
const whole: MessageType = {
  name: "test.Whole",
  fields: [
    field(1, "name", "string", always),
    field(2, "ids", "uint64", packedList),
    field(3, "parts", part, textMap),
    field(4, "data", "bytes", always),
  ],
};
const dataset = {
  name: "test",
  schema: schemaOf("test", [whole, part]),
  int64: "bigint",
  values: [],
} as const;

const MESSAGES: readonly (readonly [name: string, value: (n: number) => object])[] = [
  ["one list", (n) => ({ ids: several(n, (i) => BigInt(i)) })],
  ["one list of bytes", (n) => ({ ids: several(n, (i) => BigInt(i & 255)) })],
  ["many messages", (n) => ({ parts: objectOf(n, (i) => [`p${i}`, { id: 1n }]) })],
  ["long keys", (n) => ({ parts: objectOf(n, (i) => ["p".repeat(100) + i, { id: 1n }]) })],
  ["one text", (n) => ({ name: longText(n) })],
  ["one text of Chinese", (n) => ({ name: "小".repeat(n) })],
  ["bytes", (n) => ({ data: new Uint8Array(n) })],
];

const verify: readonly Family[] = [];
for (const [variant, bind] of [
  ["erlang-etf", codec.bind],
  ["record", codec.variants!["record"]!.bind],
] as const) {
  const binding = await bind(dataset);
  for (const [name, make] of MESSAGES) {
    const value = (n: number): object => ({
      name: "",
      ids: [],
      parts: {},
      data: new Uint8Array(0),
      ...make(n),
    });
    (verify as Family[]).push(
      {
        name: `verify ${variant}: ${name}`,
        make: (n) => {
          const bytes = binding.write(binding.build(value(n) as never));
          return () => binding.verify(bytes);
        },
      },
      {
        name: `write ${variant}: ${name}`,
        make: (n) => {
          const built = binding.build(value(n) as never);
          return () => binding.write(built);
        },
      },
      {
        name: `plain ${variant}: ${name}`,
        make: (n) => {
          const bytes = binding.write(binding.build(value(n) as never));
          return () => binding.plain(binding.read(bytes));
        },
      },
    );
  }
}

// The output is kept: what it grows to is no work of whoever needs it first.
termToBinary("a".repeat(2 ** 20));

report([...VALUES.flatMap(families), ...deep, ...made, ...verify]);
