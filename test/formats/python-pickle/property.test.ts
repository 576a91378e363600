import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodePickle, encodePickle, type Protocol } from "../../../src/formats/python-pickle/index.ts";
import { seededRandom } from "../../../src/model/random.ts";
import { runs, SEED } from "../../seed.ts";
import { entangled, pythonValues } from "./arbitrary.ts";
import { canonical } from "./canonical.ts";

const PROTOCOLS: readonly Protocol[] = [1, 2, 4, 5];

describe("every value", () => {
  it.each([true, false])("comes back as it was, and is written as the same bytes again; memo: %s", (memo) => {
    const random = seededRandom(SEED);
    let i = 0;
    fc.assert(
      fc.property(pythonValues, (plain) => {
        const value = memo ? entangled(plain, random) : plain;
        const protocol = PROTOCOLS[i++ % PROTOCOLS.length]!;
        const bytes = encodePickle(value, { protocol, memo });
        const kept = Buffer.from(bytes);
        const back = decodePickle(bytes, { wholeFloats: "PyFloat" });
        expect(canonical(back)).toBe(canonical(value));
        const again = encodePickle(back, { protocol, memo });
        expect(canonical(decodePickle(again, { wholeFloats: "PyFloat" }))).toBe(canonical(value));
        expect(kept.equals(bytes)).toBe(true);
        if (hasOrder(value)) expect(kept.equals(again)).toBe(true);
      }),
      { numRuns: runs(10_000) / 2, seed: SEED },
    );
  });

  it("keeps the order of a dict's entries in a Map", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { maxLength: 20 }), (keys) => {
        const map = new Map(keys.map((key, i) => [key, i]));
        expect([...(decodePickle(encodePickle(map), { dicts: "Map" }) as typeof map)]).toEqual([...map]);
      }),
      { numRuns: runs(1_000), seed: SEED },
    );
  });
});

/** Whether it has no Map, which comes back as an object where its keys are text, in the order of one. */
function hasOrder(value: unknown): boolean {
  return !canonical(value).includes("{");
}
