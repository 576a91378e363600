import { type CompareOptions, compareRecords, compareSides } from "../../analysis/compare/compare.ts";
import type { ProfileName } from "../../measure/profiles.ts";
import type { Dataset } from "../../model/dataset.ts";
import { defined } from "../../model/defined.ts";
import { UsageError } from "../../model/errors.ts";
import type { Comparison } from "../../model/records/comparison.ts";
import type { ReportDefinition } from "../../model/report.ts";
import { renderJson } from "../../reports/any/json.ts";
import { oneLine } from "../../reports/escape.ts";
import { viewOf } from "../../reports/view.ts";
import { readRecord } from "../../store/read-record.ts";
import { PAGE, RECORD, REPORT, ResultFolder } from "../../store/result-folder.ts";
import { type PairedPlan, type PairedSelection, withPairedPlan } from "../../suite/paired/paired-plan.ts";
import { runPlan } from "../../suite/run.ts";
import { datasetsOf } from "../data.ts";
import { untilInterrupted } from "../interrupt.ts";
import { EXIT, type Invocation, type Io } from "../io.ts";
import { type DatasetFlags, firstGiven, formatOf, given, optionOf } from "../options.ts";
import { progressLine } from "../progress-line.ts";
import { Saving } from "../saving.ts";
import { shortReport, summaryFile } from "../summary.ts";
import { reportNamed } from "./report.ts";
import { counterFaults, exitCodeOf } from "./run.ts";

interface CompareFlags extends DatasetFlags {
  readonly base?: string;
  readonly head?: string;
  readonly force?: boolean;
  readonly codec: readonly string[];
  readonly operation: readonly string[];
  readonly profile?: ProfileName;
  readonly counters?: boolean;
  readonly seed?: number;
  readonly timeout?: number;
  readonly plugin: readonly string[];
  readonly out?: string;
  readonly threshold?: number;
  readonly failIfSlower?: number;
  readonly failIfUndecided?: number;
  readonly failIfShifted?: number;
  readonly absolute?: boolean;
  readonly format?: string;
  readonly summary?: string;
  readonly json?: boolean;
}

/** How a comparison is printed. */
type ComparisonReport = ReportDefinition<"comparison">;

/** What is measured and compared: packages, folders or files, as they were typed. */
interface Sides {
  readonly base: string;
  readonly head: string;
}

/** The words of the command line that name records: those of the base, and those of the head, after `--`. */
export interface RecordWords {
  readonly words: readonly string[];
  /** How many of them stand after `--`; undefined where there is none. */
  readonly after: number | undefined;
}

/** `wirebench compare`: records beside each other, or two sides measured together. */
export async function compare(records: RecordWords, flags: CompareFlags, io: Invocation): Promise<number> {
  const { base, head } = flags;
  const format = formatOf(flags);
  // What cannot be written is known before anything is measured.
  summaryFile(flags);
  if (base !== undefined && head !== undefined) {
    if (records.words.length > 0) {
      throw new UsageError(
        `--base and --head: expected no records beside them, got ${records.words.join(" ")}`,
      );
    }
    for (const name of ["force", "absolute"] as const) {
      if (flags[name] === true)
        throw new UsageError(`--${name} is for records: --base and --head share a machine`);
    }
    const report = await reportNamed("comparison", format, flags.plugin);
    return comparePaired({ base, head }, report, flags, io);
  }
  if (base !== undefined || head !== undefined) {
    const [given, missing] = base === undefined ? ["--head", "--base"] : ["--base", "--head"];
    throw new UsageError(`${given} needs ${missing}: what is it compared with?`);
  }
  const { before, after } = sidesOf(records);
  expectNothingToMeasure(flags);
  const report = await reportNamed("comparison", format, flags.plugin);
  const comparison = compareRecords(before.map(readRecord), after.map(readRecord), {
    ...optionsOf(flags),
    absolute: flags.absolute === true,
    force: flags.force === true,
    sources: { base: before, head: after },
  });
  await print(comparison, report, flags, io);
  return verdictOn(comparison);
}

function sidesOf({ words, after }: RecordWords): { before: readonly string[]; after: readonly string[] } {
  const at = after === undefined ? 1 : words.length - after;
  const [before, behind] = [words.slice(0, at), words.slice(at)];
  const option = behind.find((word) => /^-./.test(word));
  if (option !== undefined) throw new UsageError(`${option}: expected options before --, got it after`);
  if (before.length === 0 || behind.length === 0 || (after === undefined && words.length !== 2)) {
    throw new UsageError(
      `compare: expected two records, several of the base and those of the head after -- (compare base1 base2 base3 -- head), or --base and --head, got ${words.join(" ") || "nothing"}`,
    );
  }
  if (words.filter((word) => word === "-").length > 1) {
    throw new UsageError("compare: standard input can be one of the records only, got - twice");
  }
  return { before, after: behind };
}

