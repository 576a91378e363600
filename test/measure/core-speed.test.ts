/** A core that somebody else shares is told by fixed work, whose time is here what the test says. */
import { describe, expect, it } from "vitest";
import {
  areEnough,
  CoreSpeed,
  fullSpeedOf,
  Patience,
  slowdownBetween,
  UsualSpeeds,
} from "../../src/measure/core-speed.ts";
import { type Sampling, sample } from "../../src/measure/sampler.ts";
import type { Task } from "../../src/model/operation.ts";

/** Microseconds of the fixed work of 1024 turns at full speed. */
const FULL = 2.048;

/** A clock by which the fixed work takes `micros`: nothing but readings moves it on. */
class Readings {
  micros = FULL;
  #ms = 0;
  readonly now = (): number => {
    this.#ms += this.micros / 1000;
    return this.#ms;
  };
}

function slowdowns(times: readonly number[], usual?: number): (number | undefined)[] {
  const readings = new Readings();
  const speed = new CoreSpeed(readings, usual);
  for (let i = 0; i < 20; i++) speed.slowdown();
  speed.prepare();
  return times.map((micros) => {
    readings.micros = micros;
    const slowdown = speed.slowdown();
    return slowdown && Math.round(1000 * slowdown) / 1000;
  });
}

describe("a core is slow", () => {
  it("where fixed work takes over 1.15 times as long as what the process found before", () => {
    expect(slowdowns([FULL, 1.14 * FULL, FULL])).toEqual([undefined, undefined, undefined]);
    expect(slowdowns([FULL, 1.16 * FULL, FULL])).toEqual([undefined, 1.08, 1.08]);
  });

  it("before a batch or after it, by as much as the work took at both", () => {
    expect(slowdowns([2 * FULL, 2.6 * FULL, FULL, FULL])).toEqual([1.5, 2.3, 1.8, undefined]);
  });

  it("where the work was interrupted, by as much as it took at the other time", () => {
    expect(slowdowns([90 * FULL, 2 * FULL, 90 * FULL, 90 * FULL, FULL, FULL])).toEqual([
      1,
      2,
      2,
      1,
      1,
      undefined,
    ]);
  });

  it("from above 1.15 times on, and was interrupted from 3 times on", () => {
    expect(slowdownBetween(1.15, 1, 1)).toBeUndefined();
    expect(slowdownBetween(1.25, 1.75, 1)).toBe(1.5);
    expect(slowdownBetween(3, 2.5, 1)).toBe(2.5);
  });

  it("by nothing where the work took less after it than at full speed by as much", () => {
    expect(slowdowns([FULL, 1.2 * FULL, 0.7 * FULL])).toEqual([undefined, 1.1, 1]);
  });

  it("as other processes of the run know it, where this one has seen nothing else", () => {
    expect(slowdowns([FULL], 1.75)).toEqual([undefined]);
    expect(slowdowns([FULL], 1.6)).toEqual([1.25]);
  });

  it("by nothing that the first of two rounds of the work takes, which finds caches as a codec left them", () => {
    let readings = 0;
    let ms = 0;
    const now = (): number => {
      // Three readings a probe: between the first two of them caches are cold.
      ms += (readings++ % 3 === 1 ? 3 * FULL : FULL) / 1000;
      return ms;
    };
    const speed = new CoreSpeed({ now }, 2);
    readings = 0;
    speed.prepare();
    expect(Array.from({ length: 3 }, () => speed.slowdown())).toEqual([undefined, undefined, undefined]);
  });

  it("never before anything is known of its full speed", () => {
    const readings = new Readings();
    const speed = new CoreSpeed(readings);
    readings.micros = 9 * FULL;
    speed.prepare();
    expect(speed.slowdown()).toBeUndefined();
  });

  it("never, by a clock of steps of 1 ms", () => {
    let ms = 0;
    const now = (): number => {
      ms += 0.0017;
      return Math.floor(ms);
    };
    const speed = new CoreSpeed({ now }, 0.001);
    speed.prepare();
    expect(speed.slowdown()).toBeUndefined();
    expect(speed.turnNanos).toBeUndefined();
  });

  it("never, by a clock of which the most work takes just twelve steps", () => {
    let readings = 0;
    let ms = 0;
    const now = (): number => {
      ms += (readings++ % 5 === 0 ? 13 : 12) / 64;
      return ms;
    };
    expect(new CoreSpeed({ now }).isTold).toBe(false);
    // In four steps down to one turn and in 18 up to the most, each time by 64 calls of three readings.
    expect(readings).toBe((1 + 4 + 18) * 194);
  });

  it("by a clock of coarse steps too, whose steps more of the work outlasts", () => {
    const coarse = (stepMs: number) =>
      new CoreSpeed({ now: () => Math.floor(performance.now() / stepMs) * stepMs });
    expect(coarse(0.005).isTold).toBe(true);
    expect(coarse(1).isTold).toBe(false);
  });

  it("for as long as the process is patient, and that does not count", () => {
    const speed = new CoreSpeed(new Readings());
    const waited = Array.from({ length: 5 }, () => speed.waits(100));
    expect(waited).toEqual([true, true, false, false, false]);
  });
});

