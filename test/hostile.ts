/**
 * Damaged bytes, and what every decoder promises on them: a value or a DecodeError, no change of the input or of a
 * prototype, and a value that can be written and read again. Tests of one format give the bytes and its functions.
 */
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { DecodeError } from "../src/model/errors.ts";
import { seededRandom } from "../src/model/random.ts";

/** A format under attack. */
export interface Target<Decoded> {
  readonly decode: (bytes: Uint8Array) => Decoded;
  /** Where given, what was decoded from a mutant must encode, and decode again to an equal value. */
  readonly encode?: (value: Decoded) => Uint8Array;
  /** Equality of decoded values; by default node:util's isDeepStrictEqual. */
  readonly equal?: (a: Decoded, b: Decoded) => boolean;
  /** Well-formed messages, from which mutants are made. */
  readonly vectors: readonly Uint8Array[];
}

/** How many mutants were taken for messages, and how many were not. */
export interface Verdicts {
  accepted: number;
  refused: number;
}

/** Attacks with every systematic mutant of the vectors, then with random ones until `mutants` were tried. */
export function expectSafe<Decoded>(
  target: Target<Decoded>,
  { mutants, seed }: { readonly mutants: number; readonly seed: number },
): Verdicts {
  const verdicts = { accepted: 0, refused: 0 };
  const prototypes = [Object.prototype, Array.prototype, Map.prototype, Function.prototype];
  const before = prototypes.map((prototype) => Object.getOwnPropertyNames(prototype).join());
  let tried = 0;
  for (const mutant of mutantsOf(target.vectors, seededRandom(seed))) {
    if (tried++ === mutants) break;
    attack(target, mutant, verdicts);
  }
  expect(prototypes.map((prototype) => Object.getOwnPropertyNames(prototype).join())).toEqual(before);
  return verdicts;
}

function attack<Decoded>(
  { decode, encode, equal = isDeepStrictEqual }: Target<Decoded>,
  mutant: Uint8Array,
  verdicts: Verdicts,
): void {
  const kept = Buffer.from(mutant);
  let step = "decode";
  try {
    const value = decode(mutant);
    verdicts.accepted += 1;
    if (encode !== undefined) {
      step = "encode what was decoded";
      const again = encode(value);
      step = "decode what was encoded anew";
      if (!equal(decode(again), value)) throw new Error("another value");
    }
  } catch (error) {
    if (step !== "decode" || !(error instanceof DecodeError)) {
      throw new Error(`${step}: ${error}: ${kept.toString("hex")}`, { cause: error });
    }
    verdicts.refused += 1;
  }
  if (!kept.equals(mutant)) throw new Error(`the input was written to: ${kept.toString("hex")}`);
}

/** Bits that are turned over in every byte, as the tests of Erlang/OTP do. */
const MASKS = [1, 2, 4, 8, 16, 32, 64, 128, 255];

/** Words that take the place of a length or a count, whatever its width and order. */
const WORDS = [0n, 1n, 0x7fn, 0x80n, 0xffffn, 0x7fffffffn, 0xffffffffn, 2n ** 63n, 2n ** 64n - 1n];

/** Longest vector of which every systematic mutant is made. */
const SYSTEMATIC = 64;

/** Endless: first what is systematic, then what is random. */
function* mutantsOf(vectors: readonly Uint8Array[], random: () => number): Generator<Uint8Array> {
  for (const vector of vectors) {
    yield Buffer.from(vector);
    if (vector.length > SYSTEMATIC) continue;
    for (let at = 0; at < vector.length; at++) {
      yield Buffer.from(vector.subarray(0, at));
      for (const mask of MASKS) yield edited(vector, (copy) => (copy[at] = copy[at]! ^ mask));
    }
    for (const extra of [1, 16]) yield Buffer.concat([vector, Buffer.alloc(extra, 0xa5)]);
  }
  for (const vector of vectors) {
    if (vector.length > SYSTEMATIC) continue;
    for (let at = 0; at < vector.length; at++) {
      for (const word of WORDS) {
        for (const width of [2, 4, 8]) {
          for (const little of [false, true]) yield withWord(vector, at, word, width, little);
        }
      }
      for (let byte = 0; byte < 256; byte++) yield edited(vector, (copy) => (copy[at] = byte));
    }
  }
  for (;;) {
    let mutant: Buffer = Buffer.from(pick(vectors, random));
    for (let edits = 1 + Math.floor(random() * 3); edits > 0; edits--)
      mutant = randomEdit(mutant, vectors, random);
    yield mutant;
  }
}

function randomEdit(source: Buffer, vectors: readonly Uint8Array[], random: () => number): Buffer {
  const at = Math.floor(random() * source.length);
  const end = at + Math.floor(random() * Math.min(32, source.length - at));
  const cut = (middle: Uint8Array, from: number): Buffer =>
    Buffer.concat([source.subarray(0, at), middle, source.subarray(from)]);
  switch (Math.floor(random() * 8)) {
    case 0:
      return Buffer.from(source.subarray(0, at));
    case 1:
      return edited(source, (copy) => (copy[at] = (copy[at] ?? 0) ^ pick(MASKS, random)));
    case 2:
      return edited(source, (copy) => (copy[at] = Math.floor(random() * 256)));
    case 3:
      return withWord(source, at, pick(WORDS, random), pick([2, 4, 8], random), random() < 0.5);
    case 4:
      return cut(Buffer.alloc(0), end);
    case 5:
      return cut(source.subarray(at, end), at);
    case 6:
      return cut(Buffer.from([Math.floor(random() * 256)]), at);
    default: {
      const other = pick(vectors, random);
      const from = Math.floor(random() * other.length);
      return cut(other.subarray(from, from + Math.floor(random() * 32)), end);
    }
  }
}

function edited(source: Uint8Array, edit: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(source);
  if (copy.length > 0) edit(copy);
  return copy;
}

/** The bytes with a word at an offset, as far as there is room for it. */
function withWord(source: Uint8Array, at: number, word: bigint, width: number, little: boolean): Buffer {
  return edited(source, (copy) => {
    for (let i = 0; i < width && at + i < copy.length; i++) {
      copy[at + i] = Number((word >> BigInt(8 * (little ? i : width - 1 - i))) & 0xffn);
    }
  });
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)]!;
}
