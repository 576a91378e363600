import fc from "fast-check";
import { expect, it } from "vitest";
import { compileFormat, type StructValue } from "../../../src/formats/python-struct/index.ts";
import { seededRandom } from "../../../src/model/random.ts";
import { runs, SEED } from "../../seed.ts";
import { randomFormat } from "./random.ts";
import { charactersOf } from "./tagged.ts";

/** Compiling takes longer than packing: formats are used again. */
const FORMATS = 200;

const random = seededRandom(SEED);
const structs = Array.from({ length: FORMATS }, () => {
  const format = randomFormat(random);
  return { struct: compileFormat(format), characters: charactersOf(format), lengths: lengthsOf(format) };
});

/** Bytes of each `s`, and the most that a `p` holds. */
function lengthsOf(format: string): number[] {
  return [...format.matchAll(/(\d*)([a-zA-Z?])/g)].flatMap(([, count, character = ""]) => {
    const number = count === "" ? 1 : Number(count);
    if (character === "x") return [];
    if (character === "s" || character === "p") return [number];
    return Array<number>(number).fill(0);
  });
}

const integers = (bits: number, signed: boolean): fc.Arbitrary<StructValue> =>
  fc.integer(signed ? { min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 } : { min: 0, max: 2 ** bits - 1 });

function valueFor(character: string, length: number): fc.Arbitrary<StructValue> {
  switch (character) {
    case "?":
      return fc.boolean();
    case "c":
      return fc.uint8Array({ minLength: 1, maxLength: 1 });
    case "s":
      return fc.uint8Array({ minLength: length, maxLength: length });
    case "p":
      return fc.uint8Array({ maxLength: length - 1 });
    case "e":
      return fc.integer({ min: 0, max: 0xffff }).map((bits) => {
        const [value = 0] = compileFormat("<e").unpack(Uint8Array.of(bits & 255, bits >> 8));
        return value;
      });
    case "f":
      return fc.float();
    case "d":
      return fc.double();
    case "b":
    case "B":
      return integers(8, character === "b");
    case "h":
    case "H":
      return integers(16, character === "h");
    case "i":
    case "I":
      return integers(32, character === "i");
    default:
      return fc.bigInt(
        "qn".includes(character)
          ? { min: -(2n ** 63n), max: 2n ** 63n - 1n }
          : { min: 0n, max: 2n ** 64n - 1n },
      );
  }
}

it("what is packed is unpacked", () => {
  const cases = fc.integer({ min: 0, max: FORMATS - 1 }).chain((i) => {
    const { struct, characters, lengths } = structs[i]!;
    const isShort = struct.format.match(/^[<>=!]/) !== null;
    const values = characters.map((character, j) => {
      if (!"lL".includes(character)) return valueFor(character, lengths[j]!);
      return isShort ? integers(32, character === "l") : valueFor(character === "l" ? "q" : "Q", 0);
    });
    return fc.tuple(fc.constant(struct), fc.tuple(...values));
  });
  fc.assert(
    fc.property(cases, ([struct, values]) => {
      const packed = struct.packArray(values);
      expect(packed.length).toBe(struct.size);
      expect(struct.unpack(packed)).toEqual(values);
    }),
    { seed: SEED, numRuns: runs(10_000) },
  );
});
