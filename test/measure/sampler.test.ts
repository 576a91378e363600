/**
 * The timed loop goes round its inputs, proves what it measured, and is divided into batches. Where a test is
 * about time, the clock is one that stands still but for what the task says that its calls cost.
 */
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Clock } from "../../src/measure/clock.ts";
import type { Garbage } from "../../src/measure/collector.ts";
import type { Profile } from "../../src/measure/profiles.ts";
import { type Sampling, sample as sampleWith } from "../../src/measure/sampler.ts";
import { VerificationError } from "../../src/model/errors.ts";
import type { Task } from "../../src/model/operation.ts";
import { runs, SEED } from "../seed.ts";

/** Enough for some batches, and no more. */
const BRIEF: Profile = { processes: 1, warmupMs: 2, measureMs: 2, batchMicros: 20 };

/** A millisecond in parts that add up exactly. */
const MICRO = 2 ** -10;

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A clock that nothing costs a step of, and the collector that a test has put in place. */
function sample(task: Task, profile: Profile, stepNanos = 1): Sampling {
  const clock = { now: () => performance.now(), stepNanos };
  return sampleWith(task, profile, { clock, collect: () => void globalThis.gc?.() });
}

/** A task whose results are its inputs, and which accepts every result. */
function echo(inputs: readonly number[], overrides: Partial<Task<number, number>> = {}): Task {
  const task: Task<number, number> = {
    inputs,
    run: (input) => input,
    fold: (result) => result,
    check: () => {},
    ...overrides,
  };
  return task as Task;
}

/** A task each of whose calls moves the clock on by its cost in milliseconds. */
function costing(inputs: readonly number[], cost: (input: number, now: number) => number): Task {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  return echo(inputs, {
    run: (input) => {
      now += cost(input, now);
      return input;
    },
  });
}

describe("what is sampled is proved", () => {
  it("by the sum of the folds of however many inputs, whatever they are", () => {
    const inputs = fc.array(fc.integer(), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(inputs, (numbers) => {
        const { batches, batchCalls, loop } = sample(echo(numbers), BRIEF).samples;
        expect(batches.length).toBeGreaterThanOrEqual(3);
        expect(batches.filter((nanos) => !(nanos >= 0))).toEqual([]);
        expect(Number.isInteger(Math.log2(batchCalls))).toBe(true);
        expect(loop).toBeGreaterThan(0);
      }),
      { numRuns: runs(25), seed: SEED },
    );
  });

  it("by taking every input in its turn", () => {
    const texts = ["", "a", "b".repeat(100), "µ".repeat(10_000), "c"];
    const seen: string[] = [];
    const task: Task<string, number> = {
      inputs: texts,
      run: (text) => {
        seen.push(text);
        return Buffer.byteLength(text);
      },
      fold: (length) => length,
      check: () => {},
    };
    sample(task as Task, BRIEF);
    expect(seen.length).toBeGreaterThan(texts.length * 2);
    expect(seen.findIndex((text, call) => text !== texts[call % texts.length])).toBe(-1);
  });

  it("and fails where later calls fold to something else", () => {
    let calls = 0;
    const changing = echo([1, 2, 3], { run: (input) => (++calls > 6 ? input + 1 : input) });
    expect(() => sample(changing, BRIEF)).toThrow(VerificationError);
    expect(() => sample(changing, BRIEF)).not.toThrow();
  });

  it("and fails where one call of many does", () => {
    let calls = 0;
    const wrongOnce = echo([7, 7, 7], { run: (input) => (++calls === 5 ? 8 : input) });
    expect(() => sample(wrongOnce, BRIEF)).toThrow(
      /^the timed calls' results fold to -?\d+, expected -?\d+$/,
    );
  });

  it("and fails where only what is measured does", () => {
    let collections = 0;
    vi.stubGlobal("gc", () => {
      collections += 1;
    });
    const changing = echo([1, 2, 3], { run: (input) => (collections === 2 ? -input : input) });
    expect(() => sample(changing, BRIEF)).toThrow(VerificationError);
    expect(collections).toBe(2);
  });

  it("later: nothing is checked while anything may still be timed, and the folds are kept for that", () => {
    const unchecked = echo([5, 6, 7], {
      check: () => {
        throw new VerificationError("too early");
      },
    });
    expect([...sample(unchecked, BRIEF).folds]).toEqual([5, 6, 7]);
  });

  it("and the error of a timed call is the caller's", () => {
    let phases = 0;
    vi.stubGlobal("gc", () => {
      phases += 1;
    });
    const failing = echo([1], {
      run: (input) => {
        if (phases === 1) throw new RangeError("no more");
        return input;
      },
    });
    expect(() => sample(failing, BRIEF)).toThrow("no more");
  });
});