describe("the full speed of a process", () => {
  it("is that of its fastest tenth, in nanoseconds a turn", () => {
    const readings = new Readings();
    const speed = new CoreSpeed(readings);
    for (let i = 0; i < 100; i++) {
      readings.micros = i < 20 ? FULL : 3 * FULL;
      speed.slowdown();
    }
    expect(speed.turnNanos).toBeCloseTo((FULL / 1024) * 1000, 6);
  });

  it("is told of fewer turns where an engine takes long for them", () => {
    const readings = new Readings();
    readings.micros = 80;
    const speed = new CoreSpeed(readings);
    // 1, or as little as 80 µs by this clock, however few turns there are.
    speed.slowdown();
    expect(speed.turnNanos).toBeCloseTo(80_000, 3);
  });

  it("is told of all turns where the engine compiles them late, as on a core that its compiler shares", () => {
    let readings = 0;
    let ms = 0;
    const now = (): number => {
      const micros = readings++ < 300 ? 80 : FULL;
      // The clock steps by 1 ns, as its readings show.
      ms += (micros + 0.001 * (readings % 2)) / 1000;
      return ms;
    };
    const speed = new CoreSpeed({ now });
    speed.slowdown();
    expect(speed.turnNanos).toBeCloseTo((FULL / 1024) * 1000, 2);
  });

  it("is told of all turns where the engine compiles them 29 ms after a clock has said a second", () => {
    let readings = 0;
    let ms = 1000;
    const now = (): number => {
      const micros = ms < 1029 ? 50 : FULL;
      ms += (micros + 0.001 * (readings++ % 2)) / 1000;
      return ms;
    };
    const speed = new CoreSpeed({ now });
    speed.slowdown();
    expect(speed.turnNanos).toBeCloseTo((FULL / 1024) * 1000, 2);
  });

  it("is told of as many turns as take 40 µs at most, by a power of two", () => {
    let readings = 0;
    let ms = 0;
    const now = (): number => {
      const micros = ms < 31 ? 150 : 30;
      ms += (micros + 0.001 * (readings++ % 2)) / 1000;
      return ms;
    };
    const speed = new CoreSpeed({ now });
    speed.slowdown();
    // Where 1024 turns take 150 µs, 273 take 40.
    expect(speed.turnNanos).toBeCloseTo(30_000 / 256, 1);
  });

  it("is told of all turns where these take 40 µs, without more calls", () => {
    let readings = 0;
    let ms = 0;
    const now = (): number => {
      // Its first reading that is not 0 ends the first work; the others are 50 µs apart, and some 1 ns more.
      if (readings++ > 2) ms += ms === 0 ? 0.04 : 0.05 + 1e-6 * (readings % 2);
      return ms;
    };
    const speed = new CoreSpeed({ now });
    expect(readings).toBe(194);
    speed.slowdown();
    expect(speed.turnNanos).toBeCloseTo(50_000 / 1024, 2);
  });

  it("is told of twice as many turns where twelve steps of a coarse clock are longer than all", () => {
    let readings = 0;
    let ms = 0;
    const now = (): number => {
      const steps = ms < 1.5 ? 4 : 14;
      ms += (5 * (steps + (readings++ % 2))) / 1000;
      return ms;
    };
    const speed = new CoreSpeed({ now });
    for (let i = 0; i < 10; i++) speed.slowdown();
    expect(speed.turnNanos).toBeCloseTo(70_000 / 2048, 6);
  });

  it("is told by 64 calls, or by as many as take 2 ms", () => {
    const callsIn = (ms: number): number => {
      let readings = 0;
      new CoreSpeed({ now: () => (ms * readings++) / 193 });
      // One before all, three a call, and one more after each from the 64th on.
      return (readings - 1 + 63) / 4;
    };
    expect([3, 2, 1.99, 1].map(callsIn)).toEqual([64, 64, 65, 113]);
  });

  it("is told by 2,000 calls where a clock stands still", () => {
    // 2,000 calls of three readings, one before all, and one after each from the 64th on but the last.
    const still = 2000 * 3 + 1 + 1936;
    let readings = 0;
    new CoreSpeed({ now: () => (2 * Math.max(readings++ - still, 0)) / 193 });
    expect(readings).toBe(still + 194);
  });

  it("is the fastest tenth's in whatever order they come", () => {
    expect(fullSpeedOf([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])).toBe(2);
  });

  it("is usual where a process of the last sixteen in the same runtime had it", () => {
    const speeds = new UsualSpeeds();
    expect(speeds.of("node")).toBeUndefined();
    speeds.add("node", 1.4);
    speeds.add("node", undefined);
    speeds.add("bun", 9);
    for (let i = 0; i < 15; i++) speeds.add("node", 2);
    expect(speeds.of("node")).toBe(1.4);
    speeds.add("node", 2);
    expect(speeds.of("node")).toBe(2);
    expect(speeds.of("bun")).toBe(9);
  });
});

