/** Records of examinations that nobody made, for tests of what is made of them. */

import type { DoctorLoad, DoctorRecord, DoctorTrial } from "../../src/model/records/doctor.ts";
import { machineChecks } from "../../src/suite/doctor/machine-checks.ts";
import { conclusionOf, findingsOf, proofOf, smallestFound } from "../../src/suite/doctor/proof.ts";
import { readingsOf } from "../suite/doctor/trials.ts";
import { recordOf } from "./record.ts";

const { tool, startedAt, environment } = recordOf([]);

/** The record of these trials, on a quiet machine with turbo. */
export function doctorRecordOf(
  trials: readonly DoctorTrial[],
  own: Partial<DoctorRecord> = {},
): DoctorRecord {
  const machine = machineChecks(readingsOf({ turbo: "on", governor: null }), trials, 0);
  const proof = trials.length === 0 ? undefined : proofOf(trials);
  return {
    schemaVersion: 1,
    kind: "doctor",
    tool: { ...tool, command: "wirebench doctor --trials 2" },
    startedAt,
    finishedAt: "2026-11-20T12:31:05.678Z",
    complete: true,
    environment,
    options: {
      profile: "standard",
      trials: 2,
      load: false,
      seed: 7,
      threshold: 0.01,
      processes: 8,
      warmupMs: 100,
      measureMs: 100,
      batchMicros: 100,
      turns: 1000,
      messages: 100,
      message: "tellist:1",
    },
    machine,
    trials,
    ...(proof === undefined ? {} : { proof, conclusion: conclusionOf(machine, proof) }),
    ...own,
  };
}

/** A second row of these trials. */
export function loadOf(trials: readonly DoctorTrial[]): DoctorLoad {
  const findings = findingsOf(trials);
  return { trials, findings, smallest: smallestFound(findings.slowdowns) };
}