/** The options that say what to measure, and how. */
const MEASURING = [
  "codec",
  "dataset",
  "operation",
  "schema",
  "include",
  "message",
  "data",
  "as",
  "hint",
  "duplicates",
  "sample",
  "delimited",
  "fillDefaults",
  "unknown",
  "strict",
  "maxValues",
  "int64",
  "profile",
  "counters",
  "seed",
  "timeout",
  "out",
] as const satisfies readonly (keyof CompareFlags)[];

/** Nothing is measured of two records: an option that says what to measure would be ignored in silence. */
function expectNothingToMeasure(flags: CompareFlags): void {
  const name = firstGiven(flags, MEASURING);
  if (name !== undefined)
    throw new UsageError(`${optionOf(name)} is for --base and --head: nothing is measured of records`);
}

/** The file beside run.json that holds the comparison. */
const COMPARISON = "comparison.json";

/** Measures both sides in the same blocks, keeps the record, and compares. */
async function comparePaired(
  sides: Sides,
  report: ComparisonReport,
  flags: CompareFlags,
  io: Invocation,
): Promise<number> {
  const selection = selectionOf(flags, await datasetsOf(flags, io));
  return untilInterrupted((signal) =>
    withPairedPlan(sides, selection, signal, (paired) => measure(paired, sides, report, flags, signal, io)),
  );
}

async function measure(
  { plan, names }: PairedPlan,
  sides: Sides,
  report: ComparisonReport,
  flags: CompareFlags,
  signal: AbortSignal,
  io: Invocation,
): Promise<number> {
  const folder = new ResultFolder(flags.out, [RECORD, REPORT, PAGE, COMPARISON]);
  for (const fault of counterFaults(plan)) io.tell(fault);
  const progress = progressLine(io);
  const saving = new Saving();
  const record = await runPlan(plan, {
    command: io.command,
    signal,
    onProgress: (now) => progress.show(now),
    onJournal: (line) => saving.attempt("record", () => folder.append(line)),
  });
  saving.attempt("record", () => folder.save(record));
  progress.clear();
  for (const data of viewOf(record).datasets) for (const line of data.refusals()) io.tell(`${line}\n`);
  const comparison = compareSides(record, names, sides, optionsOf(flags));
  saving.attempt("comparison", () => folder.replace(COMPARISON, renderJson(comparison)));
  await print(comparison, report, flags, io);
  saving.expectSaved();
  io.tell(`\n${folder.path}/${RECORD}, ${REPORT}, ${PAGE} and ${COMPARISON}\n`);
  const verdict = verdictOn(comparison);
  const code = exitCodeOf(record);
  return code === EXIT.ok ? verdict : code;
}

function selectionOf(flags: CompareFlags, datasets: readonly (string | Dataset)[]): PairedSelection {
  return {
    plugins: flags.plugin,
    counters: flags.counters === true,
    ...defined({
      codecs: given(flags.codec),
      datasets: given(datasets),
      operations: given(flags.operation),
      int64: flags.int64,
      profile: flags.profile,
      seed: flags.seed,
      timeoutSeconds: flags.timeout,
      threshold: flags.threshold,
    }),
  };
}

/** What a comparison is to look at. */
function optionsOf(flags: CompareFlags): CompareOptions {
  const { threshold, failIfSlower, failIfUndecided, failIfShifted } = flags;
  return defined({ threshold, failIfSlower, failIfUndecided, failIfShifted });
}

/** Prints a comparison, and says on standard error what should make one careful, where no eye has read it already. */
async function print(
  comparison: Comparison,
  report: ComparisonReport,
  flags: CompareFlags,
  io: Io,
): Promise<void> {
  const text = report.render(comparison, io.width?.());
  io.print(text);
  summaryFile(flags)?.append(await shortReport(comparison));
  const read = io.isShown() ? oneLine(text) : "";
  for (const warning of comparison.warnings.map(oneLine)) {
    if (!read.includes(warning)) io.tell(`warning: ${warning}\n`);
  }
}

/** The exit code that a comparison deserves. */
function verdictOn({ failIfSlower, failIfUndecided, failIfShifted }: Comparison): number {
  const { slower = [], failed = [] } = failIfSlower ?? {};
  if (slower.length + failed.length > 0 || failIfShifted?.shifted === true) return EXIT.failed;
  const { cells = [], failed: lost = [], nothing } = failIfUndecided ?? {};
  return cells.length + lost.length > 0 || nothing === true ? EXIT.undecided : EXIT.ok;
}
