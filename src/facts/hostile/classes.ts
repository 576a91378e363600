/** The classes of damaged bytes: what each makes of a message of the user's own, and what is built in. */
import { seededRandom } from "../../model/random.ts";
import type { Schema } from "../../model/schema.ts";
import { HOSTILE_FORMATS } from "./messages.ts";

/** What mutants are made of. */
export interface Victim {
  readonly format: string;
  readonly schema: Schema;
  /** A message of the user's first value. */
  readonly message: Uint8Array;
  /** Texts of that value, as bytes that are found in the message. */
  readonly texts: readonly Uint8Array[];
  /** A message of {@link KEYS}, for codecs without a schema. */
  readonly keyed?: Uint8Array;
}

/** What a codec may make of bytes: a value as good as another, the value of the message, or one with what is in its keys. */
export type Judgement = "any" | "message" | "twice" | "prototype";

/** A class of damaged bytes. */
export interface HostileClass {
  readonly name: string;
  /** What is done, in a line. */
  readonly given: string;
  /** What is no fault if it is accepted: any value, or the one of the undamaged message, by default. */
  readonly judgement?: Judgement;
  cases(victim: Victim): Iterable<Uint8Array>;
}

/** Nesting that no stack holds. */
const DEPTHS = [1000, 10_000, 100_000];

/** Bytes of a small message with many values. */
const MANY = 65_536;

/** Offsets at which mutants are made: all of a short message; of others the first, the last, and some between. */
const ENDS = 64;
const BETWEEN = 64;

/** Random mutants of one to three edits, and their seed. */
const RANDOM = 500;
const SEED = 20_261_123;

/** All classes, in the order of the table. */
export const HOSTILE_CLASSES: readonly HostileClass[] = [
  { name: "cut off", given: "the message up to each byte", cases: cutOff },
  { name: "one bit turned", given: "each bit of each byte turned over", cases: bits },
  {
    name: "length of 2^31",
    given: "2^31 and more in place of each number, also in 20 bytes",
    cases: lengths,
  },
  {
    name: "nested",
    given: "1,000, 10,000 and 100,000 values, each within the one before",
    judgement: "any",
    cases: ({ format }) => DEPTHS.flatMap((depth) => HOSTILE_FORMATS[format]?.nested?.(depth) ?? []),
  },
  {
    name: "many values",
    given: `as many values as ${MANY} bytes can stand for`,
    judgement: "any",
    cases: ({ format, schema }) => [HOSTILE_FORMATS[format]?.many?.(MANY, schema) ?? []].flat(),
  },
  { name: "a key twice", given: "an object with one key twice", judgement: "twice", cases: twice },
  {
    name: "key __proto__",
    given: "an object under the key __proto__",
    judgement: "prototype",
    cases: prototype,
  },
  { name: "overlong varint", given: "each byte below 128 as varints of 2 to 11 bytes", cases: overlong },
  {
    name: "offset",
    given: "each 2 or 4 bytes as an offset backwards, to itself, or far away",
    cases: offsets,
  },
  { name: "trailing bytes", given: "1 or 16 bytes, or another message, behind the message", cases: trailing },
  {
    name: "bad UTF-8",
    given: "overlong, half a surrogate pair, no UTF-8, or cut, within a text",
    cases: badText,
  },
  { name: "random", given: `${RANDOM} mutants of one to three edits`, cases: random },
];

function offsetsOf({ message }: Victim): number[] {
  const { length } = message;
  if (length <= 2 * ENDS + BETWEEN) return [...Array(length).keys()];
  const step = (length - 2 * ENDS) / BETWEEN;
  const between = Array.from({ length: BETWEEN }, (_, index) => Math.floor(ENDS + index * step));
  return [
    ...Array(ENDS).keys(),
    ...between,
    ...Array.from({ length: ENDS }, (_, index) => length - ENDS + index),
  ];
}

function* cutOff(victim: Victim): Iterable<Uint8Array> {
  for (const at of offsetsOf(victim)) yield victim.message.slice(0, at);
}

function* bits(victim: Victim): Iterable<Uint8Array> {
  for (const at of offsetsOf(victim)) {
    for (let bit = 0; bit < 8; bit++) yield edited(victim.message, at, [victim.message[at]! ^ (1 << bit)]);
  }
}

/** 2^31 - 1, 2^31 and 2^32 - 1 in either order, and as varints. */
const HUGE = [
  [0xff, 0xff, 0xff, 0x7f],
  [0x7f, 0xff, 0xff, 0xff],
  [0, 0, 0, 0x80],
  [0xff, 0xff, 0xff, 0xff],
  [0, 0, 0, 0x80, 0, 0, 0, 0],
  [0, 0, 0, 0, 0x80, 0, 0, 0],
];
const HUGE_VARINTS = [
  [0xff, 0xff, 0xff, 0xff, 0x07],
  [0xfe, 0xff, 0xff, 0xff, 0x0f],
];
const SHORT = 20;