describe("patience with a slow core", () => {
  const all = [true, true, true];
  const few = [true, false, false];

  it("is 200 ms until a process has waited in vain in half of its operations", () => {
    const patience = new Patience();
    for (const scaled of [few, [false], []]) patience.add(scaled);
    expect(patience.ms).toBe(200);
    patience.add([true, false]);
    expect(patience.ms).toBe(100);
  });

  it("is no less than an eighth, stays while nothing was timed, and comes back", () => {
    const patience = new Patience();
    for (let i = 0; i < 9; i++) patience.add(all);
    expect(patience.ms).toBe(25);
    patience.add([]);
    expect(patience.ms).toBe(25);
    patience.add(few);
    expect(patience.ms).toBe(50);
    for (let i = 0; i < 9; i++) patience.add(few);
    expect(patience.ms).toBe(200);
  });
});

/** Calls of a µs, or of two while `isSlow` says so of the milliseconds that have gone by. */
function sampled(
  isSlow: (ms: number) => boolean,
  usual?: number,
  patienceMs?: number,
): Sampling["samples"] & { ms: number } {
  const core = new Readings();
  let ms = 0;
  const task: Task<number, number> = {
    inputs: [1],
    run: (input) => {
      core.micros = isSlow(ms) ? 2 * FULL : FULL;
      ms += isSlow(ms) ? 0.002 : 0.001;
      return input;
    },
    fold: (result) => result,
    check: () => {},
  };
  const speed = new CoreSpeed(core, usual, patienceMs);
  const profile = { processes: 1, warmupMs: 10, measureMs: 20, batchMicros: 64 };
  const { samples } = sample(task as Task, profile, { clock: { now: () => ms, stepNanos: 1 }, speed });
  return { ...samples, ms };
}

describe("batches beside which the core was slow", () => {
  it("are left out, and measured anew for as long", () => {
    const [all, some] = [sampled(() => false), sampled((ms) => ms > 10 && Math.floor(ms) % 5 === 0)];
    expect(all.slowed).toBe(0);
    expect(some.slowed).toBeGreaterThan(0.1);
    expect(Math.max(...some.batches)).toBeCloseTo(1000, 0);
    expect(Math.abs(some.batches.length - all.batches.length)).toBeLessThan(5);
  });

  it("count at full speed where nothing else comes while the process is patient; the phase has its usual length then", () => {
    const { batches, slowed, scaled, ms } = sampled(() => true, FULL / 1.024);
    expect({ slowed, scaled }).toEqual({ slowed: 1, scaled: true });
    // Twice as slow as the work, which codecs are not quite.
    expect(Math.min(...batches)).toBeCloseTo(2000 / 2 ** 1.1, 0);
    expect(Math.max(...batches)).toBeCloseTo(2000 / 2 ** 1.1, 0);
    expect(ms).toBeGreaterThan(200);
    expect(ms).toBeLessThan(250);
    expect(sampled(() => true, FULL / 1.024, 50).ms).toBeCloseTo(ms - 150, -1);
  });

  it("are waited for to end only while it is measured: a warm-up goes on beside them", () => {
    const { slowed, scaled, batches, ms } = sampled((now) => now < 180, FULL / 1.024);
    expect(slowed).toBeGreaterThan(0.5);
    expect(scaled).toBeUndefined();
    expect(Math.max(...batches)).toBeCloseTo(1000, 0);
    expect(ms).toBeGreaterThan(200);
    expect(ms).toBeLessThan(205);
  });

  it("are scaled where less than a tenth of others is left", () => {
    const left = Array.from({ length: 6 }, (_, more) => {
      const isFast = (ms: number): boolean => ms > 100 && ms < 100 + 0.032 * (280 + 20 * more);
      const { slowed, scaled } = sampled((ms) => !isFast(ms), FULL / 1.024);
      return { share: 1 - slowed!, scaled };
    });
    expect(left.filter(({ share, scaled }) => (scaled === true) !== share < 0.1)).toEqual([]);
    expect(new Set(left.map(({ scaled }) => scaled)).size).toBe(2);
  });

  it.each([
    ["four of five", [2, 2, 2, 2], 5, false],
    ["five of sixteen", [2, 2, 2, 2, 2], 16, true],
    ["five of 51", [2, 2, 2, 2, 2], 51, false],
    ["five of fifty", [2, 2, 2, 2, 2], 50, true],
    ["five short ones", [0.23, 0.23, 0.23, 0.23, 0.23], 16, false],
    ["five that take 1.25 ms", [0.25, 0.25, 0.25, 0.25, 0.25], 16, true],
    ["all three", [0.1, 0.1, 0.1], 3, true],
    ["none", [], 3, false],
  ])("are left out or not by what is left: %s", (_, fast, all, enough) => {
    expect(areEnough(fast, all)).toBe(enough);
  });

  it("are no reason to scale where enough others are left", () => {
    expect(sampled((ms) => ms > 10 && Math.floor(ms) % 5 === 0)).not.toHaveProperty("scaled");
    expect(sampled(() => false)).not.toHaveProperty("scaled");
  });
});
