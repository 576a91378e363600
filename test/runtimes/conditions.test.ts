/** What a measuring process says of what happened to it. */
import { describe, expect, it } from "vitest";
import { ConditionsMeter } from "../../src/runtimes/node/conditions.ts";

function spin(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

describe("the conditions of a process", () => {
  it("are of its measured phases only", () => {
    const meter = new ConditionsMeter();
    spin(30);
    meter.start();
    spin(20);
    meter.stop();
    spin(30);
    const { wallSeconds, cpuSeconds, involuntarySwitches, peakBytes } = meter.conditions();
    expect(wallSeconds).toBeGreaterThanOrEqual(0.02);
    expect(cpuSeconds).toBeGreaterThan(0);
    expect(involuntarySwitches).toBeGreaterThanOrEqual(0);
    expect(peakBytes).toBeGreaterThan(10 * 2 ** 20);
  });

  it("say that it waited when it did not compute", async () => {
    const meter = new ConditionsMeter();
    meter.start();
    await new Promise((resolve) => setTimeout(resolve, 50));
    meter.stop();
    expect(meter.conditions().disturbedBy).toContain("waiting");
  });

  it("are nothing where nothing was measured", () => {
    expect(new ConditionsMeter().conditions()).toMatchObject({
      wallSeconds: 0,
      cpuSeconds: 0,
      involuntarySwitches: 0,
      pressure: null,
      steal: null,
      disturbedBy: [],
    });
  });
});
