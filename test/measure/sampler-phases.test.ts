/** What a sampling says of its phases and whom it tells of them, by a clock that only the calls move on. */
import { describe, expect, it } from "vitest";
import { CoreSpeed } from "../../src/measure/core-speed.ts";
import type { Profile } from "../../src/measure/profiles.ts";
import { type Sampling, sample } from "../../src/measure/sampler.ts";
import type { Task } from "../../src/model/operation.ts";

/** A millisecond in parts that add up exactly. */
const MICRO = 2 ** -10;

const BRIEF: Profile = { processes: 1, warmupMs: 2, measureMs: 2, batchMicros: 20 };

/** A sampling of a task whose calls, counted from 0, take so many milliseconds; and all that happened, in order. */
function sampled(
  cost: (call: number) => number,
  { profile = BRIEF, inputs = [1] }: { profile?: Profile; inputs?: readonly number[] } = {},
): Sampling & { events: string[]; calls: () => number } {
  let now = 0;
  let calls = 0;
  let told = 0;
  const events: string[] = [];
  const said = (what: string) => () => {
    events.push(`${what} after ${calls - told}`);
    told = calls;
  };
  const task: Task<number, number> = {
    inputs,
    run: (input) => {
      now += cost(calls++);
      return input;
    },
    fold: (result) => result,
    check: () => {},
  };
  const sampling = sample(
    task as Task,
    profile,
    {
      clock: { now: () => now, stepNanos: 1 },
      collect: (garbage) => said(garbage)(),
      meter: { start: said("metered"), stop: said("read") } as never,
    },
    said("long"),
  );
  return { ...sampling, events, calls: () => calls };
}

describe("the phases of a sampling", () => {
  it("are collected before, and the measured one is metered after the calls have settled", () => {
    const { events, samples, warmUp, calls } = sampled(() => MICRO);
    const measured = samples.batches.length * samples.batchCalls;
    const ends = ["all", "young", "metered", "read"];
    expect(events.map((event) => event.split(" ")[0])).toEqual(ends);
    const [before, recovered, settled, read] = events.map((event) => Number(event.split(" ")[2]));
    // 35, 10, 50 and 5 % of 2 ms, to a batch of 16 calls; the first call of all is before them.
    const warmed = 16 * Math.ceil(0.2 / (16 * MICRO));
    const calibrated = before! - warmed;
    expect(calibrated * MICRO).toBeGreaterThanOrEqual(0.7);
    expect(calibrated * MICRO).toBeLessThan(0.7 + 5 * 16 * MICRO + MICRO);
    // Four parts, each a batch, and five after five until its time is spent.
    expect(recovered).toBe(4 * 16 * (1 + 5 * Math.ceil((0.25 / (16 * MICRO) - 1) / 5)));
    expect(settled).toBe(16 * Math.ceil(0.1 / (16 * MICRO)));
    expect(read).toBe(measured);
    // What comes after a collection is no part of the warm-up that is kept.
    const kept = warmUp.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0);
    expect(kept).toBe((before! - 1) * MICRO);
    expect(new Set(warmUp.map(({ nanos }) => nanos))).toEqual(new Set([MICRO * 1e6]));
    expect(warmUp[0]?.elapsedMs).toBe(MICRO);
    expect(calls()).toBe(before! + recovered! + settled! + measured);
  });

  it("end with the batch that spends their time", () => {
    const profile = { ...BRIEF, warmupMs: 10, measureMs: 10 };
    const { events, samples } = sampled(() => MICRO, { profile });
    // 5, 0.5 and 10 ms are 320, 32 and 640 batches of 16 calls; of the first there are four times one, and five after five.
    expect(events.slice(1)).toEqual(["young after 5184", "metered after 512", "read after 10240"]);
    expect(samples.batches).toHaveLength(640);
  });

  it("have longer batches where the calls become faster after the batch was found", () => {
    const { samples } = sampled((call) => (call < 2000 ? MICRO : MICRO / 8), {
      profile: { ...BRIEF, warmupMs: 4 },
    });
    // 20 µs are 16 or 32 calls at first, and 128 or 256 at last.
    expect(samples.batchCalls * (MICRO / 8)).toBeGreaterThan(10 * MICRO);
    expect(new Set(samples.batches)).toEqual(new Set([122.1]));
  });

  it("tell how long the first call of all took, and what each input folds to", () => {
    const { firstCallNanos, folds } = sampled((call) => (call === 0 ? 7 : call === 1 ? 90 : 1) * MICRO, {
      inputs: [5, 6],
    });
    expect(firstCallNanos).toBe(6835.9);
    expect([...folds]).toEqual([5, 6]);
  });

  it("tell times below 100 ns to a hundredth", () => {
    const { batches, batchCalls } = sampled(() => MICRO / 64).samples;
    expect(new Set(batches)).toEqual(new Set([15.26]));
    // Of 20 µs: 512 calls would be less than half of it.
    expect(batchCalls).toBe(1024);
  });
});

