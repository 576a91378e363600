import type { DoctorProof, DoctorRecord } from "../model/records/doctor.ts";
import { childPath } from "../model/value.ts";
import { check, damaged, ENVIRONMENT, type Shape } from "./shape.ts";

const CHECK: Shape = {
  name: "string",
  "unit?": "string",
  "most?": "number",
  "least?": "number",
  verdict: "string",
  "advice?": "string",
};

const RATE: Shape = { count: "number", of: "number", ci95: ["number"] };

const DOCTOR_RECORD: Shape = {
  tool: { name: "string", version: "string", command: "string" },
  startedAt: "string",
  "finishedAt?": "string",
  complete: "boolean",
  "reason?": "string",
  environment: ENVIRONMENT,
  options: {
    profile: "string",
    trials: "number",
    seed: "number",
    threshold: "number",
    processes: "number",
    warmupMs: "number",
    measureMs: "number",
    batchMicros: "number",
    turns: "number",
  },
  machine: [CHECK],
  trials: [{ knownCost: { measured: "time", truth: "time" }, gate: "number" }],
  "proof?": {
    knownCost: { median: "number", furthest: "number" },
    slowdowns: [
      { injected: "number", ratio: "number", found: RATE, reversed: RATE, same: RATE, undecided: RATE },
    ],
    alike: RATE,
    alikeTrials: RATE,
    checks: [CHECK],
  },
  "conclusion?": { verdict: "string" },
};

const VERDICTS: readonly unknown[] = ["can", "with-care", "cannot"];

/** A value as the record of an examination. Throws UsageError that names the place of what is damaged. */
export function checkedDoctorRecord(value: unknown, file: string): DoctorRecord {
  check(value, DOCTOR_RECORD, "", file);
  const record = value as DoctorRecord;
  const { machine, trials, proof, conclusion } = record;
  checkChecks(machine, "machine", file);
  if ((proof === undefined) !== (trials.length === 0)) {
    throw damaged(file, "proof", trials.length === 0 ? "none without trials" : "one of the trials", proof);
  }
  if (proof !== undefined) checkProof(proof, file);
  if ((conclusion === undefined) !== (proof === undefined)) {
    throw damaged(file, "conclusion", "one if there is a proof", conclusion);
  }
  if (conclusion === undefined) return record;
  if (!VERDICTS.includes(conclusion.verdict)) {
    throw damaged(file, "conclusion.verdict", `one of ${VERDICTS.join(", ")}`, conclusion.verdict);
  }
  expectNumberOrNull(conclusion.smallest, "conclusion.smallest", file);
  return record;
}

function checkProof({ checks, detectable, alike, alikeTrials, slowdowns }: DoctorProof, file: string): void {
  checkChecks(checks, "proof.checks", file);
  expectNumberOrNull(detectable, "proof.detectable", file);
  const rates = slowdowns.flatMap((slowdown, index) =>
    (["found", "reversed", "same", "undecided"] as const).map(
      (name) => [`${childPath("proof.slowdowns", index)}.${name}`, slowdown[name]] as const,
    ),
  );
  for (const [at, { ci95 }] of [
    ["proof.alike", alike],
    ["proof.alikeTrials", alikeTrials],
    ...rates,
  ] as const) {
    if ((ci95.length as number) !== 2) throw damaged(file, `${at}.ci95`, "two numbers", ci95);
  }
}

function expectNumberOrNull(value: unknown, at: string, file: string): void {
  if (value !== null && typeof value !== "number") throw damaged(file, at, "a number or null", value);
}

/** A value may be a number, words or null, which no shape says. */
function checkChecks(checks: DoctorRecord["machine"], at: string, file: string): void {
  for (const [index, { value }] of checks.entries()) {
    if (value === null || typeof value === "number" || typeof value === "string") continue;
    throw damaged(file, `${childPath(at, index)}.value`, "a number, a string or null", value);
  }
}
