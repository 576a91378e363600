/**
 * Reports the work of reading, verifying and writing what is made to cost more than its size: references to what is
 * long, keys and sets that are hard to tell apart, deep nesting, many small parts and large ones. See
 * `../linear-work/steps.ts`.
 */
import codec from "../../../src/codecs/python-pickle.ts";
import { hashOf } from "../../../src/formats/bytes/key-chains.ts";
import {
  ByteArray,
  decodePickle,
  decodePickles,
  encodePickle,
  FrozenSet,
  type PickleOptions,
  Tuple,
  type UnpickleOptions,
} from "../../../src/formats/python-pickle/index.ts";
import type { MessageType } from "../../../src/model/schema.ts";
import { always, field, packedList, schemaOf, textMap } from "../../../src/schema/declare.ts";
import { type Family, report } from "../linear-work/steps.ts";

type Around = (n: number) => readonly [head: string, end: string];

/** A head, a body n times, which may differ each time, and an end. Latin-1 stands for bytes. */
function pickle(n: number, body: string | ((i: number) => string), around: Around): Buffer {
  const [head, end] = around(n);
  const all =
    typeof body === "string" ? body.repeat(n) : Array.from({ length: n }, (_, i) => body(i)).join("");
  return Buffer.from(head + all + end, "latin1");
}

const LIST: Around = () => ["](", "e."];
const DICT: Around = () => ["}(", "u."];
const SET: Around = () => ["\x8f(", "\x90."];
/** From here on, what a set or a dict takes at first does not matter. */
const LARGE = { from: 2048 };

function decoding(
  name: string,
  body: string | ((i: number) => string),
  around: Around = LIST,
  { from = 512, ...options }: UnpickleOptions & { readonly from?: number } = {},
): Family {
  return {
    name: `decode: ${name}`,
    from,
    make: (n) => {
      const bytes = pickle(n, body, around);
      return () => decodePickle(bytes, options);
    },
  };
}

function encoding(name: string, value: (n: number) => unknown, options: PickleOptions = {}): Family {
  return {
    name: `encode: ${name}`,
    make: (n) => {
      const made = value(n);
      return () => encodePickle(made, options);
    },
  };
}

const int32 = (n: number): string => Buffer.from(Int32Array.of(n).buffer).toString("latin1");
const text = (content: string): string => `X${int32(content.length)}${content}`;
const float = (value: number): string => {
  const bytes = Buffer.alloc(9, "G");
  bytes.writeDoubleBE(value, 1);
  return bytes.toString("latin1");
};
const integer = (size: number): string => `\x8b${int32(size)}${"\x7f".repeat(size)}`;

/** What `long` makes of n is in the memo; of it a list follows. */
const memo =
  (long: (n: number) => string): Around =>
  (n) => [`${long(n)}q\x000](`, "e."];
const longText = memo((n) => text("a".repeat(4 * n)));
const longBytes = memo((n) => `B${int32(4 * n)}${"a".repeat(4 * n)}`);
const longTuple = memo((n) => `(${"K\x01".repeat(n)}t`);
const longSet = memo((n) => `(${Array.from({ length: n }, (_, i) => `J${int32(i)}`).join("")}\x91`);
const longList = memo((n) => `](${"K\x01".repeat(n)}e`);
const largeInteger = memo(() => integer(1000));
const largeIntegers: Around = () => [`${integer(1000)}q\x000${integer(999)}q\x010](`, "e."];

/** Integers of 31 bits that V8 puts into one of 1,024 chains. */
const INTEGERS: number[] = [];
for (let i = 0; INTEGERS.length < 8192; i++) if ((hashOf(i) & 1023) === 0) INTEGERS.push(i);

/** Integers that V8 puts into one chain. */
const bigintAlike = (i: number): string => `\x8a\x0c${int32(1)}${int32(0)}${int32(i + 1)}`;

const references = [
  ["a long text", longText],
  ["long bytes", longBytes],
  ["a long tuple", longTuple],
  ["a long frozenset", longSet],
  ["a large integer", largeInteger],
] as const;

