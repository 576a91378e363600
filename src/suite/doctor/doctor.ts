import { fileURLToPath } from "node:url";
import { OWN_VERSION } from "../../catalog/library-version.ts";
import type { ProfileName } from "../../measure/profiles.ts";
import { defined } from "../../model/defined.ts";
import { VerificationError } from "../../model/errors.ts";
import { expectNumber } from "../../model/expect-option.ts";
import { DOCTOR_RECORD_VERSION, type DoctorRecord, type DoctorTrial } from "../../model/records/doctor.ts";
import { environment } from "../environment.ts";
import { makePlan, type Plan } from "../plan.ts";
import type { OnProgress } from "../progress-meter.ts";
import { runPlan } from "../run.ts";
import { INJECTED, KNOWN_COST, NOTHING, TURNS } from "./known-turns.ts";
import { machineChecks } from "./machine-checks.ts";
import { machineReadings, pagesSwapped } from "./machine-readings.ts";
import { conclusionOf, proofOf } from "./proof.ts";
import { trialOf, turnCost } from "./trial.ts";

/** How thoroughly to look, and whom to inform meanwhile. */
export interface DoctorOptions {
  /** Runs of the known-cost codec, of about 25 s each at `standard`; by default 5. */
  readonly trials?: number;
  /** As of a run: by default `standard`. */
  readonly profile?: ProfileName;
  /** Of the first trial, 0 to 2^31 - 1; by default drawn anew and recorded. */
  readonly seed?: number;
  /** The command line, for the record. */
  readonly command?: string;
  /** Stops it: the trials that were finished are kept. */
  readonly signal?: AbortSignal;
  /** Called before each measuring process starts, and once at the end. */
  readonly onProgress?: OnProgress;
  /** Called with the record so far after each trial, and once at the end. */
  readonly onRecord?: (record: DoctorRecord) => void;
}

const TRIALS = 5;
const MOST_TRIALS = 10_000;
const SEEDS = 2 ** 31;

/**
 * Says whether this machine can measure, and proves the tool on work of known cost. A trial is what a user's run is: the
 * same blocks, processes, sampler and comparisons, of a codec whose calls cost a known time, of that codec under other
 * names, and of variants that are slower by a known share. Throws UsageError for options that make no sense.
 */
export async function doctor(options: DoctorOptions = {}): Promise<DoctorRecord> {
  const { signal, onRecord } = options;
  const trials = expectNumber("trials", options.trials ?? TRIALS, {
    integer: true,
    least: 1,
    most: MOST_TRIALS,
  });
  const plan = await makePlan({
    codecs: [KNOWN_COST, ...INJECTED.keys()],
    datasets: [NOTHING],
    operations: ["encode"],
    baseline: KNOWN_COST,
    plugins: [pluginFile()],
    ...defined({ profile: options.profile, seed: options.seed }),
  });
  const base = baseOf(plan, trials, options.command ?? "wirebench.doctor()");
  const readings = await machineReadings();
  const swappedBefore = pagesSwapped();
  const finished: DoctorTrial[] = [];
  const record = (end: Pick<DoctorRecord, "complete" | "reason" | "finishedAt">): DoctorRecord => {
    const swapped = pagesSwapped();
    const both = swapped === null || swappedBefore === null ? null : swapped - swappedBefore;
    const machine = machineChecks(readings, finished, both);
    const proof = finished.length === 0 ? undefined : proofOf(finished);
    return {
      ...base,
      ...end,
      machine,
      trials: [...finished],
      ...(proof && { proof, conclusion: conclusionOf(machine, proof) }),
    };
  };
  const meter = new TrialMeter(plan, trials, options.onProgress);
  let reason: string | undefined;
  try {
    while (finished.length < trials) {
      finished.push(await oneTrial(plan, finished.length, meter, signal));
      if (finished.length < trials) onRecord?.(record({ complete: false }));
    }
  } catch (error) {
    if (signal?.aborted === true) reason = "interrupted";
    else if (error instanceof VerificationError) reason = error.message;
    else throw error;
  }
  meter.ends();
  const finishedAt = new Date().toISOString();
  const last =
    reason === undefined
      ? record({ complete: true, finishedAt })
      : record({ complete: false, reason, finishedAt });
  onRecord?.(last);
  return last;
}

/** Rejects with the signal's reason. Throws VerificationError where a codec was not measured. */
async function oneTrial(
  plan: Plan,
  index: number,
  meter: TrialMeter,
  signal: AbortSignal | undefined,
): Promise<DoctorTrial> {
  signal?.throwIfAborted();
  const before = turnCost();
  const run = await runPlan(
    // Time is all that is proven.
    { ...plan, seed: (plan.seed + index) % SEEDS, survey: false },
    { ...defined({ signal }), onProgress: meter.trial(index) },
  );
  signal?.throwIfAborted();
  return trialOf(run, [before, turnCost()]);
}

/** Counts the processes of all trials, and estimates how long the rest takes. */
class TrialMeter {
  readonly #onProgress: OnProgress | undefined;
  readonly #started = Date.now();
  readonly #trials: number;
  readonly #each: number;

  constructor(plan: Plan, trials: number, onProgress: OnProgress | undefined) {
    this.#trials = trials;
    this.#each = plan.profile.processes * plan.pairs.length;
    this.#onProgress = onProgress;
  }

  /** What a trial's run is to tell. */
  trial(index: number): OnProgress {
    return ({ done: own, current }) => {
      if (current === undefined) return;
      const [done, total] = [index * this.#each + own, this.#trials * this.#each];
      const elapsedMs = Date.now() - this.#started;
      const remaining = done === 0 ? {} : { remainingMs: (elapsedMs / done) * (total - done) };
      const where = { dataset: `trial ${index + 1} of ${this.#trials},`, codec: current.codec };
      this.#onProgress?.({ done, total, current: where, elapsedMs, ...remaining });
    };
  }

  ends(): void {
    const total = this.#trials * this.#each;
    this.#onProgress?.({ done: total, total, elapsedMs: Date.now() - this.#started, remainingMs: 0 });
  }
}

function baseOf(
  { profileName, profile, seed, threshold }: Plan,
  trials: number,
  command: string,
): Pick<DoctorRecord, "schemaVersion" | "kind" | "tool" | "startedAt" | "environment" | "options"> {
  const { processes, warmupMs, measureMs, batchMicros } = profile;
  return {
    schemaVersion: DOCTOR_RECORD_VERSION,
    kind: "doctor",
    tool: { name: "wirebench", version: OWN_VERSION, command },
    startedAt: new Date().toISOString(),
    environment: environment(),
    options: {
      profile: profileName,
      trials,
      seed,
      threshold,
      processes,
      warmupMs,
      measureMs,
      batchMicros,
      turns: TURNS,
    },
  };
}

/** The codec beside this module: a built .js, or the .ts that it is made of. */
function pluginFile(): string {
  const self = fileURLToPath(import.meta.url);
  return fileURLToPath(new URL(`./${KNOWN_COST}${self.slice(self.lastIndexOf("."))}`, import.meta.url));
}
