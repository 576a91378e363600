import { compareSides } from "../../analysis/compare/compare.ts";
import type { ProfileName } from "../../measure/profiles.ts";
import type { Dataset } from "../../model/dataset.ts";
import { defined } from "../../model/defined.ts";
import { renderJson } from "../../reports/any/json.ts";
import { viewOf } from "../../reports/view.ts";
import { RECORD, REPORT, ResultFolder } from "../../store/result-folder.ts";
import { type PairedPlan, type PairedSelection, withPairedPlan } from "../../suite/paired/paired-plan.ts";
import { runPlan } from "../../suite/run.ts";
import { datasetsOf } from "../data.ts";
import { EXIT } from "../exit-code.ts";
import { untilInterrupted } from "../interrupt.ts";
import type { Invocation } from "../io.ts";
import { type DatasetFlags, given } from "../options.ts";
import { progressLine } from "../progress-line.ts";
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
  io: Invocation,
): Promise<number> {
  const datasets = await datasetsOf(flags);
  const selection = selectionOf(flags, datasets);
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
  sides: { readonly base: string; readonly head: string },
  flags: PairedFlags,
  signal: AbortSignal,
  io: Invocation,
): Promise<number> {
  const folder = new ResultFolder(flags.out, [RECORD, REPORT, COMPARISON]);
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

function selectionOf(flags: PairedFlags, datasets: readonly (string | Dataset)[]): PairedSelection {
  return {
    plugins: flags.plugin,
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
