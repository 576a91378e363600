import { withStandings } from "../../analysis/standings.ts";
import { VerificationError } from "../../model/errors.ts";
import type { DoctorComparison, DoctorDisturbances, DoctorTrial } from "../../model/records/doctor.ts";
import type { Cell, Disturbance, ProcessRecord, RunRecord } from "../../model/records/run.ts";
import { spin } from "./known-cost.ts";
import { INJECTED, KNOWN_COST, TURNS } from "./known-turns.ts";

/**
 * What a run of the known-cost codec and its variants found. Each variant is compared with the codec and with nothing
 * else, as somebody does who compares two versions of one library: Holm's correction for many codecs has nothing to
 * correct, and the gate is that of the codec's further measurements in the same blocks. Throws VerificationError where a codec was not measured.
 * @param nanosPerTurn before the run and after it
 */
export function trialOf(run: RunRecord, nanosPerTurn: readonly [number, number]): DoctorTrial {
  const [before, after] = nanosPerTurn;
  const measured = cellOf(run, KNOWN_COST).nanos?.median;
  if (measured === undefined) throw new VerificationError(`${KNOWN_COST}: expected a time, got none`);
  return {
    seed: run.options.seed,
    nanosPerTurn: [rounded(before), rounded(after)],
    knownCost: { measured, truth: Math.round(Math.min(before, after) * TURNS * 100) / 100 },
    gate: rounded(run.noise?.gate ?? run.options.threshold),
    comparisons: [...INJECTED].map(([codec, injected]) => comparisonOf(comparedAlone(run, codec), injected)),
    disturbed: disturbances(run.processes),
  };
}

/** The cell of a codec: a trial has one operation on one dataset. */
function cellOf(run: RunRecord, codec: string): Cell {
  const cell = run.cells.find((one) => one.codec === codec);
  if (cell?.status === "measured") return cell;
  throw new VerificationError(`${codec}: ${cell?.reason ?? "it was not measured"}`);
}

/** A codec's cell, compared with the baseline's as if the two were all of the run. */
function comparedAlone(run: RunRecord, codec: string): Cell {
  const { baseline, threshold } = run.options;
  const own = cellOf(run, codec);
  const twins = run.cells.filter(({ twinOf }) => twinOf === baseline);
  const { cells } = withStandings([cellOf(run, KNOWN_COST), ...twins, own], { baseline, threshold });
  return cells.at(-1) ?? own;
}

function comparisonOf({ codec, standing }: Cell, injected: number): DoctorComparison {
  if (standing === undefined || standing.ratio === null)
    throw new VerificationError(`${codec}: expected a comparison, got none`);
  const { ratio, ci95, p, verdict, detectable } = standing;
  const orNull = (value: number | null): number | null => (value === null ? null : rounded(value));
  return {
    codec,
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

/** Turns of one loop, half a millisecond that the scheduler seldom cuts short, and loops of which the least counts. */
const [LONG, LOOPS] = [500_000, 128];

/**
 * Nanoseconds that a turn of the known-cost codec takes in this process: the least of several long loops, as a
 * neighbour only ever adds time. It shares nothing with the sampler: neither its clock nor its batches.
 */
export function turnCost(): number {
  let least = Number.POSITIVE_INFINITY;
  let state = 1;
  for (let i = 0; i < LOOPS; i++) {
    const from = process.hrtime.bigint();
    state = spin(state, LONG);
    least = Math.min(least, Number(process.hrtime.bigint() - from) / LONG);
  }
  // Makes use of the result, so that the loops cannot be left out.
  return state === 0 ? least + Number.EPSILON : least;
}
