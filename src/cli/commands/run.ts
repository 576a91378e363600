import path from "node:path";
import type { ProfileName } from "../../measure/profiles.ts";
import type { Dataset } from "../../model/dataset.ts";
import { defined } from "../../model/defined.ts";
import { UsageError } from "../../model/errors.ts";
import type { RunRecord } from "../../model/records/run.ts";
import { formatShare } from "../../model/share.ts";
import { renderJson } from "../../reports/any/json.ts";
import { oneLine } from "../../reports/escape.ts";
import { runtimeName } from "../../reports/provenance.ts";
import { renderText } from "../../reports/run/text.ts";
import { counted, formatDuration } from "../../reports/units.ts";
import type { UnnamedRuntime } from "../../runtimes/launch/find.ts";
import { openFile } from "../../runtimes/node/open-file.ts";
import { PAGE, RECORD, REPORT, ResultFolder } from "../../store/result-folder.ts";
import { MACHINE_LIMITS } from "../../suite/doctor/machine-checks.ts";
import { busyShare } from "../../suite/doctor/machine-readings.ts";
import { estimateOf } from "../../suite/estimate.ts";
import { makePlan, type Plan } from "../../suite/plan.ts";
import type { PlannedDataset } from "../../suite/planned-dataset.ts";
import { runPlan } from "../../suite/run.ts";
import type { Isolation, Jit, NativeSelection, Selection, Study } from "../../suite/selection.ts";
import { datasetsOf } from "../data.ts";
import { untilInterrupted } from "../interrupt.ts";
import type { Invocation } from "../io.ts";
import { EXIT } from "../io.ts";
import { LiveTable } from "../live-table.ts";
import { type NativeFlags, withNatives } from "../native-selection.ts";
import { type DatasetFlags, firstGiven, given, NATS_FLAGS, optionOf } from "../options.ts";
import { Saving } from "../saving.ts";
import { shortReport, summaryFile } from "../summary.ts";
import type { RunOnFlags } from "./work.ts";

/** What a command says of a browser that is opened by hand. */
interface ServeFlags {
  readonly serve?: boolean;
  readonly host?: string;
  readonly port?: number;
}

interface RunFlags extends DatasetFlags, NativeFlags, ServeFlags, Partial<RunOnFlags> {
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
  readonly goal?: string;
  readonly study?: Study;
  readonly plugin: readonly string[];
  readonly use: readonly string[];
  readonly install?: boolean;
  /** False where `--no-eval` is given. */
  readonly eval: boolean;
  readonly out?: string;
  readonly summary?: string;
  readonly json?: boolean;
  readonly open?: boolean;
}

/** `wirebench run`: measures, keeps what each process answers, and prints the tables. */
export async function run(flags: RunFlags, io: Invocation): Promise<number> {
  if (flags.machines !== undefined && !isElsewhere(flags))
    throw new UsageError("--machines needs --on: where are they?");
  const ofServer = firstGiven(flags, NATS_FLAGS);
  if (ofServer !== undefined && !isElsewhere(flags))
    throw new UsageError(`${optionOf(ofServer)} needs --on: which server is it for?`);
  // Everything that can be wrong is found before a folder is made.
  const summary = summaryFile(flags);
  const datasets = await datasetsOf(flags, io);
  // Also before anybody opens a page.
  if (flags.serve === true) await planned(selectionOf(flags, datasets, undefined));
  const table = new LiveTable(io);
  const say = (line: string): void => {
    table.clear();
    io.tell(`${oneLine(line)}\n`);
  };
  return withServedPage(flags, say, (opened) => measured(flags, { summary, datasets, opened, table }, io));
}

/** What is known before anything is planned, and what shows the run. */
interface Prepared {
  readonly summary: ReturnType<typeof summaryFile>;
  readonly datasets: readonly (string | Dataset)[];
  readonly opened: readonly UnnamedRuntime[];
  readonly table: LiveTable;
}

