/**
 * Damaged bytes, and what every decoder promises on them: a value or a DecodeError, no change of the input or of a
 * prototype, and a value that can be written and read again. Tests of one format give the bytes and its functions.
 */
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { DecodeError } from "../src/model/errors.ts";
import { seededRandom } from "../src/model/random.ts";
import { mutantsOf } from "./mutate.ts";

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
