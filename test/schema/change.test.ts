/** Values that are changed where they stand, and put back. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { changeInPlace } from "../../src/schema/values/change.ts";
import { datasets } from "../arbitrary-schema.ts";
import { runs, SEED } from "../seed.ts";

it("are the same again after a second change, whatever they hold", () => {
  fc.assert(
    fc.property(datasets(), ({ values }) => {
      const kept = structuredClone(values);
      for (const value of values) changeInPlace(value);
      for (const value of values) changeInPlace(value);
      expect(values).toEqual(kept);
    }),
    { numRuns: runs(300), seed: SEED },
  );
});

it.each([
  [4, 5],
  [-5, -6],
  [2 ** 31 - 1, 2 ** 31 - 2],
  [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1],
  [Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
  [2 ** 53 + 2, 2 ** 53 + 2],
  [-0, -0],
  [2n ** 64n - 1n, 2n ** 64n - 2n],
  [2.5, -2.5],
  [Number.NaN, Number.NaN],
  [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  [true, false],
  ["", ""],
  ["µa", "µ`"],
  ["}", "|"],
  ["~\u0001", "~\u0001"],
  [Uint8Array.of(2, 3), Uint8Array.of(3, 3)],
  [new Uint8Array(), new Uint8Array()],
  [null, null],
] as const)("%s becomes %s, in a field, a list and deeper", (from, to) => {
  const holding = (leaf: unknown) => ({ x: leaf, list: [leaf, { deeper: leaf }], empty: {} });
  const copy = () => (typeof from === "object" && from !== null ? Uint8Array.from(from) : from);
  const value = { x: copy(), list: [copy(), { deeper: copy() }], empty: {} };
  changeInPlace(value);
  expect(value).toEqual(holding(to));
  changeInPlace(value);
  expect(value).toEqual(holding(from));
});
