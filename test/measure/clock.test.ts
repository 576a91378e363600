/** A clock's step is the smallest that it makes, and time on a core is believed only where a busy loop has it. */
import { describe, expect, it } from "vitest";
import { type CoreTime, measuredClock, readingCost } from "../../src/measure/clock.ts";

describe("a clock", () => {
  it("says by how much it moves on at least, however often it is read in between", () => {
    let reading = 0;
    // Five readings see the same time; every seventh step is a longer one.
    const now = (): number => {
      const step = Math.floor(reading++ / 5);
      return step * 0.005 + Math.floor(step / 7) * 0.02;
    };
    expect(measuredClock(now).stepNanos).toBeCloseTo(5000, 0);
  });

  it("of this runtime is fine enough for batches of 60 µs", () => {
    const { now, stepNanos } = measuredClock(performance.now.bind(performance));
    expect(stepNanos).toBeGreaterThan(0);
    expect(200 * stepNanos).toBeLessThan(60_000);
    expect(now()).toBeGreaterThan(0);
  });
});

/** A machine on which each reading of the time takes a µs, in nanoseconds; and what tells its time on a core. */
function machine(told: (onCore: number) => number, off = 0, every = 300) {
  let nanos = 0;
  let waited = 0;
  let onCore = 0;
  let readings = 0;
  const now = (): number => {
    nanos += 1000;
    onCore += 1000;
    readings += 1;
    // In some readings the thread is off its core for a while.
    if (readings % every === 0) {
      nanos += off;
      waited += off;
    }
    return nanos / 1e6;
  };
  const core: CoreTime = {
    source: "schedstat",
    onCore: () => {
      onCore += 700 + 10 * (readings++ % 3);
      return told(onCore);
    },
    allThreads: () => onCore,
  };
  return { now, core, waited: () => waited };
}

function sourceOf(told: (onCore: number) => number, off = 0): string {
  const { now, core } = machine(told, off);
  return measuredClock(now, [() => core]).core?.source ?? "wall";
}

describe("time on a core", () => {
  it("is believed where a busy loop has as much of it as it takes", () => {
    expect(sourceOf((nanos) => nanos)).toBe("schedstat");
    expect(sourceOf((nanos) => Math.floor(nanos / 1000) * 1000)).toBe("schedstat");
  });

  it("is believed where the thread is off its core for the greater part of the loop", () => {
    expect(sourceOf((nanos) => nanos, 500_000)).toBe("schedstat");
  });

  it("is believed where the thread is off its core in all of the loop, if that is told", () => {
    const { now, core, waited } = machine((nanos) => nanos, 2e6, 50);
    expect(measuredClock(now, [() => core]).core).toBeUndefined();
    expect(measuredClock(now, [() => ({ ...core, waited })]).core?.source).toBe("schedstat");
  });

  it("is believed although a reading takes long at first", () => {
    const { now, core } = machine((nanos) => nanos);
    let [readings, late] = [0, 0];
    const onCore = (): number => {
      if (++readings === 2) late = 2e6;
      return core.onCore() + late;
    };
    expect(measuredClock(now, [() => ({ ...core, onCore })]).core?.source).toBe("schedstat");
  });

  it.each([
    ["moves on by ticks", (nanos: number) => Math.floor(nanos / 4e6) * 4e6],
    ["stands still", () => 42],
    ["goes back", (nanos: number) => -nanos],
    ["is that of two threads", (nanos: number) => 2 * nanos],
    ["is half as much", (nanos: number) => nanos / 2],
    ["is no number", () => Number.NaN],
  ])("is not believed where it %s", (_, told) => {
    expect(sourceOf(told)).toBe("wall");
  });

  it("is taken from the first candidate that is there and tells it", () => {
    const { now, core } = machine((nanos) => nanos);
    const still: CoreTime = { ...core, onCore: () => 0 };
    const other: CoreTime = { ...core, source: "thread-cpu" };
    expect(measuredClock(now, [() => undefined, () => still, () => other, () => core]).core).toBe(other);
    expect(measuredClock(now, [() => undefined]).core).toBeUndefined();
  });

  it("has a step, which is the coarser one of both clocks", () => {
    const coarse = machine((nanos) => Math.floor(nanos / 5000) * 5000);
    expect(measuredClock(coarse.now, [() => coarse.core]).stepNanos).toBe(5000);
    const fine = machine((nanos) => nanos);
    expect(measuredClock(fine.now, [() => fine.core]).stepNanos).toBe(1000);
  });

  it("costs what its readings take, between two of a coarse clock's steps", () => {
    const fine = machine((nanos) => nanos);
    // Two readings of the time, and one of the time on a core.
    expect(readingCost(fine.core, fine.now)).toBeCloseTo(2710, -1);
    const coarse = machine((nanos) => Math.floor(nanos / 1000) * 1000);
    expect(Math.abs(readingCost(coarse.core, coarse.now) - 2710)).toBeLessThan(150);
  });
});
