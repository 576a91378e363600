import { describe, expect, it } from "vitest";
import type { DoctorTrial } from "../../../src/model/records/doctor.ts";
import { machineChecks } from "../../../src/suite/doctor/machine-checks.ts";
import { type MachineReadings, slowing } from "../../../src/suite/doctor/machine-readings.ts";
import { readingsOf, trialOf } from "./trials.ts";

function verdicts(
  own: Partial<MachineReadings> = {},
  trials: readonly DoctorTrial[] = [],
  swapped: number | null = 0,
): Record<string, string> {
  const checks = machineChecks(readingsOf(own), trials, swapped);
  return Object.fromEntries(checks.map(({ name, verdict }) => [name, verdict]));
}

describe("what is said of a machine", () => {
  it("is that all is well with a quiet one", () => {
    expect(new Set(Object.values(verdicts()))).toEqual(new Set(["ok"]));
    expect(machineChecks(readingsOf(), [], 0).filter(({ advice }) => advice !== undefined)).toEqual([]);
  });

  it.each<[string, Partial<MachineReadings>, string]>([
    ["busy before", { busy: 0.05 }, "ok"],
    ["busy before", { busy: 0.06 }, "warning"],
    ["busy before", { busy: 0.26 }, "bad"],
    ["cores", { cores: 1 }, "warning"],
    ["CPU quota", { quota: 1.5 }, "warning"],
    ["CPU quota", { quota: null }, "unknown"],
    ["governor", { governor: "powersave" }, "warning"],
    ["governor", { governor: null }, "unknown"],
    ["turbo", { turbo: "on" }, "warning"],
    ["SMT", { smt: "on" }, "warning"],
    ["clock source", { clocksource: "kvm-clock" }, "ok"],
    ["clock source", { clocksource: "hpet" }, "warning"],
    ["clock step", { clockStep: 100 }, "ok"],
    ["clock step", { clockStep: 1000 }, "warning"],
    ["clock step", { clockStep: 1e6 }, "bad"],
    ["clock call", { clockCall: 1200 }, "bad"],
    ["memory taken", { memoryTaken: 0.95 }, "warning"],
    ["memory taken", { memoryTaken: 0.99 }, "bad"],
    ["Node", { debugBuild: true }, "bad"],
    ["slowed by", { slowing: ["--inspect"] }, "warning"],
  ])("%s of %o is %s", (name, own, verdict) => {
    expect(verdicts(own)).toMatchObject({ [name]: verdict });
  });

  it("counts the pages that were swapped meanwhile", () => {
    expect(verdicts({}, [], 1)).toMatchObject({ "pages swapped": "warning" });
    expect(verdicts({}, [], null)).toMatchObject({ "pages swapped": "unknown" });
  });

  it("says what happened to the measuring processes, once there were any", () => {
    expect(verdicts()).not.toHaveProperty("waited for a core");
    const loud = { processes: 64, waiting: 20, switches: 40, pressure: 6, steal: null, throttling: 0 };
    expect(verdicts({}, [trialOf({}, { disturbed: loud })])).toMatchObject({
      "waited for a core": "warning",
      "switched off its core": "bad",
      "pressure on the cores": "ok",
      "stolen by the host": "unknown",
      "stopped by a quota": "ok",
    });
  });

  it("compares the speed of the clock over all trials", () => {
    const slow = trialOf({}, { nanosPerTurn: [1.6, 1.7] });
    expect(verdicts({}, [trialOf()])).toMatchObject({ "speed over time": "ok" });
    expect(verdicts({}, [trialOf(), slow])).toMatchObject({ "speed over time": "bad" });
  });

  it("has advice for whatever is not well", () => {
    const own = { busy: 1, governor: "powersave", turbo: "on", cores: 1, debugBuild: true } as const;
    for (const { verdict, advice } of machineChecks(readingsOf(own), [trialOf()], 5000)) {
      expect(advice !== undefined).toBe(verdict === "warning" || verdict === "bad");
    }
  });
});

describe("what slows a process down", () => {
  it.each<[readonly string[], Record<string, string>, boolean, string[]]>([
    [[], {}, false, []],
    [["--expose-gc", "--max-old-space-size=4096"], { NODE_OPTIONS: "" }, false, []],
    [["--inspect-brk=9229"], {}, true, ["--inspect-brk=9229"]],
    [["--jitless"], { NODE_V8_COVERAGE: "cov" }, false, ["--jitless", "NODE_V8_COVERAGE"]],
    [[], { NODE_OPTIONS: "--cpu-prof" }, true, ["NODE_OPTIONS", "a debugger"]],
  ])("of %o and %o, debugged %s: %o", (flags, env, debugged, found) => {
    expect(slowing(flags, env, debugged)).toEqual(found);
  });
});
