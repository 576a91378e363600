import { describe, expect, it } from "vitest";
import { pairedRatio, type RatioEstimate, type Replicate } from "../../src/analysis/statistics/ratio.ts";
import { type Contender, tiersOf as tiers } from "../../src/analysis/tiers.ts";
import type { Limits } from "../../src/analysis/verdict.ts";

/** The tiers of contenders that are compared by their own processes. */
function tiersOf(contenders: readonly (Contender & { replicates: Replicate[] })[], limits: Limits): number[] {
  return tiers(contenders, (one, other) => pairedRatio(one.replicates, other.replicates), limits);
}

/** A contender whose blocks take these times. */
const contender = (...times: number[]) => ({
  verdict: undefined,
  median: [...times].sort((a, b) => a - b)[times.length >> 1]!,
  replicates: times.map((time, block) => ({ block, stretches: [time * 0.999, time, time * 1.001] })),
});

const LIMITS = { threshold: 0.01, gate: 0.01 };

const quick = contender(100, 101, 102, 100, 99, 101, 100, 102);
const alike = contender(101, 100, 103, 101, 99, 102, 100, 101);
const slower = contender(130, 131, 133, 130, 128, 131, 130, 132);
const slowest = contender(260, 262, 266, 260, 256, 262, 260, 264);
/** Slower than `slower` by its median, and so uncertain that it is not told from anything. */
const wild = contender(90, 300, 132, 80, 400, 95, 135, 500);

describe("tiersOf", () => {
  it.each([
    ["of none", [], []],
    ["of one", [slower], [1]],
    ["of equal ones", [quick, alike], [1, 1]],
    ["of the same twice", [quick, quick], [1, 1]],
    ["in whatever order they come", [slowest, alike, slower, quick], [3, 1, 2, 1]],
    ["of one that cannot be told from the leader of the last tier", [quick, slower, wild], [1, 2, 2]],
    ["of one block each, by their order", [contender(3), contender(1), contender(2)], [3, 1, 2]],
  ])("are those of their leaders: %s", (_name, contenders, expected) => {
    expect(tiersOf(contenders, LIMITS)).toEqual(expected);
  });

  it("have no two members that can be told apart", () => {
    // The wild one cannot be told from its leader, nor what is slower than that leader from the wild one.
    const lead = { ...wild, median: 90 };
    expect(tiersOf([lead, quick, slower], LIMITS)).toEqual([1, 1, 2]);
  });

  it("contradict no verdict beside the baseline", () => {
    const baseline = contender(100, 140, 100, 140);
    const [faster, undecided, slow] = (["faster", "undecided", "slower"] as const).map((verdict, i) => ({
      ...contender(99 + i, 139, 101, 141),
      verdict,
    }));
    expect(tiersOf([baseline, faster!], LIMITS)).toEqual([2, 1]);
    expect(tiersOf([baseline, undecided!], LIMITS)).toEqual([1, 1]);
    expect(tiersOf([faster!, undecided!, slow!], LIMITS)).toEqual([1, 1, 2]);
  });

  it("part what cannot be compared", () => {
    expect(tiers([quick, alike], () => undefined, LIMITS)).toEqual([1, 2]);
  });

  it("do not part what differs by less than the gate", () => {
    expect(tiersOf([quick, slower], { ...LIMITS, gate: 0.5 })).toEqual([1, 1]);
  });
});

describe("two of a tier, by what is known of them", () => {
  const estimateOf = (ratio: number, p: number | null): RatioEstimate => ({
    ratio,
    p,
    ci95: [ratio, ratio],
    standardError: 1,
    detectable: 1,
    degrees: 1,
  });
  const none = { verdict: undefined };

  it.each([
    // 3 pairs of three: 0.048 and 0.051.
    [0.016, [1, 2, 3]],
    [0.017, [1, 1, 1]],
    [null, [1, 2, 3]],
  ])("are of three pairs, each with a probability of %d", (p, expected) => {
    const three = [1, 2, 3].map((median) => ({ ...none, median }));
    expect(tiers(three, () => estimateOf(2, p), LIMITS)).toEqual(expected);
  });

  it("are parted where they were measured in one block, however alike", () => {
    const two = [1, 1].map((median) => ({ ...none, median }));
    expect(tiers(two, () => estimateOf(1, null), LIMITS)).toEqual([1, 2]);
  });

  it.each<[string, Contender["verdict"], Contender["verdict"], number, number[]]>([
    ["the baseline and what is slower than it", undefined, "slower", 0.9, [1, 2]],
    ["what is faster than the baseline and it", "faster", undefined, 0.9, [1, 2]],
    ["the baseline and what may be slower", undefined, "undecided", 0.001, [1, 1]],
    ["one faster and one slower than the baseline", "faster", "slower", 0.9, [1, 2]],
    ["two that are slower", "slower", "slower", 0.9, [1, 1]],
    ["two that are slower, one of them more", "slower", "slower", 0.001, [1, 2]],
    ["two that are undecided, and differ", "undecided", "undecided", 0.001, [1, 2]],
    ["one that is the same and one that is slower", "same", "slower", 0.9, [1, 1]],
    ["one that is faster and one that is the same", "faster", "same", 0.9, [1, 1]],
  ])("%s", (_, first, second, p, expected) => {
    const two = [
      { median: 1, verdict: first },
      { median: 2, verdict: second },
    ];
    expect(tiers(two, () => estimateOf(2, p), LIMITS)).toEqual(expected);
  });
});
