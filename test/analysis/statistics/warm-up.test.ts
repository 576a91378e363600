import { describe, expect, it } from "vitest";
import { risingFit, trendOf } from "../../../src/analysis/statistics/trend.ts";
import { steadyTime, warmUpVerdict } from "../../../src/analysis/statistics/warm-up.ts";
import { seededNormal } from "./normal.ts";

const normal = seededNormal(11);

/** Batch means around 1,000 ns whose neighbours correlate by `alike`, times a shape over the phase from 0 to 1. */
function phase(
  count: number,
  alike: number,
  deviation: number,
  shape = (_share: number): number => 1,
): number[] {
  let state = normal();
  return Array.from({ length: count }, (_, i) => {
    state = alike * state + Math.sqrt(1 - alike * alike) * normal();
    return 1000 * Math.exp(deviation * state) * shape(i / count);
  });
}

/** From 100 down by so much, in equal steps. */
const fall = (count: number, by: number): number[] =>
  Array.from({ length: count }, (_, i) => 100 - (by * i) / (count - 1));

describe("trendOf", () => {
  // S is 45 of ten values, whose variance is 10 * 9 * 25 / 18; of three with a tie S is 2.
  it.each([
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 44 / Math.sqrt(125)],
    [[10, 9, 8, 7, 6, 5, 4, 3, 2, 1], -44 / Math.sqrt(125)],
    [[1, 1, 2], 1 / Math.sqrt((66 - 18) / 18)],
    [[4, 4, 4, 4], 0],
    [[1, 2], 0],
    [[], 0],
  ])("of %j is %d", (values, expected) => {
    expect(trendOf(values)).toBeCloseTo(expected, 9);
  });

  it("is 0 where as much rises as falls", () => {
    expect(trendOf([1, 2, 3, 2, 1])).toBeCloseTo(0);
  });
});

it.each([
  [
    [1, 3, 2, 4],
    [1, 2.5, 2.5, 4],
  ],
  [
    [3, 2, 1],
    [2, 2, 2],
  ],
  [[], []],
])("fits a rise to %j", (values, expected) => {
  expect([...risingFit(values)]).toEqual(expected);
});

describe("warmUpVerdict", () => {
  it.each<[string, string, number[]]>([
    ["steady", "noise", phase(300, 0.5, 0.02)],
    ["steady", "what changes by 2 %", phase(300, 0.5, 0.01, (share) => 1 - 0.02 * share)],
    ["steady", "a start that is over soon", phase(300, 0.5, 0.02, (share) => (share < 0.1 ? 1.5 : 1))],
    ["steady", "a disturbance", phase(300, 0.5, 0.02, (share) => (share > 0.5 && share < 0.6 ? 2 : 1))],
    ["warming", "a fall by 10 %", phase(300, 0.5, 0.02, (share) => 1 - 0.1 * share)],
    ["warming", "a fall that ends", phase(300, 0.5, 0.02, (share) => 1 + 0.5 * Math.exp(-5 * share))],
    ["slowing", "a rise by 15 %", phase(300, 0.5, 0.02, (share) => 1 + 0.15 * share)],
    ["erratic", "two states", phase(300, 0.5, 0.02, (share) => (Math.floor(share * 20) % 3 === 0 ? 1 : 1.4))],
    ["steady", "three batches, whatever they are", [3, 2, 1]],
    ["steady", "none", []],
    ["steady", "the same again and again", Array.from({ length: 40 }, () => 7)],
    ["erratic", "five batches that jump", [1, 10, 1, 10, 1]],
    ["steady", "four batches that jump", [1, 10, 1, 10]],
    ["warming", "a fall by 7.5 %, of which the quarters show more than 5", fall(40, 7.5)],
    ["steady", "a fall by 6 %, of which the quarters show less than 5", fall(40, 6)],
    ["warming", "a fall whose last stretch is disturbed", [...fall(38, 8), 96, 96]],
    ["warming", "ten batches that fall", [20, 19, 18, 17, 16, 15, 14, 13, 12, 11]],
  ])("is %s of %s", (expected, _name, batches) => {
    expect(warmUpVerdict(batches)).toBe(expected);
  });

  it.each([
    [0, 0.02, 0.02],
    [0.9, 0.05, 0.08],
    [0.99, 0.05, 0.2],
  ])("sees few trends in noise that correlates by %d and deviates by %d", (alike, deviation, most) => {
    const verdicts = Array.from({ length: 200 }, () => warmUpVerdict(phase(200, alike, deviation)));
    expect(verdicts.filter((verdict) => verdict !== "steady").length / 200).toBeLessThanOrEqual(most);
  });
});

const batches = (...nanos: number[]): { elapsedMs: number; nanos: number }[] =>
  nanos.map((each) => ({ elapsedMs: 2, nanos: each }));

describe("steadyTime", () => {
  it.each<[string, number[], number | null]>([
    ["from the start where nothing changes", [100, 105, 95, 100, 100, 100], 0],
    ["after the slow batches", [300, 300, 300, 200, 100, 100, 100, 100, 100], 8e6],
    ["in spite of a batch in which something else ran", [100, 100, 100, 900, 100, 100, 100], 0],
    ["after what came in between", [100, 100, 100, 300, 300, 300, 100, 100, 100], 12e6],
    ["never where it ends elsewhere", [100, 100, 100, 100, 150, 150, 150], null],
    ["never where it was never near", [300, 300, 300], null],
    ["never without batches", [], null],
    ["from the only batch", [104], 0],
  ])("is %s", (_name, nanos, expected) => {
    expect(steadyTime(batches(...nanos), 100)).toBe(expected);
  });

  it("is never where there is no level", () => {
    expect(steadyTime(batches(1, 1, 1), 0)).toBeNull();
    expect(steadyTime(batches(1, 1, 1), Number.NaN)).toBeNull();
  });
});
