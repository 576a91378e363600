import { describe, expect, it } from "vitest";
import type { Replicate } from "../../../src/analysis/statistics/ratio.ts";
import { detectableShare, pairedRatio, unpairedRatio } from "../../../src/analysis/statistics/ratio.ts";
import { replicatesFrom, seededNormal } from "./normal.ts";

const normal = seededNormal(3);
const drifts = (blocks: number): number[] => Array.from({ length: blocks }, () => 0.05 * normal());

/** Processes of 2 % paired standard deviation. */
function processes(drift: readonly number[], difference = 0): Replicate[] {
  return replicatesFrom(drift, () => Math.log1p(difference) + 0.01345 * normal(), normal);
}

const scaled = (replicates: readonly Replicate[], factor: number): Replicate[] =>
  replicates.map(({ block, stretches }) => ({ block, stretches: stretches.map((time) => time * factor) }));

describe.each([
  ["pairedRatio", pairedRatio],
  ["unpairedRatio", unpairedRatio],
])("%s", (_, compare) => {
  const drift = drifts(8);
  const a = processes(drift);
  const b = processes(drift, 0.2);

  it("of something to itself is 1", () => {
    const itself = compare(a, a);
    expect(itself.ratio).toBe(1);
    expect(itself.p).toBe(1);
    expect(itself.ci95?.[0]).toBeLessThan(1);
    expect(itself.ci95?.[1]).toBeGreaterThan(1);
  });

  it("does not know the unit", () => {
    const [plain, other] = [compare(b, a), compare(scaled(b, 1e-3), scaled(a, 1e-3))];
    expect(other.ratio).toBeCloseTo(plain.ratio, 9);
    expect(other.p! / plain.p!).toBeCloseTo(1, 6);
    const doubled = compare(scaled(b, 2), a);
    expect(doubled.ratio).toBeCloseTo(2 * plain.ratio, 9);
    expect(doubled.standardError).toBeCloseTo(plain.standardError!, 9);
  });

  it("does not know the unit where two of three blocks are equal but for rounding", () => {
    const of = [1040, 1113, 1102.4].map((time, block): Replicate => ({ block, stretches: [time] }));
    const to = [936, 1001.7, 1001.7].map((time, block): Replicate => ({ block, stretches: [time] }));
    const plain = compare(of, to);
    for (const unit of [0.7, 1.1, 1 / 7, 1e-3, 1e3 / 3, 1e9]) {
      const other = compare(scaled(of, unit), scaled(to, unit));
      expect(other.ratio).toBeCloseTo(plain.ratio, 9);
      expect(other.standardError! / plain.standardError!).toBeCloseTo(1, 6);
    }
  });

  it("is inverted when the two are swapped", () => {
    const [there, back] = [compare(b, a), compare(a, b)];
    expect(there.ratio * back.ratio).toBeCloseTo(1, 9);
    expect(there.ci95![0] * back.ci95![1]).toBeCloseTo(1, 2);
    expect(there.standardError! / back.standardError!).toBeGreaterThan(0.9);
    expect(there.standardError! / back.standardError!).toBeLessThan(1.1);
  });

  it("is the same for the same seed and nearly so for another", () => {
    expect(compare(b, a, { seed: 4 })).toEqual(compare(b, a, { seed: 4 }));
    const [one, two] = [compare(b, a, { seed: 4 }), compare(b, a, { seed: 5 })];
    expect(one.ci95).not.toEqual(two.ci95);
    expect(one.standardError! / two.standardError!).toBeCloseTo(1, 0.9);
  });

  it("can be as sure as many comparisons ask for", () => {
    expect(compare(b, a).p).toBeLessThan(0.001);
  });

  it.each<[string, Replicate[], Replicate[]]>([
    ["one block", a.slice(0, 1), b.slice(0, 1)],
    ["a time of 0", [...a.slice(1), { block: 0, stretches: [0, 1, 1, 1, 1] }], b],
    ["a time that is no number", a, [...b.slice(1), { block: 0, stretches: [Number.NaN] }]],
    ["a process without stretches", a, [...b.slice(1), { block: 0, stretches: [] }]],
    ["nothing", [], []],
  ])("has no interval from %s", (_name, subject, baseline) => {
    const { ratio, ...rest } = compare(subject, baseline);
    expect(typeof ratio).toBe("number");
    expect(rest).toEqual({ ci95: null, standardError: null, p: null, detectable: null, degrees: null });
  });

  it("is not moved far by a process that is far off", () => {
    const disturbed = b.map((one, i) => (i === 2 ? scaled([one], 1.6)[0]! : one));
    expect(compare(disturbed, a).ratio / compare(b, a).ratio).toBeLessThan(1.015);
  });

  it("takes two blocks", () => {
    const { ci95, degrees } = compare(b.slice(0, 2), a.slice(0, 2));
    expect(degrees).toBeLessThanOrEqual(2);
    expect(ci95![0]).toBeLessThan(1.2);
    expect(ci95![1]).toBeGreaterThan(1.2);
  });
});

it("of equal counts is 1 with certainty, however many processes counted them", () => {
  for (const count of [7, 0.1, 1234.567, 98_765.4321]) {
    const counted = (processes: number): Replicate[] =>
      Array.from({ length: processes }, (_, block) => ({ block, stretches: [count] }));
    for (const [some, more] of [
      [3, 8],
      [5, 7],
      [10, 11],
    ] as const)
      expect(unpairedRatio(counted(some), counted(more))).toMatchObject({ ratio: 1, ci95: [1, 1], p: 1 });
  }
});

it("compares only blocks that both have", () => {
  const drift = drifts(8);
  const [a, b] = [processes(drift), processes(drift, 0.2)];
  expect(pairedRatio([...b].reverse().slice(0, 4), a)).toEqual(
    pairedRatio([...b].reverse().slice(0, 4), a.slice(4)),
  );
  expect(pairedRatio(b, a.slice(0, 3)).degrees).toBe(2);
});

it("sees through what all processes of a block share", () => {
  const drift = drifts(8);
  const [a, b] = [processes(drift), processes(drift, 0.03)];
  expect(pairedRatio(b, a).standardError).toBeLessThan(unpairedRatio(b, a).standardError! / 2);
});

describe("detectableShare", () => {
  it("is what power at 5 % asks for", () => {
    expect(Math.log1p(detectableShare(0.01, 7))).toBeCloseTo(0.01 * (2.3646 + 0.896), 5);
  });

  it("is more at a stricter level and behind a gate", () => {
    expect(detectableShare(0.01, 7, 0.001)).toBeGreaterThan(detectableShare(0.01, 7));
    expect(detectableShare(0.01, 7, 0.05, 0.1)).toBeGreaterThan(0.1);
    expect(detectableShare(0.01, 7, 0.05, 0.001)).toBe(detectableShare(0.01, 7));
  });
});