function* lengths(victim: Victim): Iterable<Uint8Array> {
  const { message, format } = victim;
  yield* HOSTILE_FORMATS[format]?.claims ?? [];
  for (const source of [message.slice(0, SHORT), message]) {
    for (const at of offsetsOf({ ...victim, message: source })) {
      for (const word of HUGE) {
        if (at + word.length <= source.length) yield edited(source, at, word);
      }
      for (const word of HUGE_VARINTS) yield spliced(source, at, 1, word);
    }
  }
}

/** Names of {@link KEYS}' fields, two of them of one length. */
export const KEY = { nested: "wirebench", one: "wirebench_a", other: "wirebench_b" } as const;

function* twice({ keyed }: Victim): Iterable<Uint8Array> {
  const at = keyed === undefined ? -1 : Buffer.from(keyed).indexOf(KEY.other);
  if (keyed !== undefined && at >= 0) yield edited(keyed, at, Buffer.from(KEY.one));
}

function* prototype({ keyed }: Victim): Iterable<Uint8Array> {
  if (keyed === undefined) return;
  const bytes = Buffer.from(keyed);
  // Not the beginning of another key.
  for (let at = bytes.indexOf(KEY.nested); at >= 0; at = bytes.indexOf(KEY.nested, at + 1)) {
    if (bytes[at + KEY.nested.length] !== "_".charCodeAt(0))
      yield edited(keyed, at, Buffer.from("__proto__"));
  }
}

/** Formats whose integers are varints. */
const VARINTS = ["protobuf", "avro"];

function* overlong(victim: Victim): Iterable<Uint8Array> {
  if (!VARINTS.includes(victim.format)) return;
  for (const at of offsetsOf(victim)) {
    const byte = victim.message[at]!;
    if (byte > 127) continue;
    for (const length of [2, 5, 10, 11]) {
      const middle = Array<number>(length - 2).fill(0x80);
      yield spliced(victim.message, at, 1, [byte | 0x80, ...middle, 0]);
    }
  }
}

/** Formats that hold offsets, and the bytes that each has. */
const OFFSETS: Readonly<Record<string, readonly number[]>> = {
  arrow: [2, 4],
  flatbuffers: [2, 4],
  capnp: [4],
  flexbuffers: [1, 2],
};

function* offsets(victim: Victim): Iterable<Uint8Array> {
  for (const width of OFFSETS[victim.format] ?? []) {
    for (const at of offsetsOf(victim).filter((offset) => offset % width === 0)) {
      for (const target of [0, 1, -1, -4, -at, at, 2 ** 15, 2 ** 30]) {
        const word = Array.from({ length: width }, (_, index) => (target >> (8 * index)) & 0xff);
        if (at + width <= victim.message.length) yield edited(victim.message, at, word);
      }
    }
  }
}

function* trailing({ message }: Victim): Iterable<Uint8Array> {
  for (const rest of [
    [0],
    [0xff],
    [0x20],
    Array<number>(16).fill(0xa5),
    Array<number>(16).fill(0),
    [...message],
  ]) {
    yield Buffer.from([...message, ...rest]);
  }
}

const BAD_TEXTS = [[0xc0, 0xaf], [0xff, 0xfe], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0x80]];

function* badText({ message, texts }: Victim): Iterable<Uint8Array> {
  for (const text of texts) {
    const at = Buffer.from(message).indexOf(text);
    for (const bad of BAD_TEXTS.filter(({ length }) => length <= text.length)) yield edited(message, at, bad);
    // A character of three bytes of which the last one is missing.
    if (text.length >= 2) yield edited(message, at + text.length - 2, [0xe2, 0x82]);
  }
}

function* random({ message }: Victim): Iterable<Uint8Array> {
  const next = seededRandom(SEED);
  const below = (most: number): number => Math.floor(next() * most);
  for (let count = 0; count < RANDOM; count++) {
    let mutant = message;
    for (let edits = 1 + below(3); edits > 0 && mutant.length > 0; edits--) {
      const at = below(mutant.length);
      const length = below(8);
      const kind = below(4);
      if (kind === 0) mutant = edited(mutant, at, [below(256)]);
      else if (kind === 1) mutant = spliced(mutant, at, length, []);
      else if (kind === 2) mutant = spliced(mutant, at, 0, [...mutant.slice(at, at + length)]);
      else mutant = spliced(mutant, at, 1, [below(256), below(256)]);
    }
    yield mutant;
  }
}

function edited(source: Uint8Array, at: number, bytes: Iterable<number>): Uint8Array {
  const copy = Buffer.from(source);
  copy.set([...bytes], at);
  return copy;
}

function spliced(source: Uint8Array, at: number, removed: number, bytes: readonly number[]): Uint8Array {
  return Buffer.concat([source.subarray(0, at), Buffer.from(bytes), source.subarray(at + removed)]);
}
