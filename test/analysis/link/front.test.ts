import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { choicesOf, type LinkChoice, totalNanos } from "../../../src/analysis/link/choices.ts";
import { bandwidthLegs, paretoFront } from "../../../src/analysis/link/crossovers.ts";
import { runs, SEED } from "../../seed.ts";
import { type Sent, wireRecord } from "./record.ts";

function choices(...sent: readonly (readonly [string, number, number, (number | null)?])[]): LinkChoice[] {
  const all: Sent[] = sent.map(([codec, bytes, nanos, spread = 0]) => ({
    codec,
    bytes,
    encode: nanos,
    decode: 0,
    spread,
  }));
  return choicesOf(wireRecord(all), "tellist");
}

function front(given: readonly LinkChoice[], gate = 0): { on: string[]; near: string[] } {
  const { choices: on, near } = paretoFront(given, gate);
  return {
    on: on.map(({ choice, certain }) => choice.codec + (certain ? "" : "~")),
    near: near.map(({ codec }) => codec),
  };
}

describe("the Pareto front", () => {
  it.each<[string, LinkChoice[], string[], string[]]>([
    ["of nothing is empty", [], [], []],
    ["of one choice is that", choices(["a", 1, 1]), ["a"], []],
    [
      "is in order of size and leaves out what another beats at both",
      choices(["big", 30, 1], ["beaten", 25, 6], ["small", 10, 9], ["middle", 20, 5]),
      ["small", "middle", "big"],
      [],
    ],
    ["leaves out the slower of equal sizes", choices(["a", 10, 5], ["b", 10, 4]), ["b"], []],
    ["leaves out the larger of equal times", choices(["a", 10, 5], ["b", 11, 5]), ["a"], []],
    ["keeps both of two that are equal", choices(["a", 10, 5], ["b", 10, 5]), ["a~", "b~"], []],
    [
      "marks what noise could take off it and tells what it could put on it",
      choices(["a", 10, 100, 0.1], ["b", 20, 95, 0.1], ["c", 30, 105, 0.1], ["d", 40, 200, 0.1]),
      ["a", "b~"],
      ["c"],
    ],
    [
      "takes times of a single process for uncertain",
      choices(["a", 10, 100, null], ["b", 20, 1, null], ["c", 30, 2, null]),
      ["a", "b~"],
      ["c"],
    ],
  ])("%s", (_, given, on, near) => {
    expect(front(given)).toEqual({ on, near });
  });

  it("marks what lies within the gate", () => {
    expect(front(choices(["a", 10, 100], ["b", 20, 96]), 0.05)).toEqual({ on: ["a", "b~"], near: [] });
  });
});

describe("the choices of least time over all bandwidths", () => {
  it("are those that no mixture of others beats", () => {
    // From 10 bytes and 9 ns to 30 bytes and 1 ns: 160 bits in 8 ns. The one between them is on the front only.
    const legs = bandwidthLegs(choices(["big", 30, 1], ["between", 25, 6], ["small", 10, 9]));
    expect(legs.map(({ choice, from, to }) => [choice.codec, from, to])).toEqual([
      ["small", 0, 20e9],
      ["big", 20e9, Number.POSITIVE_INFINITY],
    ]);
  });

  it("are one where one is best at both, and none of none", () => {
    expect(bandwidthLegs(choices(["a", 2, 2], ["b", 1, 1])).map(({ choice }) => choice.codec)).toEqual(["b"]);
    expect(bandwidthLegs([])).toEqual([]);
  });

  it("follow each other without a gap, and each is the best within its leg", () => {
    const choice = fc.tuple(
      fc.constant("x"),
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 0, max: 40 }),
    );
    fc.assert(
      fc.property(fc.array(choice, { minLength: 1, maxLength: 9 }), (given) => {
        const all = choices(...given.map(([, bytes, nanos], i) => [`x${i}`, bytes, nanos] as const));
        const legs = bandwidthLegs(all);
        expect(legs.map(({ from }) => from)).toEqual([0, ...legs.slice(0, -1).map(({ to }) => to)]);
        expect(legs.at(-1)?.to).toBe(Number.POSITIVE_INFINITY);
        for (const leg of legs) {
          expect(leg.to).toBeGreaterThan(leg.from);
          const within = leg.to === Number.POSITIVE_INFINITY ? 2 * leg.from + 1 : (leg.from + leg.to) / 2;
          const least = Math.min(...all.map((one) => totalNanos(one, within)));
          expect(totalNanos(leg.choice, within)).toBeCloseTo(least, 6);
        }
      }),
      { numRuns: runs(300), seed: SEED },
    );
  });
});
