import { describe, expect, it } from "vitest";
import { PROFILES, type Profile } from "../../src/measure/profiles.ts";
import { type Neighbours, type ProcessSlot, Schedule } from "../../src/suite/schedule.ts";

const QUIET = { slowed: 0, waiting: 0 };
const SLOW = { slowed: 0.1, waiting: 0 };

const small = { kind: "pair", codec: "json", dataset: "tellist" } as const;
const large = { kind: "pair", codec: "json", dataset: "tellist:1000000" } as const;

/** A schedule of the standard profile after one block in which the processes took so many ms. */
function scheduleAfter(took: readonly (readonly [ProcessSlot, number])[]): Schedule {
  const schedule = new Schedule(PROFILES.standard, 3);
  for (const [slot, ms] of took) schedule.took(slot, ms);
  schedule.completed(1, QUIET);
  return schedule;
}

describe("a schedule", () => {
  it.each([
    [1500, 8],
    [4900, 8],
    [12_000, 3],
    [60_000, 3],
  ])("of processes that take %i ms has %i blocks", (ms, blocks) => {
    expect(scheduleAfter([[large, ms]]).blocksOf(large.dataset)).toBe(blocks);
  });

  it("has fewer blocks of one dataset and not of another, the same for all codecs", () => {
    const schedule = scheduleAfter([
      [small, 1500],
      [large, 2000],
      [{ ...large, codec: "capnp-ts" }, 100_000],
    ]);
    expect(schedule.blocksOf(small.dataset)).toBe(8);
    expect(schedule.blocksOf(large.dataset)).toBe(3);
  });

  it("has as many as the run until it is decided, and never more", () => {
    expect(new Schedule(PROFILES.quick, 3, 3).blocksOf("tellist")).toBe(3);
    const one = new Schedule(PROFILES.quick, 3, 1);
    one.took(large, 1e6);
    one.completed(1, QUIET);
    expect(one.blocksOf(large.dataset)).toBe(1);
  });

  it("of a share of the blocks keeps three of them too, or as many as there are", () => {
    const blocksOf = (most: number): number => {
      const schedule = new Schedule(PROFILES.thorough, 3, most);
      schedule.took(large, 1e6);
      schedule.completed(1, QUIET);
      return schedule.blocksOf(large.dataset);
    };
    expect([16, 4, 3, 2, 1].map(blocksOf)).toEqual([3, 3, 3, 2, 1]);
  });

  it("expects processes to take as long as they did, or as others of their dataset did", () => {
    const schedule = new Schedule(PROFILES.standard, 3);
    expect(schedule.expectedMs([small])).toBeUndefined();
    schedule.took(small, 1000);
    schedule.took(large, 20_000);
    expect(schedule.expectedMs([small, large])).toBe(21_000);
    expect(schedule.expectedMs([{ ...large, codec: "v8" }])).toBe(20_000);
    expect(schedule.expectedMs([{ kind: "pair", codec: "v8", dataset: "garden" }])).toBe(10_500);
  });

  it("has a process of all pairs in every block of any dataset, however long it takes, and expects each runtime's own", () => {
    const shared = { kind: "shared", runtime: "node" } as const;
    const schedule = scheduleAfter([
      [small, 1000],
      [large, 60_000],
      [shared, 600_000],
    ]);
    expect(schedule.blocksOfSlot(large)).toBe(3);
    expect(schedule.blocksOfSlot(shared)).toBe(8);
    expect(schedule.expectedMs([shared, large])).toBe(660_000);
    schedule.took({ kind: "shared", runtime: "bun" }, 200_000);
    expect(schedule.expectedMs([shared])).toBe(600_000);
    expect(schedule.expectedMs([{ kind: "shared", runtime: "deno" }])).toBe(400_000);
  });
});

describe("quick", () => {
  it.each([
    [500, 4],
    [740, 4],
    [760, 3],
    [5000, 3],
  ])("has, of processes that take %i ms, %i of each codec", (ms, blocks) => {
    const schedule = new Schedule(PROFILES.quick, 3);
    schedule.took(small, ms);
    schedule.completed(1, QUIET);
    expect(schedule.blocksOf(small.dataset)).toBe(blocks);
  });
});

describe("a schedule beside others", () => {
  /** Blocks of a run whose processes take so many ms, with so much of it beside a slow core until a block was complete. */
  const blocksBeside = (
    profile: Profile,
    ms: number,
    slowed: readonly number[],
    chosen?: number,
    waiting = 0.1,
  ): number => {
    const schedule = new Schedule(profile, 3, chosen);
    for (const [block, share] of slowed.entries()) {
      schedule.took(small, ms);
      schedule.completed(block + 1, { slowed: share, waiting });
    }
    return schedule.blocksOf(small.dataset);
  };

  it.each([
    ["no more where it is quiet", 450, [0.04, 0.04, 0.04], 4],
    ["one more", 450, [0.13, 0.13, 0.13], 5],
    ["two more where the core is slow for long", 450, [0.4, 0.4, 0.4], 6],
    ["as many as time allows", 550, [0.4, 0.4, 0.4], 5],
    ["fewer where processes take long, however slow the core is", 1200, [0.4, 0.4], 3],
    ["what is known before the last begins, not what was before", 450, [0.4, 0.4, 0.02], 4],
    ["another one when the last of those begins", 450, [0.13, 0.13, 0.13, 0.22], 6],
    ["no more once the last has ended", 450, [0.02, 0.02, 0.02, 0.4], 4],
  ])("has, of quick, %s", (_, ms, slowed, blocks) => {
    expect(blocksBeside(PROFILES.quick, ms, slowed)).toBe(blocks);
  });

  it("has more of standard too, none of thorough, and none where blocks were chosen", () => {
    const slowed = (blocks: number) => Array.from({ length: blocks }, () => 0.15);
    expect(blocksBeside(PROFILES.standard, 900, slowed(7))).toBe(10);
    expect(blocksBeside(PROFILES.thorough, 2000, slowed(15))).toBe(16);
    expect(blocksBeside(PROFILES.quick, 450, slowed(3), 4)).toBe(4);
  });

  it("has one more where most processes wait for a core, however fast that is", () => {
    const quiet = [0.02, 0.02, 0.02];
    expect(blocksBeside(PROFILES.quick, 450, quiet, undefined, 0.5)).toBe(4);
    expect(blocksBeside(PROFILES.quick, 450, quiet, undefined, 0.8)).toBe(5);
  });

  it("is decided anew with each block, but has the last one that has begun", () => {
    const schedule = new Schedule(PROFILES.quick, 3);
    const blocksAfter = (ms: number, done: number, neighbours: Neighbours): number => {
      schedule.took(small, ms);
      schedule.completed(done, neighbours);
      return schedule.blocksOf(small.dataset);
    };
    expect(blocksAfter(900, 1, QUIET)).toBe(3);
    expect(blocksAfter(300, 2, SLOW)).toBe(4);
    expect(blocksAfter(150, 3, SLOW)).toBe(5);
    expect(blocksAfter(5000, 4, QUIET)).toBe(5);
    expect(blocksAfter(5, 5, SLOW)).toBe(5);
  });

  it("has the blocks of the dataset that has the most", () => {
    const schedule = new Schedule(PROFILES.quick, 3);
    expect(schedule.blocks).toBe(4);
    schedule.took(small, 450);
    schedule.took(large, 5000);
    schedule.completed(1, SLOW);
    expect([schedule.blocksOf(large.dataset), schedule.blocks]).toEqual([3, 5]);
  });
});