const decode: readonly Family[] = [
  ...references.flatMap(([name, around]) => [
    decoding(`references to ${name}`, "h\0", around),
    decoding(`sets of ${name}`, "\x8f(h\0\x90", around),
    decoding(`frozensets of ${name}`, "(h\0\x91", around),
    decoding(`${name} as a key`, "}h\0Ns", around),
    decoding(`tuples of ${name} as keys`, "}h\0h\0\x86Ns", around),
  ]),
  decoding("sets of two large integers in turns", (i) => `\x8f(h${"\0\x01"[i % 2]}\x90`, largeIntegers),
  decoding("references to a long list", "h\0", longList),
  decoding("keys of one long beginning", (i) => `${text("a".repeat(200) + i)}N`, DICT),
  decoding("keys that are text", (i) => `${text(String(i + 10_000_000))}N`, DICT),
  decoding(
    "entries one by one",
    (i) => `${text(`k${i}`)}Ns`,
    () => ["}", "."],
  ),
  decoding("keys that are integers", (i) => `J${int32(i)}N`, DICT, LARGE),
  decoding("keys that are floats", (i) => `${float(i + 0.5)}N`, DICT, LARGE),
  decoding("keys that are tuples", (i) => `J${int32(i)}\x85N`, DICT),
  decoding(
    "elements one by one",
    (i) => `(J${int32(i)}\x90`,
    () => ["\x8f", "."],
  ),
  decoding("sets in sets", (i) => `(J${int32(i)}\x91`, SET, LARGE),
  decoding("integers of one chain", (i) => `J${int32(INTEGERS[i]!)}`, SET, LARGE),
  decoding("integers of one hash", bigintAlike, SET, LARGE),
  decoding("keys of one hash", (i) => `${bigintAlike(i)}N`, DICT, LARGE),
  decoding("sets of a few integers of one hash", (i) =>
    i % 64 > 0 ? "" : `\x8f(${Array.from({ length: 64 }, (_, k) => bigintAlike(i + k)).join("")}\x90`,
  ),
  decoding("lists in lists", `${"]".repeat(90)}${"a".repeat(89)}`, LIST, { from: 64 }),
  decoding("tuples in tuples", `)${"\x85".repeat(90)}`, LIST, { from: 64 }),
  decoding("dicts in dicts", `${"}N".repeat(90)}N${"s".repeat(90)}`, LIST, { from: 64 }),
  decoding("empty lists", "]"),
  decoding("empty dicts", "}"),
  decoding("empty sets", "\x8f"),
  decoding("small dicts", "}\x8c\x01aK\x01s"),
  decoding("small dicts of other keys", (i) => `}${text(`k${i}`)}Ns`),
  decoding("short texts", "\x8c\x01a\x94"),
  decoding("marks", "(", (n) => ["", `${"1".repeat(n)}N.`]),
  decoding("marks and lists", "(", (n) => ["", `${"l".repeat(n)}0N.`]),
  decoding("values that are dropped", "N0", () => ["", "N."]),
  decoding("values that are doubled", "]2a0", () => ["N", "."]),
  decoding("memo entries with gaps", (i) => `Nr${int32(3 * i)}`),
  decoding("memo entries that are overwritten", "]q\0"),
  decoding("dicts that become Maps", "}q\0NNs0h\0"),
  decoding(
    "an object that becomes a Map late",
    (i) => `h\0${text(`k${i}`)}Ns0`,
    () => ["}q\0", "NNs."],
  ),
  decoding("frames", "\x95\x02\0\0\0\0\0\0\0N0", () => ["\x80\x04", "N."]),
  decoding("decimal integers", "I1234567\n"),
  decoding("one text", "a", (n) => [`X${int32(n)}`, "."]),
  decoding("one text of Chinese", "\xe5\xb0\x8f", (n) => [`X${int32(3 * n)}`, "."]),
  decoding("one bytes", "a", (n) => [`B${int32(n)}`, "."]),
  decoding("one literal of escapes", "\\x41", () => ["S'", "'\n."]),
  decoding("one raw text of escapes", "\\u0041", () => ["V", "\n."]),
  decoding("one integer", "\x7f", (n) => [`\x8b${int32(n)}`, "."], { integerBytes: 2 ** 20 }),
  decoding("sets by calls", "h\0](K\x01e\x85R", () => ["cbuiltins\nset\nq\x000](", "e."]),
  decoding("calls with one text", "h\x01h\0h\x02\x86R", (n) => [
    `${text("a".repeat(4 * n))}q\x000c_codecs\nencode\nq\x010${text("latin1")}q\x020](`,
    "e.",
  ]),
  decoding("calls with one list", "h\x01h\0\x85R", (n) => [
    `](${"K\x01".repeat(n)}eq\x000cbuiltins\nset\nq\x010](`,
    "e.",
  ]),
  {
    name: "decode: many pickles",
    make: (n) => {
      const bytes = Buffer.from("]K\x01a.".repeat(n), "latin1");
      return () => decodePickles(bytes);
    },
  },
];

const longString = (n: number): string => "a".repeat(4 * n).replace("b", "");
const several = (n: number, make: (i: number) => unknown): unknown[] =>
  Array.from({ length: n }, (_, i) => make(i));
const objectOf = (n: number, entry: (i: number) => readonly [string | number, unknown]): object =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => entry(i)));
/** Containers in containers, 90 levels deep. */
const nested = (around: (value: unknown) => unknown): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < 90; i++) value = around(value);
  return value;
};

const shared: readonly (readonly [string, (n: number) => unknown])[] = [
  ["a long text", longString],
  ["a text of 20 units", () => "twenty units of text"],
  ["long bytes", (n) => new Uint8Array(4 * n)],
  ["a long tuple", (n) => Tuple.from(several(n, (i) => i))],
  ["a long frozenset", (n) => new FrozenSet(several(n, (i) => i))],
  ["a large integer", () => 2n ** 1000n],
];

