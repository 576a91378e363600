import { compareSides } from "../../analysis/compare/sides.ts";
import type { ProfileName } from "../../measure/profiles.ts";
import { renderJson } from "../../reports/run/json.ts";
import { refusals } from "../../reports/tables/cells.ts";
import { RECORD, REPORT, ResultFolder } from "../../store/result-folder.ts";
import { type PairedPlan, type PairedSelection, withPairedPlan } from "../../suite/paired/paired-plan.ts";
import { runPlan } from "../../suite/run.ts";
import { commandLine } from "../command-line.ts";
import { datasetsOf } from "../data.ts";
import { EXIT } from "../exit-code.ts";
import { untilInterrupted } from "../interrupt.ts";
import type { DatasetFlags } from "../options.ts";
import { ProgressLine } from "../progress-line.ts";
import { Saving } from "../saving.ts";
import { type AnswerFlags, answer, optionsOf } from "./compare-answer.ts";
import { exitCodeOf } from "./run.ts";

/** What is measured, and how it is judged. */
export interface PairedFlags extends DatasetFlags, AnswerFlags {
  readonly codec: readonly string[];
  readonly operation: readonly string[];
  readonly profile?: ProfileName;
  readonly seed?: number;
  readonly timeout?: number;
  readonly plugin: readonly string[];
  readonly out?: string;
}

/** The file beside run.json that holds the comparison. */
const COMPARISON = "comparison.json";

/** `wirebench compare --base … --head …`: measures both sides in the same blocks, keeps the record, and compares. */
export async function comparePaired(
  sides: { readonly base: string; readonly head: string },
  flags: PairedFlags,
): Promise<number> {
  const datasets = await datasetsOf(flags);
  const selection = { ...selectionOf(flags), ...(datasets.length > 0 ? { datasets } : {}) };
  return untilInterrupted(async (signal) => {
    try {
      return await withPairedPlan(sides, selection, signal, (paired) =>
        measure(paired, sides, flags, signal),
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
  sides: { readonly base: string; readonly head: string },
  flags: PairedFlags,
  signal: AbortSignal,
): Promise<number> {
  const folder = new ResultFolder(flags.out, [RECORD, REPORT, COMPARISON]);
  const progress = new ProgressLine(process.stderr);
  const saving = new Saving();
  const record = await runPlan(plan, {
    command: commandLine(),
    signal,
    onProgress: (now) => progress.show(now),
    onRecord: (now) => saving.attempt("record", () => folder.save(now)),
  });
  progress.clear();
  for (const { name } of record.datasets)
    for (const line of refusals(record, name)) process.stderr.write(`${line}\n`);
  const comparison = compareSides(record, names, sides, optionsOf(flags));
  saving.attempt("comparison", () => folder.replace(COMPARISON, renderJson(comparison)));
  const verdict = answer(comparison, flags);
  saving.expectSaved();
  process.stderr.write(`\n${folder.path}/run.json, report.md and ${COMPARISON}\n`);
  const code = exitCodeOf(record);
  return code === EXIT.ok ? verdict : code;
}

function selectionOf(flags: PairedFlags): PairedSelection {
  return {
    plugins: flags.plugin,
    ...(flags.codec.length > 0 ? { codecs: flags.codec } : {}),
    ...(flags.operation.length > 0 ? { operations: flags.operation } : {}),
    ...(flags.int64 === undefined ? {} : { int64: flags.int64 }),
    ...(flags.profile === undefined ? {} : { profile: flags.profile }),
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    ...(flags.timeout === undefined ? {} : { timeoutSeconds: flags.timeout }),
    ...(flags.threshold === undefined ? {} : { threshold: flags.threshold }),
  };
}
