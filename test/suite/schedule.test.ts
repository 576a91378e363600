import { describe, expect, it } from "vitest";
import { PROFILES } from "../../src/measure/profiles.ts";
import { type ProcessSlot, Schedule } from "../../src/suite/schedule.ts";

const small = { kind: "pair", codec: "json", dataset: "tellist" } as const;
const large = { kind: "pair", codec: "json", dataset: "tellist:1000000" } as const;

/** A schedule of the standard profile after one block in which the processes took so many ms. */
function scheduleAfter(took: readonly (readonly [ProcessSlot, number])[]): Schedule {
  const schedule = new Schedule(PROFILES.standard, 3, 8);
  for (const [slot, ms] of took) schedule.took(slot, ms);
  schedule.decide();
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
    one.decide();
    expect(one.blocksOf(large.dataset)).toBe(1);
  });

  it("of a share of the blocks keeps three of them too, or as many as there are", () => {
    const blocksOf = (most: number): number => {
      const schedule = new Schedule(PROFILES.thorough, 3, most);
      schedule.took(large, 1e6);
      schedule.decide();
      return schedule.blocksOf(large.dataset);
    };
    expect([16, 4, 3, 2, 1].map(blocksOf)).toEqual([3, 3, 3, 2, 1]);
  });

  it("expects processes to take as long as they did, or as others of their dataset did", () => {
    const schedule = new Schedule(PROFILES.standard, 3, 8);
    expect(schedule.expectedMs([small])).toBeUndefined();
    schedule.took(small, 1000);
    schedule.took(large, 20_000);
    expect(schedule.expectedMs([small, large])).toBe(21_000);
    expect(schedule.expectedMs([{ ...large, codec: "v8" }])).toBe(20_000);
    expect(schedule.expectedMs([{ kind: "pair", codec: "v8", dataset: "garden" }])).toBe(10_500);
  });

  it("has a process of all pairs in every block, however long those take, and expects each runtime's own", () => {
    const shared = { kind: "shared", runtime: "node" } as const;
    const schedule = scheduleAfter([
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
    [590, 4],
    [660, 3],
    [5000, 3],
  ])("has, of processes that take %i ms, %i of each codec", (ms, blocks) => {
    const schedule = new Schedule(PROFILES.quick, 3, PROFILES.quick.processes);
    schedule.took(small, ms);
    schedule.decide();
    expect(schedule.blocksOf(small.dataset)).toBe(blocks);
  });
});
