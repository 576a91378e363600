/** The clock that talkers and listeners share. */
import { describe, expect, it } from "vitest";
import { Clock, clockBase, sharesClock } from "../../src/ipc/clock.ts";
import { until } from "../../src/ipc/participants/talker.ts";

describe("a clock", () => {
  it("is shared by who answers between asking and answer", async () => {
    const clock = new Clock(clockBase());
    expect(await sharesClock(clock, async () => clock.now())).toBeGreaterThan(0);
  });

  it.each([-60e9, -1e6, 1e6, 60e9])("is not shared by one that is off by %d ns", async (offset) => {
    const clock = new Clock(clockBase());
    expect(await sharesClock(clock, async () => clock.now() + offset)).toBeUndefined();
  });

  it("is waited for, and never too short", async () => {
    const clock = new Clock(clockBase());
    for (const ahead of [0, 1e5, 5e6, 20e6]) {
      const due = clock.now() + ahead;
      await until(due, clock);
      expect(clock.now()).toBeGreaterThanOrEqual(due);
    }
  });
});
