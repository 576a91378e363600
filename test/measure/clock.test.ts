/** A clock's step is the smallest that it makes. */
import { describe, expect, it } from "vitest";
import { measuredClock } from "../../src/measure/clock.ts";

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
