import { UsageError } from "../../model/errors.ts";
import type { RunRecord } from "../../model/records/run.ts";
import { renderJson } from "../../reports/any/json.ts";
import { oneLine } from "../../reports/escape.ts";
import { renderText } from "../../reports/run/text.ts";
import { readRecord } from "../../store/read-record.ts";
import { ResultFolder } from "../../store/result-folder.ts";
import { mergeRecords } from "../../suite/merge/merge.ts";
import { EXIT, type Invocation } from "../io.ts";
import { shortReport, summaryFile } from "../summary.ts";

interface MergeFlags {
  readonly out?: string;
  readonly summary?: string;
  readonly json?: boolean;
}

/** `wirebench merge`: the records of several runs as one. */
export async function merge(sources: readonly string[], flags: MergeFlags, io: Invocation): Promise<number> {
  if (sources.filter((source) => source === "-").length > 1) {
    throw new UsageError("merge: standard input can be one of the records only, got - twice");
  }
  const summary = summaryFile(flags);
  const records = sources.map(readRecord);
  const merged = mergeRecords(records, { sources, command: io.command });
  const folder = new ResultFolder(flags.out);
  for (const warning of warningsOf(records, sources, merged)) io.tell(`warning: ${oneLine(warning)}\n`);
  folder.save(merged);
  io.print(flags.json === true ? renderJson(merged) : `\n${renderText(merged, io.width())}`);
  summary?.append(await shortReport(merged));
  io.tell(`\n${folder.path}/run.json, report.md and report.html\n`);
  return merged.cells.some(({ status }) => status === "failed") ? EXIT.failed : EXIT.ok;
}

/** What a reader of a merged record should know of those that it is made of. */
function warningsOf(records: readonly RunRecord[], sources: readonly string[], merged: RunRecord): string[] {
  const { processes, blocks } = merged.options;
  return [
    ...records.flatMap(({ complete, reason = "the run was interrupted" }, i) =>
      complete ? [] : [`${sources[i]}: ${reason}`],
    ),
    ...(blocks === undefined
      ? []
      : [`${blocks.length} of ${processes} blocks: expected those of all shards`]),
  ];
}