const encode: readonly Family[] = [
  ...shared.flatMap(([name, make]) => [
    encoding(`references to ${name}`, (n) => Array(n).fill(make(n))),
    encoding(`sets of ${name}`, (n) => {
      const value = make(n);
      return several(n, () => new Set([value]));
    }),
    encoding(`Maps with the key ${name}`, (n) => {
      const value = make(n);
      return several(n, () => new Map([[value, 1]]));
    }),
    encoding(`tuples of ${name} as keys`, (n) => {
      const value = make(n);
      return new Map(several(n, (i) => [Tuple.of(value, i), 1] as const) as [unknown, unknown][]);
    }),
  ]),
  encoding("references to an object of indexes", (n) => Array(n).fill(objectOf(n, (i) => [i, i]))),
  encoding("references to a large object between small ones", (n) => {
    const large = objectOf(n, (i) => [`k${i}`, i]);
    return several(n, (i) => (i % 2 === 0 ? large : { a: i, b: i }));
  }),
  encoding("objects with one long key", (n) => {
    const key = longString(n);
    return several(n, () => ({ [key]: 1 }));
  }),
  encoding("one object", (n) => objectOf(n, (i) => [`k${i}`, i])),
  encoding("one object of indexes", (n) => objectOf(n, (i) => [i, i])),
  encoding("one object of indexes far apart", (n) => objectOf(n, (i) => [6001 * i, i])),
  encoding("one Map", (n) => new Map(several(n, (i) => [i, i]) as [number, number][])),
  encoding(
    "one Map of large integers",
    (n) => new Map(several(n, (i) => [2n ** 1000n + BigInt(i), i] as const) as [bigint, number][]),
  ),
  encoding("one set of integers of one hash", (n) => new Set(several(n, (i) => BigInt(i) << 64n))),
  encoding("one set of tuples", (n) => new Set(several(n, (i) => Tuple.of(i)))),
  encoding("one list", (n) => several(n, (i) => i)),
  encoding("one tuple", (n) => Tuple.from(several(n, (i) => i))),
  encoding("one text", longString),
  encoding("one text of Chinese", (n) => "小".repeat(n)),
  encoding("one bytes", (n) => new Uint8Array(n)),
  encoding("one bytes in protocol 1", (n) => new Uint8Array(n), { protocol: 1 }),
  encoding("one bytearray in protocol 1", (n) => new ByteArray(n), { protocol: 1 }),
  encoding("one large integer", (n) => 1n << BigInt(8 * n)),
  encoding("one integer of too many digits", (n) => 1n << BigInt(64 * n), { protocol: 1 }),
  encoding("many texts", (n) => several(n, (i) => `text ${i}`)),
  encoding("many texts of 20 units", (n) => several(n, (i) => `a text of units ${i + 1000}`)),
  encoding("many objects", (n) => several(n, (i) => ({ a: i, b: "text" }))),
  encoding("many empty lists", (n) => several(n, () => [])),
  encoding("many sets in protocol 1", (n) => several(n, (i) => new Set([i])), { protocol: 1 }),
  encoding("lists in lists", (n) => several(n / 64, () => nested((value) => [value]))),
  encoding("objects in objects", (n) => several(n / 64, () => nested((value) => ({ a: value })))),
  encoding("tuples in tuples", (n) => several(n / 64, () => nested((value) => Tuple.of(value)))),
];

const part: MessageType = { name: "test.Part", fields: [field(1, "id", "uint64", always)] };
const whole: MessageType = {
  name: "test.Whole",
  fields: [
    field(1, "name", "string", always),
    field(2, "ids", "uint64", packedList),
    field(3, "parts", part, textMap),
  ],
};
// With bigints, what is read is not what is given, so that its shape is checked.
const schema = schemaOf("test", [whole, part]);
const binding = await codec.bind({ name: "test", schema, int64: "bigint", values: [] });

function verifying(name: string, value: (n: number) => object): Family {
  return {
    name: `verify: ${name}`,
    make: (n) => {
      const bytes = encodePickle({ name: "", ids: [], parts: {}, ...value(n) });
      return () => binding.verify(bytes);
    },
  };
}

const one = { id: 1 };
const verify: readonly Family[] = [
  verifying("one list", (n) => ({ ids: several(n, (i) => i) })),
  verifying("many messages", (n) => ({ parts: objectOf(n, (i) => [`p${i}`, { id: i }]) })),
  verifying("references to one message", (n) => ({ parts: objectOf(n, (i) => [`p${i}`, one]) })),
  verifying("one long text", (n) => ({ name: longString(n) })),
  verifying("long keys", (n) => ({ parts: objectOf(n, (i) => ["p".repeat(100) + i, one]) })),
  verifying("an unknown field of a long name", (n) => ({ [longString(n)]: 1 })),
];

report([...decode, ...encode, ...verify]);
