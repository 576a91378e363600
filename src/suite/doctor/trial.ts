import { median } from "../../analysis/statistics/location.ts";
import { defined } from "../../model/defined.ts";
import { VerificationError } from "../../model/errors.ts";
import type { DoctorComparison, DoctorDisturbances, DoctorTrial } from "../../model/records/doctor.ts";
import type { Nanos } from "../../model/records/nanos.ts";
import type { Cell, Disturbance, ProcessRecord, RunRecord } from "../../model/records/run.ts";
import { INJECTED, KNOWN_COST, slowedBy, TURNS } from "./known-shares.ts";

/** What a trial measures of the codec that it slows. */
export const OPERATIONS: readonly string[] = ["encode", "decode"];

/**
 * What a run of a codec, its variants and the codec of known cost found. The verdicts are those of the run: all
 * comparisons are one family, as in any matrix. Throws VerificationError where a codec was not measured.
 * @param slowed the codec
 * @param nanosPerTurn before the run and after it
 */
export function trialOf(
  run: RunRecord,
  slowed: string,
  nanosPerTurn: readonly [number, number],
): DoctorTrial {
  const [before, after] = nanosPerTurn;
  const cost = cellOf(run, KNOWN_COST, "encode").nanos;
  if (cost === undefined) throw new VerificationError(`${KNOWN_COST}: expected a time, got none`);
  return {
    seed: run.options.seed,
    slowed,
    nanosPerTurn: [rounded(before), rounded(after)],
    knownCost: {
      ...defined({ measured: undivided(cost) }),
      truth: Math.round(Math.min(before, after) * TURNS * 100) / 100,
    },
    gate: rounded(run.noise?.gate ?? run.options.threshold),
    comparisons: OPERATIONS.flatMap((operation) =>
      [...INJECTED].map(([variant, injected]) =>
        comparisonOf(cellOf(run, slowedBy(slowed, variant), operation), injected),
      ),
    ),
    disturbed: disturbances(run.processes),
  };
}

/**
 * Nanoseconds by the processes whose batches are not divided by how much slower the core was: neighbours do not slow a chain of
 * multiplications down. Undefined where there is none.
 */
function undivided({ processes, scaled = [] }: Nanos): number | undefined {
  const times = processes.filter((_, index) => !scaled.includes(index));
  return times.length === 0 ? undefined : median(times);
}

/** The cell of a codec, which a trial measures on one dataset. */
function cellOf(run: RunRecord, codec: string, operation: string): Cell {
  const cell = run.cells.find((one) => one.codec === codec && one.operation === operation);
  if (cell?.status === "measured") return cell;
  throw new VerificationError(`${codec}: ${cell?.reason ?? "it was not measured"}`);
}

function comparisonOf({ codec, operation, standing }: Cell, injected: number): DoctorComparison {
  if (standing === undefined || standing.ratio === null)
    throw new VerificationError(`${codec}: expected a comparison, got none`);
  const { ratio, ci95, p, verdict, detectable } = standing;
  const orNull = (value: number | null): number | null => (value === null ? null : rounded(value));
  return {
    codec,
    operation,
    injected,
    ratio: rounded(ratio),
    ci95: ci95 === null ? null : [rounded(ci95[0]), rounded(ci95[1])],
    p: orNull(p),
    verdict,
    detectable: orNull(detectable),
  };
}

function disturbances(processes: readonly ProcessRecord[]): DoctorDisturbances {
  const by = (what: Disturbance): number =>
    processes.filter(({ disturbedBy }) => disturbedBy.includes(what)).length;
  const isKnown = (what: "pressure" | "steal" | "throttled"): boolean =>
    processes.every((process) => process[what] !== null);
  return {
    processes: processes.length,
    waiting: by("waiting"),
    switches: by("switches"),
    pressure: isKnown("pressure") ? by("pressure") : null,
    steal: isKnown("steal") ? by("steal") : null,
    throttling: isKnown("throttled") ? by("throttling") : null,
  };
}

function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
