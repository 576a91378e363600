import { OWN_VERSION } from "../../catalog/library-version.ts";
import type { ProfileName } from "../../measure/profiles.ts";
import { VerificationError } from "../../model/errors.ts";
import { expectNumber } from "../../model/expect-option.ts";
import {
  DOCTOR_RECORD_VERSION,
  type DoctorLoad,
  type DoctorRecord,
  type DoctorTrial,
} from "../../model/records/doctor.ts";
import { environment } from "../environment.ts";
import type { Plan } from "../plan.ts";
import type { OnProgress } from "../progress-meter.ts";
import { MESSAGE, MESSAGES, TURNS } from "./known-shares.ts";
import { machineChecks } from "./machine-checks.ts";
import { machineReadings, pagesSwapped } from "./machine-readings.ts";
import { conclusionOf, findingsOf, proofOf, smallestFound } from "./proof.ts";
import { TrialRunner } from "./trial-runner.ts";

/** How thoroughly to look, and whom to inform meanwhile. */
export interface DoctorOptions {
  /** Runs in a row, of about 40 s each at `standard`; by default 4. */
  readonly trials?: number;
  /** Whether a second row of as many trials runs beside a busy core; by default it does. */
  readonly load?: boolean;
  /** As of a run: by default `standard`. */
  readonly profile?: ProfileName;
  /** Of the first trial, 0 to 2^31 - 1; by default drawn anew and recorded. */
  readonly seed?: number;
  /** What the trials measure in, as one of the runtimes of a run: `bun`; by default what wirebench is run with. */
  readonly runtime?: string;
  /** The command line, for the record. */
  readonly command?: string;
  /** Stops it: the trials that were finished are kept. */
  readonly signal?: AbortSignal;
  /** Called before each measuring process starts, and once at the end. */
  readonly onProgress?: OnProgress;
  /** Called with the record so far after each trial, and once at the end. */
  readonly onRecord?: (record: DoctorRecord) => void;
}

const TRIALS = 4;
const MOST_TRIALS = 10_000;

/**
 * Says whether this machine can measure, and proves the tool on work of known cost. A trial is what a user's run is: the
 * same blocks, processes, sampler and verdicts, of a real codec, of that codec under other names, and of variants that are
 * slower by a known share. The conclusion is drawn from the first row of trials; the row beside a busy core says what is
 * left of it there. Throws UsageError for options that make no sense.
 */
export async function doctor(options: DoctorOptions = {}): Promise<DoctorRecord> {
  const { signal, onRecord, load = true } = options;
  const trials = expectNumber("trials", options.trials ?? TRIALS, {
    integer: true,
    least: 1,
    most: MOST_TRIALS,
  });
  const runner = await TrialRunner.of({ ...options, trials, load });
  const base = baseOf(runner.plan, { trials, load }, options.command ?? "wirebench.doctor()");
  const readings = await machineReadings();
  const swappedBefore = pagesSwapped();
  const quiet: DoctorTrial[] = [];
  const loaded: DoctorTrial[] = [];
  let machine = machineChecks(readings, quiet, swappedBefore && 0);
  const record = (end: Pick<DoctorRecord, "complete" | "reason" | "finishedAt">): DoctorRecord => {
    const proof = quiet.length === 0 ? undefined : proofOf(quiet);
    return {
      ...base,
      ...end,
      machine,
      trials: [...quiet],
      ...(proof && { proof, conclusion: conclusionOf(machine, proof) }),
      ...(loaded.length > 0 && { load: loadOf(loaded) }),
    };
  };
  let reason: string | undefined;
  try {
    for (const row of load ? [quiet, loaded] : [quiet]) {
      while (row.length < trials) {
        row.push(await runner.trial(row.length, row === loaded));
        // What the busy loop does to the machine is not the machine's.
        if (row === quiet) machine = machineChecks(readings, quiet, swappedSince(swappedBefore));
        onRecord?.(record({ complete: false }));
      }
    }
  } catch (error) {
    if (signal?.aborted === true) reason = "interrupted";
    else if (error instanceof VerificationError) reason = error.message;
    else throw error;
  }
  if (reason === undefined) runner.ends();
  const finishedAt = new Date().toISOString();
  const last =
    reason === undefined
      ? record({ complete: true, finishedAt })
      : record({ complete: false, reason, finishedAt });
  onRecord?.(last);
  return last;
}

/** Pages; null where the system does not say. */
function swappedSince(before: number | null): number | null {
  const now = pagesSwapped();
  return now === null || before === null ? null : now - before;
}

/** What the trials beside a busy core found, of which there is at least one. */
function loadOf(trials: readonly DoctorTrial[]): DoctorLoad {
  const findings = findingsOf(trials);
  return { trials: [...trials], findings, smallest: smallestFound(findings.slowdowns) };
}

function baseOf(
  { profileName, profile, seed, threshold, runtimes }: Plan,
  rows: { readonly trials: number; readonly load: boolean },
  command: string,
): Pick<
  DoctorRecord,
  "schemaVersion" | "kind" | "tool" | "startedAt" | "environment" | "runtimes" | "options"
> {
  const { processes, warmupMs, measureMs, batchMicros } = profile;
  return {
    schemaVersion: DOCTOR_RECORD_VERSION,
    kind: "doctor",
    tool: { name: "wirebench", version: OWN_VERSION, command },
    startedAt: new Date().toISOString(),
    environment: environment(runtimes.find(({ isCurrent }) => isCurrent)?.execArgv),
    runtimes: runtimes.map(({ label, identity, execArgv }) => ({ ...identity, label, execArgv })),
    options: {
      profile: profileName,
      ...rows,
      seed,
      threshold,
      processes,
      warmupMs,
      measureMs,
      batchMicros,
      turns: TURNS,
      messages: MESSAGES,
      message: MESSAGE,
    },
  };
}