async function measured(
  flags: RunFlags,
  { summary, datasets, opened, table }: Prepared,
  io: Invocation,
): Promise<number> {
  const { selection, plan } = await withNatives(flags, io, async (native) => {
    const asked = selectionOf(flags, datasets, native);
    return { selection: asked, plan: await planned(asked, opened) };
  });
  const elsewhere = isElsewhere(flags)
    ? await (await import("./work.ts")).elsewhere(flags, { plan, selection }, io)
    : undefined;
  const folder = new ResultFolder(flags.out);
  // A run that is killed is recovered from there.
  io.tell(`results go to ${folder.path}\n`);
  if (elsewhere === undefined) {
    const { processes, ms } = estimateOf(plan);
    const shorter = ms > LONG_MS && plan.pairs.some(({ dataset }) => isMuch(dataset));
    io.tell(
      `${counted(processes, "measuring process", "measuring processes")}, about ${formatDuration(ms)}${shorter ? `; --sample ${FEW} takes fewer of the values` : ""}\n`,
    );
    if (plan.leftOut !== undefined)
      io.tell(`${counted(plan.leftOut, "codec")} left out: wirebench list codecs has all, -c takes any\n`);
    for (const warning of await warningsHere(plan)) io.tell(warning);
  }
  const saving = new Saving();
  const record = await untilInterrupted((signal) =>
    elsewhere === undefined
      ? runPlan(plan, {
          command: io.command,
          signal,
          onProgress: (now) => table.progress(now),
          ...(io.size() !== undefined && { onRecord: (now: RunRecord) => table.show(now) }),
          onJournal: (line) => saving.attempt("record", () => folder.append(line)),
        })
      : elsewhere(signal, (now) => saving.attempt("record", () => folder.save(now))),
  );
  saving.attempt("record", () => folder.save(record));
  table.clear();
  io.print(flags.json === true ? renderJson(record) : `\n${renderText(record, io.width())}`);
  if (summary !== undefined) {
    const short = await shortReport(record);
    saving.attempt("summary", () => summary.append(short));
  }
  saving.expectSaved();
  io.tell(`\n${folder.path}/${RECORD}, ${REPORT} and ${PAGE}\n`);
  if (flags.open === true) {
    const problem = await openFile(path.join(folder.path, PAGE));
    if (problem !== undefined) io.tell(`--open: ${problem}\n`);
  }
  return exitCodeOf(record);
}

/**
 * Does some work with the browser that opens the page of `--serve`, which is waited for; without it at once. Throws UsageError,
 * and Interrupted where nobody opens it.
 * @param say tells a line
 */
async function withServedPage<T>(
  { serve = false, host, port }: ServeFlags,
  say: (line: string) => void,
  work: (opened: readonly UnnamedRuntime[]) => Promise<T>,
): Promise<T> {
  if (!serve) {
    for (const [option, value] of Object.entries({ host, port }))
      if (value !== undefined) throw new UsageError(`--${option} needs --serve: nothing else is served`);
    return work([]);
  }
  const { ServedPage } = await import("../../runtimes/page/served.ts");
  const page = await ServedPage.open({ ...defined({ host, port }), say });
  try {
    const opened = await untilInterrupted((signal) => {
      // Whoever reads it may be in a hurry to interrupt.
      say(`open in the browser that is to be measured: ${page.addresses.join(" or ")}`);
      return page.runtime(signal);
    });
    say(`${runtimeName(opened.identity)} is there`);
    return await work([opened]);
  } finally {
    page.close();
  }
}

/** The plan of a selection. Ctrl-C ends what fetches a library at once. Throws Interrupted. */
async function planned(selection: Selection, opened: readonly UnnamedRuntime[] = []): Promise<Plan> {
  if (selection.use === undefined && selection.install !== true)
    return makePlan(selection, undefined, opened);
  return untilInterrupted((signal) => makePlan(selection, signal, opened));
}

/** A run that takes longer, of data with more values than a few, can be had shorter. */
const LONG_MS = 600_000;
const FEW = 1000;

function isMuch({ source }: PlannedDataset): boolean {
  return typeof source !== "string" && source.values.length > FEW;
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

function selectionOf(
  flags: RunFlags,
  datasets: readonly (string | Dataset)[],
  native: NativeSelection | undefined,
): Selection {
  return {
    profile: flags.profile,
    isolate: flags.isolate,
    plugins: flags.plugin,
    parts: flags.parts === true,
    counters: flags.counters === true,
    jit: flags.jit,
    ...defined({
      codecs: given(flags.codec),
      use: given(flags.use),
      install: flags.install,
      noEval: flags.eval ? undefined : true,
      datasets: given(datasets),
      operations: given(flags.operation),
      runtimes: given(flags.runtime),
      bandwidths: given(flags.bandwidth),
      study: flags.study,
      native,
      goal: flags.goal,
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
  return `warning: other programs take ${formatShare(busy)} of this machine, and\n  codecs may not be told apart: close them\n`;
}

/** Interrupted, failed or well, by what the record says. */
export function exitCodeOf(record: RunRecord): number {
  if (!record.complete) return record.reason === undefined ? EXIT.interrupted : EXIT.failed;
  return record.cells.some((cell) => cell.status === "failed") ? EXIT.failed : EXIT.ok;
}