describe("batches", () => {
  it("are of a power of two of calls, near the length that is aimed at, for the whole time", () => {
    const task = costing([1, 2, 3], () => MICRO);
    // 8 calls would be less than half of 20 µs.
    expect(sample(task, BRIEF).samples).toEqual({
      batches: Array.from({ length: 128 }, () => 976.6),
      batchCalls: 16,
      loop: 0,
    });
  });

  it("are from half as long as is aimed at to half as long again", () => {
    const profile = { ...BRIEF, warmupMs: 20, batchMicros: 31.25 };
    const calls = (later: number): number =>
      sample(
        costing([1], (_, now) => (now < 0.5 ? 1 : later) * MICRO),
        profile,
      ).samples.batchCalls;
    // Of a µs, and of three.
    expect([1, 3].map(calls)).toEqual([16, 16]);
  });

  it("are a quarter as long at least, although the time for the warm-up is gone before", () => {
    const profile = { ...BRIEF, warmupMs: 0.01, batchMicros: 64 };
    const task = costing([1], () => MICRO);
    // Of 32 calls it is seen that 64 are nearer.
    expect(sample(task, profile).samples.batchCalls).toBe(64);
  });

  it("are of 2^20 calls at most, however little they cost", () => {
    const profile = { ...BRIEF, warmupMs: 0.002, measureMs: 0.0005 };
    const task = costing([1], () => 2 ** -30);
    expect(sample(task, profile).samples.batchCalls).toBe(2 ** 20);
  });

  it("are at least 200 steps of a clock that is too coarse for what is aimed at", () => {
    // Calls of a µs: 400 µs are aimed at, of which a half is 200 steps.
    const task = costing([1], () => MICRO);
    const { batches, batchCalls } = sample(task, BRIEF, 1000).samples;
    expect(batchCalls).toBe(256);
    expect(batches.length).toBeGreaterThanOrEqual(3);
    // The time for the warm-up, 2 ms, is not enough to find so many.
    expect(
      sample(
        costing([1], () => MICRO),
        BRIEF,
        10_000,
      ).samples.batchCalls,
    ).toBe(2 ** 11);
  });

  it("hold each size of the inputs with its share", () => {
    const { batches } = sample(
      costing([1, 2, 4, 9], (size) => size * MICRO),
      BRIEF,
    ).samples;
    expect(new Set(batches)).toEqual(new Set([3906.3]));
  });

  it("become shorter again when calls take longer than they did at first", () => {
    const profile = { ...BRIEF, warmupMs: 20 };
    const task = costing([1], (_, now) => (now < 0.5 ? 1 : 16) * MICRO);
    expect(sample(task, profile).samples.batchCalls).toBe(1);
  });

  it("are at least three, of one call each, where a call takes longer than there is time", () => {
    expect(
      sample(
        costing([1], () => 100),
        BRIEF,
      ).samples,
    ).toMatchObject({
      batches: [100e6, 100e6, 100e6],
      batchCalls: 1,
    });
  });

  it("are as many as twice the time allows, and no more than 16, where a call takes long", () => {
    const profile = { ...BRIEF, measureMs: 10 };
    const batchesOf = (cost: number): number =>
      sample(
        costing([1], () => cost),
        profile,
      ).samples.batches.length;
    expect([8, 4, 2, 1].map(batchesOf)).toEqual([3, 5, 10, 16]);
  });

  it("leave out what calls cost until they have settled after the garbage was collected", () => {
    let now = 0;
    const collected: number[] = [];
    vi.stubGlobal("gc", () => collected.push(now));
    const task = costing([1], (_, time) => {
      now = time;
      return (time - (collected.at(-1) ?? 0) < 1 ? 64 : 1) * MICRO;
    });
    const { batches } = sample(task, { ...BRIEF, warmupMs: 10 }).samples;
    expect(collected).toHaveLength(2);
    expect(new Set(batches)).toEqual(new Set([976.6]));
  });
});

