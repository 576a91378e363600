import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binaryToTerm, termToBinary } from "../../../src/formats/erlang-etf/index.ts";
import { runs, SEED } from "../../seed.ts";
import { plainValues, typedTerms } from "./arbitrary-term.ts";

const RUNS = { numRuns: runs(10_000), seed: SEED };

describe("what was written", () => {
  it("is read as the same value, by default", () => {
    fc.assert(
      fc.property(plainValues(), fc.constantFrom({}, { compressed: 6 }), (value, options) => {
        const bytes = termToBinary(value, options);
        const read = binaryToTerm(bytes);
        expect(isDeepStrictEqual(read, value)).toBe(true);
        expect(Buffer.compare(termToBinary(read, options), bytes)).toBe(0);
      }),
      RUNS,
    );
  });

  it("is read as the same term in the typed view, and written as the same bytes", () => {
    fc.assert(
      fc.property(typedTerms(), fc.constantFrom<0 | 1 | 2>(0, 1, 2), (term, minorVersion) => {
        const bytes = termToBinary(term, { minorVersion });
        const read = binaryToTerm(bytes, { terms: "typed", funs: "inert" });
        expect(Buffer.compare(termToBinary(read, { minorVersion }), bytes)).toBe(0);
      }),
      RUNS,
    );
  });
});