describe("calls of over a second", () => {
  it("are told of one by one, and have no warm-up but the call that finds it out", () => {
    const { events, samples, warmUp } = sampled(() => 1500, { inputs: [1] });
    expect(events).toEqual([
      "long after 1",
      "long after 1",
      "all after 0",
      "metered after 0",
      ...Array.from({ length: 3 }, () => "long after 1"),
      "read after 0",
    ]);
    expect(samples.batches).toEqual([1.5e9, 1.5e9, 1.5e9]);
    expect(warmUp).toEqual([{ elapsedMs: 1500, nanos: 1.5e9 }]);
  });

  it("are longer than a second: one of a second is warmed up like all others", () => {
    const { events, samples } = sampled(() => 1000);
    // The first, one that finds it out, and one of tinybench's; one recovers, and one settles.
    expect(events).toEqual(["all after 3", "young after 1", "metered after 1", "read after 3"]);
    expect(samples.batches).toHaveLength(3);
  });
});

describe("calls that are counted", () => {
  it("are as many as were to be timed, and proved", () => {
    const sampling = sampled(() => MICRO);
    const before = sampling.calls();
    const counted: number[] = [];
    const counts = sampling.count({
      count: (work) => {
        const from = sampling.calls();
        work();
        counted.push(sampling.calls() - from);
        return { instructions: counted.length === 1 ? 204_800 : 2048 };
      },
    });
    // 2 ms of calls of a µs; the loop around nothing makes none.
    expect(counted).toEqual([2048, 0]);
    expect(sampling.calls() - before).toBe(2048);
    expect(counts).toEqual({ instructions: 99 });
  });

  it("are one at least", () => {
    const sampling = sampled(() => 1500);
    const before = sampling.calls();
    sampling.count({
      count: (work) => {
        work();
        return { instructions: 1 };
      },
    });
    expect(sampling.calls() - before).toBe(1);
  });
});

describe("the loop around nothing", () => {
  /** A clock whose every reading takes 16.384 µs. */
  const loopOf = (stepNanos: number): number => {
    let now = 0;
    const clock = { now: () => (now += 0.016384), stepNanos };
    const task: Task<number, number> = { inputs: [1], run: (i) => i, fold: (i) => i, check: () => {} };
    return sample(task as Task, { ...BRIEF, warmupMs: 1, measureMs: 1 }, { clock }).samples.loop;
  };

  it("is timed by 16,384 turns, and by as many more as the clock steps by more than 100 ns", () => {
    expect(loopOf(1)).toBe(1);
    expect(loopOf(100)).toBe(1);
    expect(loopOf(101)).toBe(0.5);
    expect(loopOf(1000)).toBe(0.1);
  });

  it("is that of its later half: at first it is not compiled", () => {
    let now = 0;
    let readings = 0;
    // Two of the first call, and two of each of twelve loops.
    const clock = { now: () => (now += readings++ < 26 ? 1 : 0.016384), stepNanos: 1 };
    const task: Task<number, number> = { inputs: [1], run: (i) => i, fold: (i) => i, check: () => {} };
    const speed = new CoreSpeed({ now: () => 0 });
    expect(sample(task as Task, BRIEF, { clock, speed }).samples.loop).toBe(1);
  });
});
