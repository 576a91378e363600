import { type CompareOptions, compareRecords, compareSides } from "../../analysis/compare/compare.ts";
import type { ProfileName } from "../../measure/profiles.ts";
import type { Dataset } from "../../model/dataset.ts";
import { defined } from "../../model/defined.ts";
import { UsageError } from "../../model/errors.ts";
import type { Comparison } from "../../model/records/comparison.ts";
import { renderJson } from "../../reports/any/json.ts";
import { renderComparisonText } from "../../reports/comparison/text.ts";
import { oneLine } from "../../reports/escape.ts";
import { viewOf } from "../../reports/view.ts";
import { readRecord } from "../../store/read-record.ts";
import { RECORD, REPORT, ResultFolder } from "../../store/result-folder.ts";
import { type PairedPlan, type PairedSelection, withPairedPlan } from "../../suite/paired/paired-plan.ts";
import { runPlan } from "../../suite/run.ts";
import { datasetsOf } from "../data.ts";
import { untilInterrupted } from "../interrupt.ts";
import { EXIT, type Invocation, type Io } from "../io.ts";
import { type DatasetFlags, given } from "../options.ts";
import { progressLine } from "../progress-line.ts";
import { Saving } from "../saving.ts";
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
  readonly json?: boolean;
}

/** What is measured and compared: packages, folders or files, as they were typed. */
interface Sides {
  readonly base: string;
  readonly head: string;
}

/** `wirebench compare`: two records beside each other, or two sides measured together. */
export async function compare(
  records: readonly string[],
  flags: CompareFlags,
  io: Invocation,
): Promise<number> {
  const { base, head } = flags;
  if (base !== undefined && head !== undefined) {
    if (records.length > 0) {
      throw new UsageError(`--base and --head: expected no records beside them, got ${records.join(" ")}`);
    }
    if (flags.force === true)
      throw new UsageError("--force is for two records: --base and --head share a machine");
    return comparePaired({ base, head }, flags, io);
  }
  if (base !== undefined || head !== undefined) {
    const [given, missing] = base === undefined ? ["--head", "--base"] : ["--base", "--head"];
    throw new UsageError(`${given} needs ${missing}: what is it compared with?`);
  }
  const [before, after] = records;
  if (before === undefined || after === undefined || records.length > 2) {
    throw new UsageError(
      `compare: expected two records, or --base and --head, got ${records.join(" ") || "nothing"}`,
    );
  }
  if (before === "-" && after === "-") {
    throw new UsageError("compare: standard input can be one of the records only, got - twice");
  }
  expectNothingToMeasure(flags);
  const comparison = compareRecords(readRecord(before), readRecord(after), {
    ...optionsOf(flags),
    force: flags.force === true,
    sources: { base: before, head: after },
  });
  return answer(comparison, flags, io);
}

/** Nothing is measured of two records: an option that says what to measure would be ignored in silence. */
function expectNothingToMeasure(flags: CompareFlags): void {
  const given = [
    ...(["codec", "dataset", "operation", "plugin", "data"] as const).filter(
      (name) => flags[name].length > 0,
    ),
    ...(["schema", "message", "int64", "profile", "counters", "seed", "timeout", "out"] as const).filter(
      (name) => flags[name] !== undefined,
    ),
  ];
  if (given[0] !== undefined) {
    throw new UsageError(`--${given[0]} is for --base and --head: nothing is measured of two records`);
  }
}

/** The file beside run.json that holds the comparison. */
const COMPARISON = "comparison.json";

/** Measures both sides in the same blocks, keeps the record, and compares. */
async function comparePaired(sides: Sides, flags: CompareFlags, io: Invocation): Promise<number> {
  const selection = selectionOf(flags, await datasetsOf(flags));
  return untilInterrupted(async (signal) => {
    try {
      return await withPairedPlan(sides, selection, signal, (paired) =>
        measure(paired, sides, flags, signal, io),
      );
    } catch (error) {
      // Before anything was measured there is nothing to keep.
      if (signal.aborted && error === signal.reason) return EXIT.interrupted;
      throw error;
    }
  });
}

async function measure(
  { plan, names }: PairedPlan,
  sides: Sides,
  flags: CompareFlags,
  signal: AbortSignal,
  io: Invocation,
): Promise<number> {
  const folder = new ResultFolder(flags.out, [RECORD, REPORT, COMPARISON]);
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
  const verdict = answer(comparison, flags, io);
  saving.expectSaved();
  io.tell(`\n${folder.path}/run.json, report.md and ${COMPARISON}\n`);
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
function optionsOf({ threshold, failIfSlower }: CompareFlags): CompareOptions {
  return defined({ threshold, failIfSlower });
}

/** Prints a comparison, and its warnings on standard error too. Gives the exit code that it deserves. */
function answer(comparison: Comparison, { json }: CompareFlags, io: Io): number {
  io.print(json === true ? renderJson(comparison) : renderComparisonText(comparison));
  for (const warning of comparison.warnings) io.tell(`warning: ${oneLine(warning)}\n`);
  const { slower = [], failed = [] } = comparison.failIfSlower ?? {};
  return slower.length + failed.length > 0 ? EXIT.failed : EXIT.ok;
}