/** A thread in a machine: calls take time, and may be kept from their core. Times are in ms. */
class Thread {
  #wall = 0;
  #core = 0;
  #waited = 0;
  #others = 0;
  /** What a reading of the time on a core takes. */
  reading = 0;

  works(ms: number, others = 0): void {
    this.#wall += ms;
    this.#core += ms;
    this.#others += others;
  }

  waits(ms: number): void {
    this.#wall += ms;
    this.#waited += ms;
  }

  /** Waits for something else than a core. */
  sleeps(ms: number): void {
    this.#wall += ms;
  }

  readonly clock: Clock = {
    now: () => this.#wall,
    stepNanos: 1,
    core: {
      source: "schedstat",
      onCore: () => {
        this.works(this.reading);
        return this.#core * 1e6;
      },
      waited: () => this.#waited * 1e6,
      allThreads: () => (this.#core + this.#others) * 1e6,
    },
  };

  /** Samples a task each of whose calls does this. */
  samples(profile: Profile, call: (count: number) => void) {
    let count = 0;
    const task = echo([1], {
      run: (input) => {
        call(count++);
        return input;
      },
    });
    return { ...sampleWith(task, profile, { clock: this.clock }).samples, calls: () => count };
  }
}

describe("a batch's time", () => {
  const profile: Profile = { processes: 1, warmupMs: 8, measureMs: 8, batchMicros: 128 };

  it("is that on a core, whatever else ran in between", () => {
    const thread = new Thread();
    const { batches, wall, preempted, batchCalls } = thread.samples(
      { ...profile, measureMs: 80 },
      (count) => {
        thread.works(MICRO);
        if (count % 1024 === 0) thread.waits(0.5);
      },
    );
    expect(new Set(batches)).toEqual(new Set([976.6]));
    expect(batchCalls).toBe(128);
    // One batch of eight waits: its 0.5 ms are shared by the 1,024 calls between.
    expect(wall).toBeCloseTo((MICRO + 0.5 / 1024) * 1e6, -2);
    expect(preempted).toBeCloseTo(1 / 8, 1);
  });

  it("is without what its readings take, by either clock", () => {
    const thread = new Thread();
    thread.reading = 16 * MICRO;
    const { batches, wall, allThreads } = thread.samples(profile, () => thread.works(MICRO));
    expect(new Set(batches)).toEqual(new Set([976.6]));
    expect(wall).toBe(976.6);
    expect(allThreads).toBe(976.6);
  });

  it("is without what readings take by then, which is found out anew for the measured phase", () => {
    const thread = new Thread();
    thread.reading = 64 * MICRO;
    const task = echo([1], {
      run: (input) => {
        thread.works(MICRO);
        return input;
      },
    });
    const collect = (garbage: Garbage): void => {
      if (garbage === "young") thread.reading = 16 * MICRO;
    };
    const { samples, warmUp } = sampleWith(task, profile, { clock: thread.clock, collect });
    const tenths = (nanos: readonly number[]) => new Set(nanos.map((each) => Math.round(10 * each) / 10));
    expect(tenths(warmUp.map(({ nanos }) => nanos))).toEqual(new Set([976.6]));
    expect(tenths(samples.batches)).toEqual(new Set([976.6]));
  });

  it("has that of a turn of the loop, which by the clock and of all threads it has not", () => {
    const thread = new Thread();
    const turn = MICRO / 1024;
    /** Readings of the clock in a batch without a call: at the second, the loop around nothing has ended. */
    let readings = 2;
    const clock: Clock = {
      ...thread.clock,
      now: () => {
        if (++readings === 2) thread.works(2 ** 14 * turn);
        return thread.clock.now();
      },
      core: {
        ...thread.clock.core!,
        waited: () => {
          readings = 0;
          return 0;
        },
      },
    };
    const task = echo([1], {
      run: (input) => {
        readings = 2;
        thread.works(MICRO + turn, 2 * MICRO);
        return input;
      },
    });
    const { batches, loop, wall, allThreads } = sampleWith(task, profile, { clock }).samples;
    expect(new Set(batches)).toEqual(new Set([977.5]));
    expect({ loop, wall, allThreads }).toEqual({ loop: 0.95, wall: 976.6, allThreads: 2929.7 });
  });

  it("is not said to be preempted where nothing tells whether the thread waited", () => {
    const thread = new Thread();
    const { waited, ...core } = thread.clock.core!;
    const task = echo([1], {
      run: (input) => {
        thread.works(MICRO);
        thread.waits(MICRO);
        return input;
      },
    });
    const { samples } = sampleWith(task, profile, { clock: { ...thread.clock, core } });
    expect(Object.keys(samples)).toEqual(["batches", "batchCalls", "loop", "wall", "allThreads"]);
    expect(samples.wall).toBe(1953.1);
  });

  it("stands beside that of all threads of the process", () => {
    const thread = new Thread();
    const { batches, wall, allThreads, preempted } = thread.samples(profile, () =>
      thread.works(MICRO, 2 * MICRO),
    );
    expect(new Set(batches)).toEqual(new Set([976.6]));
    expect(wall).toBe(976.6);
    expect(allThreads).toBe(2929.7);
    expect(preempted).toBe(0);
  });

  it("has nothing of what another thread does once, as one that compiles", () => {
    const thread = new Thread();
    const measured = { ...profile, measureMs: 80 };
    const { allThreads } = thread.samples(measured, (count) =>
      thread.works(MICRO, count === 30_000 || count === 40_000 ? 20 : MICRO),
    );
    expect(allThreads).toBe(1953.1);
  });

  it("has its share of what another thread does now and then throughout, as one that collects garbage", () => {
    const thread = new Thread();
    const { allThreads } = thread.samples({ ...profile, measureMs: 80 }, (count) =>
      thread.works(MICRO, count % 2048 === 0 ? 2048 * MICRO : 0),
    );
    expect(allThreads).toBe(1953.1);
  });

  it("has what other threads take in the middle of the measured phase, and nothing of what they took before", () => {
    const thread = new Thread();
    let others = 0;
    const task = echo([1], {
      run: (input) => {
        thread.works(100, others++);
        return input;
      },
    });
    const start = (): void => {
      others = 1;
    };
    const meter = { start, stop: () => {} } as never;
    thread.works(0, 50_000);
    const { batches, allThreads } = sampleWith(task, profile, { clock: thread.clock, meter }).samples;
    expect(batches).toHaveLength(3);
    expect(allThreads).toBe(102e6);
  });

  it("is the clock's where nothing tells the time on a core, and then nothing stands beside it", () => {
    const thread = new Thread();
    const { now, stepNanos } = thread.clock;
    const task = echo([1], {
      run: (input) => {
        thread.waits(MICRO);
        return input;
      },
    });
    const { samples } = sampleWith(task, profile, { clock: { now, stepNanos } });
    expect(new Set(samples.batches)).toEqual(new Set([976.6]));
    expect(Object.keys(samples)).toEqual(["batches", "batchCalls", "loop"]);
  });
});

describe("a phase", () => {
  const profile: Profile = { processes: 1, warmupMs: 8, measureMs: 64, batchMicros: 128 };

  it("has its time on a core although others take up to half of the machine", () => {
    const thread = new Thread();
    const { batches, batchCalls } = thread.samples(profile, (count) => {
      thread.works(MICRO);
      if (count % 1024 === 1023) thread.waits(0.75);
    });
    expect(batches.length * batchCalls * MICRO).toBeCloseTo(64, 0);
  });

  it("ends after twice its time by the clock in any case", () => {
    const thread = new Thread();
    const { batches, batchCalls } = thread.samples(profile, (count) => {
      thread.works(MICRO);
      if (count % 1024 === 1023) thread.waits(9);
    });
    // A tenth of 128 ms.
    expect(batches.length * batchCalls * MICRO).toBeGreaterThan(9);
    expect(batches.length * batchCalls * MICRO).toBeLessThan(16);
  });

  it("and its batches are cut by the clock where calls mostly wait for something else", () => {
    const thread = new Thread();
    const { batches, batchCalls } = thread.samples(profile, () => {
      thread.works(MICRO / 16);
      thread.sleeps(1);
    });
    expect(batchCalls).toBe(1);
    expect(batches.length).toBeGreaterThanOrEqual(128);
    expect(batches.length).toBeLessThan(132);
  });
});
