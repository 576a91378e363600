/** What follows from the times beside the one on a core. */
import { describe, expect, it } from "vitest";
import {
  allThreadsNanos,
  batchMedian,
  isPreempted,
  othersByLevel,
  threadsRatio,
  wallNanos,
} from "../../src/analysis/processor-time.ts";
import { nanosOf } from "../reports/record.ts";

const one = nanosOf(100);

describe("time beside that on a core", () => {
  it("is the median of the processes that have it", () => {
    expect(wallNanos({ ...one, wall: [100, null, 140] })).toBe(120);
    expect(allThreadsNanos({ ...one, allThreads: [100, 110, 300] })).toBe(110);
  });

  it("is not known where no process has it", () => {
    expect(wallNanos(one)).toBeUndefined();
    expect(allThreadsNanos({ ...one, allThreads: [null, null, null] })).toBeUndefined();
  });
});

describe("other threads", () => {
  it("are noticed where all take more than 1.15 times as much, in the middle and in three quarters", () => {
    expect(threadsRatio({ ...one, allThreads: [150, 160, 170] })).toBe(1.6);
    expect(threadsRatio({ ...one, allThreads: [150, null, 170] })).toBe(1.6);
    expect(threadsRatio({ ...one, allThreads: [100, 160, 170] })).toBeUndefined();
    expect(threadsRatio({ ...one, allThreads: [115, 115, 115] })).toBeUndefined();
    expect(threadsRatio(one)).toBeUndefined();
    const four = { ...one, processes: [100, 100, 100, 100] };
    expect(threadsRatio({ ...four, allThreads: [100, 160, 170, 180] })).toBe(1.65);
  });

  it("are told apart by the level of their process", () => {
    const levels = [
      { nanos: 23, share: 0.5 },
      { nanos: 52, share: 0.5 },
    ];
    const cell = { ...one, levels, processes: [23, 52, 24, 53], allThreads: [24, 87, 26, 90] };
    expect(othersByLevel(cell)).toEqual([1.5, 36]);
    expect(othersByLevel({ ...cell, allThreads: [24, null, 26, null] })).toBeUndefined();
    expect(othersByLevel({ ...one, allThreads: [1, 2, 3] })).toBeUndefined();
  });
});

describe("preemption", () => {
  it("is seen where half of the processes waited in more than a twentieth of their batches", () => {
    expect(isPreempted({ ...one, preempted: [0.04, 0.06, 0.06] })).toBe(true);
    expect(isPreempted({ ...one, preempted: [0.04, 0.05, 0.2] })).toBe(false);
    expect(isPreempted({ ...one, preempted: [null, 0.2, null] })).toBe(true);
    expect(isPreempted(one)).toBe(false);
  });

  it("leaves the middle batch as it is, which is without the loop", () => {
    const batches = [
      [12, 12, 900],
      [13, 13, 13],
      [2, 500, 900],
    ];
    expect(batchMedian({ ...one, batches, loops: [2, 2, 2] })).toBe(11);
    expect(batchMedian({ ...one, batches: [[1], [1], [1]] })).toBe(0);
  });
});
