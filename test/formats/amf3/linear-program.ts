/** Reports the work of values and bytes of growing size: see `../linear-work/steps.ts`. */
import {
  decode,
  EcmaArray,
  encode,
  Traits,
  TypedObject,
  Vector,
  Xml,
} from "../../../src/formats/amf3/index.ts";
import { hashOf } from "../../../src/formats/bytes/key-chains.ts";
import { type Family, report } from "../linear-work/steps.ts";

const times = <Item>(n: number, each: (i: number) => Item): Item[] =>
  Array.from({ length: n }, (_, i) => each(i));

/** Both directions of a value. */
function both(name: string, value: (n: number) => unknown): Family[] {
  return [
    {
      name: `encode: ${name}`,
      make: (n) => {
        const given = value(n);
        // The buffer that grows for it is kept.
        encode(given);
        return () => encode(given);
      },
      from: 512,
    },
    {
      name: `decode: ${name}`,
      make: (n) => {
        const bytes = encode(value(n));
        return () => decode(bytes);
      },
      from: 512,
    },
  ];
}

/** Bytes that no value of ours is written as: a head, a body as often as it is told, and an end. */
function decoding(
  name: string,
  body: string,
  around: (n: number) => readonly [head: Buffer, end: string],
): Family {
  return {
    name: `decode: ${name}`,
    make: (n) => {
      const [head, end] = around(n);
      const bytes = Buffer.concat([
        head,
        ...times(n, () => Buffer.from(body, "hex")),
        Buffer.from(end, "hex"),
      ]);
      return () => decode(bytes);
    },
    from: 512,
  };
}

const hex = (text: string): Buffer => Buffer.from(text, "hex");

/** A length or count of 29 bits, in four bytes. */
function u29(value: number): Buffer {
  return Buffer.from([0x80 | (value >> 22), 0x80 | (value >> 15), 0x80 | (value >> 8), value]);
}

/** A list of so many elements, and perhaps a first one. */
function list(n: number, first = ""): Buffer {
  return Buffer.concat([hex("09"), u29(2 * (n + (first === "" ? 0 : 1)) + 1), hex("01"), hex(first)]);
}

/** Integers that V8 puts into one of 1,024 chains. */
const ALIKE: number[] = [];
for (let i = 0; ALIKE.length < 16_384; i++) if ((hashOf(i) & 1023) === 0) ALIKE.push(i);

const point = new Traits("p", ["x", "y"]);
const open = new Traits("o", [], { dynamic: true });

report([
  ...both("integers", (n) => times(n, (i) => i)),
  ...both("doubles", (n) => times(n, (i) => i + 0.5)),
  ...both("bigints", (n) => times(n, (i) => BigInt(i) << 20n)),
  ...both("one long text", (n) => "a".repeat(8 * n)),
  ...both("one long text of two bytes each", (n) => "é".repeat(8 * n)),
  ...both("texts that differ", (n) => times(n, (i) => `text ${i}`)),
  ...both("one long text in many places", (n) => {
    const text = "a".repeat(8 * n);
    return times(n, () => text);
  }),
  ...both("one long name in many objects", (n) => {
    const name = "a".repeat(8 * n);
    return times(n, () => ({ [name]: 1 }));
  }),
  ...both("names of an object", (n) => Object.fromEntries(times(n, (i) => [`name ${i}`, i]))),
  ...both("indexes of an object", (n) => Object.fromEntries(times(n, (i) => [i, i]))),
  ...both("indexes of an object, far from each other", (n) =>
    Object.fromEntries(times(n, (i) => [i * 900, i])),
  ),
  ...both("objects of one index each", (n) => times(n, () => ({ 900: 1 }))),
  ...both("objects of a name of their own each", (n) => times(n, (i) => ({ [`name ${i}`]: 1 }))),
  ...both("lists", (n) => times(n, () => [])),
  ...both("lists in lists", (n) => times(n, () => [[[[]]]])),
  ...both("one object in many places", (n) => {
    const one = { a: 1 };
    return times(n, () => one);
  }),
  ...both("objects, each in two places", (n) => {
    const all = times(n, (i) => ({ i }));
    return [all, all.toReversed()];
  }),
  ...both("lists that lead to one by many paths", (n) => {
    const all: unknown[][] = [[]];
    for (let i = 1; i < n; i++) all.push([all[i - 1], all[i - 1]]);
    return all;
  }),
  ...both("objects of one class", (n) => times(n, (i) => new TypedObject(point, { x: i, y: i }))),
  ...both("objects of a class of their own each", (n) =>
    times(n, (i) => new TypedObject(new Traits(`p${i}`, ["x"]), { x: i })),
  ),
  ...both("sealed members", (n) => {
    const names = times(n, (i) => `name ${i}`);
    return new TypedObject(new Traits("p", names), Object.fromEntries(names.map((name) => [name, 1])));
  }),
  ...both(
    "dynamic members",
    (n) => new TypedObject(open, Object.fromEntries(times(n, (i) => [`name ${i}`, 1]))),
  ),
  ...both(
    "named entries of an array",
    (n) => new EcmaArray([], Object.fromEntries(times(n, (i) => [`name ${i}`, 1]))),
  ),
  ...both("a dictionary of texts", (n) => new Map(times(n, (i) => [`key ${i}`, i]))),
  ...both("a dictionary of numbers", (n) => new Map(times(n, (i) => [i * 65_536, i]))),
  {
    name: "decode: a dictionary of integers of one chain",
    make: (n) => {
      const bytes = encode(new Map(ALIKE.slice(0, n).map((key) => [key, null])));
      return () => decode(bytes);
    },
    from: 4096,
  },
  ...both("dictionaries of a few integers of one chain each", (n) =>
    times(n / 64, () => new Map(ALIKE.slice(0, 200).map((key) => [key, null]))),
  ),
  ...both("a dictionary of objects", (n) => new Map(times(n, (i) => [{ i }, i]))),
  ...both("dates", (n) => times(n, (i) => new Date(i))),
  ...both("bytes", (n) => times(n, () => new Uint8Array(40))),
  ...both("one long piece of bytes", (n) => new Uint8Array(8 * n)),
  ...both("a vector of integers", (n) => new Vector(Int32Array.from(times(n, (i) => i)))),
  ...both("a vector of doubles", (n) => new Vector(Float64Array.from(times(n, (i) => i)))),
  ...both("a vector of objects", (n) => new Vector(times(n, (i) => ({ i })))),
  ...both("XML", (n) => times(n, () => new Xml("<a/>"))),
  decoding("references to one long text", "0600", (n) => [
    Buffer.concat([list(n + 1), hex("06"), u29(2 * 8 * n + 1), Buffer.alloc(8 * n, "a")]),
    "",
  ]),
  decoding("references to traits", "0a01", (n) => [list(n, "0a0301"), ""]),
  decoding("traits without members", "0a0301", (n) => [list(n), ""]),
  decoding("one list in another", "090301", () => [hex(""), "01"]),
  decoding("a name that stands twice", "0003", (n) => [
    Buffer.concat([hex("0a0b01"), u29(2 * 8 * n + 1), Buffer.alloc(8 * n, "a"), hex("03")]),
    "01",
  ]),
]);
