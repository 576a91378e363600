import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimate, lastIndex, thin } from "../../../../src/reports/ipc/plots/decimate.ts";
import { runs, SEED } from "../../../seed.ts";

const columns = fc.integer({ min: 1, max: 40 });
const messages = fc.array(
  fc.record({ index: fc.nat(500), ms: fc.oneof(fc.double({ min: 0, max: 1e4, noNaN: true }), fc.nat(3)) }),
  { maxLength: 300 },
);
const random = { seed: SEED, numRuns: runs(300) };

function pointsOf(some: readonly { index: number; ms: number }[]): { index: number[]; ms: number[] } {
  return { index: some.map(({ index }) => index), ms: some.map(({ ms }) => ms) };
}

/** What a column holds, found by its edges. */
function within(some: readonly { index: number; ms: number }[], column: number, count: number, last: number) {
  return some.filter(({ index }) => {
    const pixel = (index / last) * count;
    return pixel >= column && (pixel < column + 1 || column === count - 1);
  });
}

describe("decimate", () => {
  it("keeps the lowest and the highest message of every column", () => {
    fc.assert(
      fc.property(messages, columns, (some, count) => {
        const { index, ms } = pointsOf(some);
        const last = lastIndex([index]);
        const kept = decimate({ index, ms }, count, last);
        const expected = Array.from({ length: count }, (_, column) => within(some, column, count, last))
          .filter((held) => held.length > 0)
          .map((held) => held.map((message) => message.ms))
          .map((held) => ({ count: held.length, lowest: Math.min(...held), highest: Math.max(...held) }));
        expect(
          kept.map((one) => ({ count: one.count, lowest: ms[one.lowest], highest: ms[one.highest] })),
        ).toEqual(expected);
      }),
      random,
    );
  });

  it("keeps messages that were measured, each in its column, and makes up none", () => {
    fc.assert(
      fc.property(messages, columns, (some, count) => {
        const { index, ms } = pointsOf(some);
        for (const { lowest, middle, highest } of decimate({ index, ms }, count, lastIndex([index]))) {
          for (const at of [lowest, middle, highest]) expect(some[at]).toBeDefined();
          expect(ms[lowest]).toBeLessThanOrEqual(ms[middle]!);
          expect(ms[middle]).toBeLessThanOrEqual(ms[highest]!);
        }
      }),
      random,
    );
  });

  it("leaves nothing out where no column holds more than three messages", () => {
    const index = Float64Array.from({ length: 300 }, (_, at) => at);
    const ms = index.map((at) => (at * 7919) % 101);
    const kept = decimate({ index, ms }, 100, 299);
    expect(new Set(kept.flatMap(({ lowest, middle, highest }) => [lowest, middle, highest])).size).toBe(300);
  });

  it("draws the last message in the last column", () => {
    expect(decimate({ index: [0, 9], ms: [1, 2] }, 5, 9).map(({ highest }) => highest)).toEqual([0, 1]);
  });
});

it("thin keeps one index of every column that has any", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(500)), columns, (indices, count) => {
      const last = lastIndex([indices]);
      const columnOf = (index: number): number => Math.min(count - 1, Math.floor((index / last) * count));
      const kept = thin(indices, count, last);
      expect(new Set(kept.map(columnOf))).toEqual(new Set(indices.map(columnOf)));
      expect(kept.length).toBe(new Set(kept.map(columnOf)).size);
      expect(indices).toEqual(expect.arrayContaining(kept));
    }),
    random,
  );
});
