/**
 * The record of `wirebench doctor`: what was found of the machine, and how the tool did on work of known cost. Times
 * are nanoseconds, shares are from 0 to 1. `schemas/doctor-record.schema.json` is made of it.
 */
import { show } from "../value.ts";
import type { Count, Milliseconds, NonNegative, PositiveCount, Timestamp, Tool } from "./quantities.ts";
import type { Environment, RuntimeRecord, Standing } from "./run.ts";

/** Version of the shape below. A reader of another version must convert it first. */
export const DOCTOR_RECORD_VERSION = 1;

/**
 * One examination: its circumstances, what was found, and what follows from it.
 * @dependentRequired { proof: ["conclusion"], conclusion: ["proof"] }
 */
export interface DoctorRecord {
  readonly schemaVersion: typeof DOCTOR_RECORD_VERSION;
  readonly kind: "doctor";
  readonly tool: Tool;
  /** ISO 8601, UTC. */
  readonly startedAt: Timestamp;
  /** Absent until it is over. */
  readonly finishedAt?: Timestamp;
  /** False while it goes on, and for good when it was interrupted or a trial failed. */
  readonly complete: boolean;
  /** Why it is not complete, once it is over. */
  readonly reason?: string;
  readonly environment: Environment;
  /** What the trials measure in, which is one; absent in older records: it is that of the environment. */
  readonly runtimes?: readonly RuntimeRecord[];
  readonly options: DoctorOptionsRecord;
  readonly machine: readonly DoctorCheck[];
  /** Those that were finished, in the order in which they ran. */
  readonly trials: readonly DoctorTrial[];
  /** What the trials prove; absent before the first is finished. */
  readonly proof?: DoctorProof;
  /** What follows from all that; absent before the first trial is finished. */
  readonly conclusion?: DoctorConclusion;
  /** The second row of trials; absent before its first is finished, and where it was not asked for. */
  readonly load?: DoctorLoad;
}

/** Trials as the others, but beside a busy loop on one core. The conclusion is not drawn from them. */
export interface DoctorLoad {
  readonly trials: readonly DoctorTrial[];
  readonly findings: DoctorFindings;
  /** As in a {@link DoctorConclusion}. */
  readonly smallest: number | null;
}

/** What the examination was asked to do, defaults filled in. */
export interface DoctorOptionsRecord {
  readonly profile: "quick" | "standard" | "thorough";
  /** In each row. */
  readonly trials: PositiveCount;
  /** Whether a second row runs beside a busy core; absent in older records, which have none. */
  readonly load?: boolean;
  /** Of the first trial; each further one has the next. */
  readonly seed: Count;
  /** Differences below this share are not called differences. */
  readonly threshold: number;
  /** Processes per codec and trial. */
  readonly processes: PositiveCount;
  readonly warmupMs: Milliseconds;
  readonly measureMs: Milliseconds;
  readonly batchMicros: NonNegative;
  /** Turns of the loop that a call of the known-cost codec makes. */
  readonly turns: PositiveCount;
  /**
   * How often a call of a codec encodes or decodes the message, which is a dataset. Variants do it oftener by their share.
   * Absent in older records: the codec of known cost was slowed there.
   */
  readonly messages?: PositiveCount;
  readonly message?: string;
}

/** One thing that was looked at, and what to make of it. */
export interface DoctorCheck {
  readonly name: string;
  /** A number of the unit, or words; null where this system does not tell. */
  readonly value: number | string | null;
  readonly unit?: "nanoseconds" | "share" | "count";
  /** Up to where (`most`) or from where (`least`) a number is well. */
  readonly most?: number;
  readonly least?: number;
  readonly verdict: "ok" | "warning" | "bad" | "unknown";
  /** What to do about it; absent where nothing is to be done. */
  readonly advice?: string;
}

/** One trial: a run as a user's, of codecs of which it is known how they compare. */
export interface DoctorTrial {
  readonly seed: Count;
  /** The codec whose variants are slower; absent in older records: it was that of known cost. */
  readonly slowed?: string;
  /** What a turn of the loop takes here, before and after the trial: the least of several long loops. */
  readonly nanosPerTurn: readonly [number, number];
  /**
   * What a call of the codec takes, as the run measured it and as its turns say. It was not measured where its core was slow beside
   * most batches of all its processes: these are divided by how much longer other work took.
   */
  readonly knownCost: { readonly measured?: NonNegative; readonly truth: NonNegative };
  /** What the run took for its noise: smaller differences are not called differences. */
  readonly gate: number;
  readonly comparisons: readonly DoctorComparison[];
  readonly disturbed: DoctorDisturbances;
}

/** One codec beside the baseline. */
export interface DoctorComparison extends Pick<Standing, "ci95" | "p" | "verdict" | "detectable"> {
  readonly codec: string;
  /** Absent in older records: it was encode. */
  readonly operation?: string;
  readonly ratio: NonNegative;
  /** By which share it is slower in truth; 0 for the baseline itself under another name. */
  readonly injected: number;
}

/** How many measuring processes were disturbed, and by what; null where this system does not tell. */
export interface DoctorDisturbances {
  readonly processes: Count;
  readonly waiting: Count;
  readonly switches: Count;
  readonly pressure: Count | null;
  readonly steal: Count | null;
  readonly throttling: Count | null;
}

/** What the trials found, by what there was to find. */
export interface DoctorFindings {
  /** By which share the measured cost is off: the middle and the furthest of the trials; absent where none measured it. */
  readonly knownCost?: { readonly median: number; readonly furthest: number };
  readonly slowdowns: readonly DoctorSlowdown[];
  /** Comparisons of the baseline with itself under another name that called it different. */
  readonly alike: DoctorRate;
  /** Trials with at least one such comparison. Those of one trial share a baseline: they are not independent. */
  readonly alikeTrials: DoctorRate;
  /** Middle of the least differences that the trials would have found four times in five; null where it cannot be known. */
  readonly detectable: number | null;
}

/** What the trials found, and whether that will do. */
export interface DoctorProof extends DoctorFindings {
  readonly checks: readonly DoctorCheck[];
}

/** What the trials made of one slowdown. */
export interface DoctorSlowdown {
  readonly injected: number;
  /** Middle of the ratios that the trials measured. */
  readonly ratio: number;
  /** Called slower, as it is. */
  readonly found: DoctorRate;
  /** Called faster. */
  readonly reversed: DoctorRate;
  /** Called the same, with certainty. */
  readonly same: DoctorRate;
  readonly undecided: DoctorRate;
}

/** How often something happened, and what that says of how often it does: Wilson's 95 % interval. */
export interface DoctorRate {
  readonly count: Count;
  readonly of: PositiveCount;
  readonly ci95: readonly [number, number];
}

/** Whether the machine can measure. */
export interface DoctorConclusion {
  /** `cannot`: something is bad. `with-care`: there is a warning. */
  readonly verdict: "can" | "with-care" | "cannot";
  /** The smallest injected slowdown that was found often enough, as was every larger one; null where none was. */
  readonly smallest: number | null;
}

/** What is wrong between fields of a record, which its schema cannot say, with its place; undefined where nothing is. */
export function doctorRecordProblem({ trials, proof }: DoctorRecord): string | undefined {
  if ((proof === undefined) === (trials.length === 0)) return undefined;
  return `proof: expected ${trials.length === 0 ? "none without trials" : "one of the trials"}, got ${show(proof)}`;
}
