/** Trials that nobody made, for tests of what is made of them. */

import type { DoctorComparison, DoctorTrial } from "../../../src/model/records/doctor.ts";
import { INJECTED, slowedBy } from "../../../src/suite/doctor/known-shares.ts";
import type { MachineReadings } from "../../../src/suite/doctor/machine-readings.ts";

type Verdict = DoctorComparison["verdict"];

/** What each codec was called, by its variant: by default all as they are. */
export type Calls = Readonly<Record<string, Verdict>>;

/** A trial of json in which all went well but what is given. */
export function trialOf(calls: Calls = {}, own: Partial<DoctorTrial> = {}): DoctorTrial {
  return {
    seed: 7,
    slowed: "json",
    nanosPerTurn: [1.5, 1.5],
    knownCost: { measured: 1515, truth: 1500 },
    gate: 0.01,
    comparisons: [...INJECTED].map(([variant, injected]) => ({
      codec: slowedBy("json", variant),
      operation: "encode",
      injected,
      ratio: 1 + injected,
      ci95: [1 + injected - 0.005, 1 + injected + 0.005],
      p: injected === 0 ? 1 : 0.001,
      verdict: calls[variant] ?? (injected === 0 ? "same" : "slower"),
      detectable: 0.015,
    })),
    disturbed: { processes: 64, waiting: 0, switches: 1, pressure: 0, steal: null, throttling: null },
    ...own,
  };
}

/** A quiet machine that tells everything, but for what is given. */
export function readingsOf(own: Partial<MachineReadings> = {}): MachineReadings {
  return {
    cores: 8,
    busy: 0.01,
    governor: "performance",
    turbo: "off",
    smt: "off",
    clocksource: "tsc",
    clockStep: 20,
    clockCall: 35,
    memoryTaken: 0.5,
    quota: "none",
    runtime: { name: "node", version: "20.1.2", engine: { name: "V8", version: "11.3" } },
    debugBuild: false,
    slowing: [],
    ...own,
  };
}
