import type { ProfileName } from "../../measure/profiles.ts";
import type { Dataset } from "../../model/dataset.ts";
import { defined } from "../../model/defined.ts";
import { UsageError } from "../../model/errors.ts";
import type { RunRecord } from "../../model/records/run.ts";
import { formatShare } from "../../model/share.ts";
import { renderJson } from "../../reports/any/json.ts";
import { renderText } from "../../reports/run/text.ts";
import { ResultFolder } from "../../store/result-folder.ts";
import { MACHINE_LIMITS } from "../../suite/doctor/machine-checks.ts";
import { busyShare } from "../../suite/doctor/machine-readings.ts";
import { makePlan, type Plan } from "../../suite/plan.ts";
import { runPlan } from "../../suite/run.ts";
import type { Isolation, Jit, Selection, Study } from "../../suite/selection.ts";
import { datasetsOf } from "../data.ts";
import { untilInterrupted } from "../interrupt.ts";
import type { Invocation } from "../io.ts";
import { EXIT } from "../io.ts";
import { type NativeFlags, nativeSelection } from "../native-selection.ts";
import { type DatasetFlags, given } from "../options.ts";
import { progressLine } from "../progress-line.ts";
import { Saving } from "../saving.ts";
import type { RunOnFlags } from "./work.ts";

interface RunFlags extends DatasetFlags, NativeFlags, Partial<RunOnFlags> {
  readonly codec: readonly string[];
  readonly operation: readonly string[];
  readonly parts?: boolean;
  readonly counters?: boolean;
  readonly profile: ProfileName;
  readonly runtime: readonly string[];
  readonly isolate: Isolation;
  readonly cores?: number;
  readonly baseline?: string;
  readonly seed?: number;
  readonly shard?: string;
  readonly timeout?: number;
  readonly threshold?: number;
  readonly jit: Jit;
  readonly bandwidth: readonly number[];
  readonly study?: Study;
  readonly plugin: readonly string[];
  readonly out?: string;
  readonly json?: boolean;
}

/** `wirebench run`: measures, keeps what each process answers, and prints the tables. */
export async function run(flags: RunFlags, io: Invocation): Promise<number> {
  if (flags.machines !== undefined && !isElsewhere(flags))
    throw new UsageError("--machines needs --on: where are they?");
  // Everything that can be wrong is found before a folder is made.
  const selection = selectionOf(flags, await datasetsOf(flags), io);
  const plan = await makePlan(selection);
  const elsewhere = isElsewhere(flags)
    ? await (await import("./work.ts")).elsewhere(flags, { plan, selection }, io)
    : undefined;
  const folder = new ResultFolder(flags.out);
  // A run that is killed is recovered from there.
  io.tell(`results go to ${folder.path}\n`);
  if (elsewhere === undefined) for (const warning of await warningsHere(plan)) io.tell(warning);
  const progress = progressLine(io);
  const saving = new Saving();
  const record = await untilInterrupted((signal) =>
    elsewhere === undefined
      ? runPlan(plan, {
          command: io.command,
          signal,
          onProgress: (now) => progress.show(now),
          onJournal: (line) => saving.attempt("record", () => folder.append(line)),
        })
      : elsewhere(signal, (now) => saving.attempt("record", () => folder.save(now))),
  );
  saving.attempt("record", () => folder.save(record));
  progress.clear();
  io.print(flags.json === true ? renderJson(record) : `\n${renderText(record)}`);
  saving.expectSaved();
  io.tell(`\n${folder.path}/run.json and report.md\n`);
  return exitCodeOf(record);
}

/** What of this machine keeps a run from what it could be. */
async function warningsHere(plan: Plan): Promise<string[]> {
  const busy = busyWarning(await busyShare(LOOK_MS));
  const missing = (plan.natives?.missing ?? []).map((line) => `left out: ${line}\n`);
  return [...counterFaults(plan), ...missing, ...(busy === undefined ? [] : [busy])];
}

function isElsewhere(flags: RunFlags): flags is RunFlags & RunOnFlags {
  return flags.on !== undefined;
}

function selectionOf(flags: RunFlags, datasets: readonly (string | Dataset)[], io: Invocation): Selection {
  return {
    profile: flags.profile,
    isolate: flags.isolate,
    plugins: flags.plugin,
    parts: flags.parts === true,
    counters: flags.counters === true,
    jit: flags.jit,
    ...defined({
      codecs: given(flags.codec),
      datasets: given(datasets),
      operations: given(flags.operation),
      runtimes: given(flags.runtime),
      bandwidths: given(flags.bandwidth),
      study: flags.study,
      native: nativeSelection(flags, io),
      threshold: flags.threshold,
      int64: flags.int64,
      cores: flags.cores,
      baseline: flags.baseline,
      seed: flags.seed,
      shard: flags.shard,
      timeoutSeconds: flags.timeout,
    }),
  };
}

/** Why nothing is counted that was to be: a line before the time is spent. */
export function counterFaults({ counters }: Plan): string[] {
  return counters !== undefined && "unavailable" in counters
    ? [`no hardware counters: ${counters.unavailable}\n`]
    : [];
}

/** How long the machine is looked at before a run. */
const LOOK_MS = 300;

/** What is said before a run on a machine on which others are at work; undefined on a quiet one. */
export function busyWarning(busy: number): string | undefined {
  if (busy <= MACHINE_LIMITS.busy.bad) return undefined;
  return `warning: other programs take ${formatShare(busy)} of this machine: close them, or codecs may not be told apart\n`;
}

/** Interrupted, failed or well, by what the record says. */
export function exitCodeOf(record: RunRecord): number {
  if (!record.complete) return record.reason === undefined ? EXIT.interrupted : EXIT.failed;
  return record.cells.some((cell) => cell.status === "failed") ? EXIT.failed : EXIT.ok;
}
