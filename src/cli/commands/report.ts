import { existsSync } from "node:fs";
import path from "node:path";
import { historyOf, type RunTimes, runTimesOf } from "../../analysis/history.ts";
import { Registry } from "../../catalog/registry.ts";
import { UsageError } from "../../model/errors.ts";
import type { RunRecord } from "../../model/records/run.ts";
import { type RecordKind, type ReportDefinition, recordKind } from "../../model/report.ts";
import { renderHistoryHtml, renderHistoryMarkdown } from "../../reports/history.ts";
import { readJournal } from "../../store/journal.ts";
import { type AnyRecord, readAnyRecord } from "../../store/read-record.ts";
import {
  EXAMINATION,
  holdsJournal,
  isFolder,
  RECORD,
  REPORT,
  recordFile,
  saveRecovered,
} from "../../store/result-folder.ts";
import type { JournalEntry, JournalHeader } from "../../suite/journal.ts";
import { recoveredRecord } from "../../suite/run.ts";
import type { Io } from "../io.ts";
import { shortReport, summaryFile } from "../summary.ts";

/**
 * `wirebench report`: renders a record anew, without any codec. Of a folder it renders the record in it; where a run was
 * killed, that of what was measured until then, which it writes first.
 */
export async function report(
  source: string,
  flags: { readonly format: string; readonly summary?: string; readonly plugin: readonly string[] },
  io: Io,
): Promise<void> {
  const summary = summaryFile(flags);
  const record = isFolder(source) ? recordIn(source, io) : readAnyRecord(source);
  const text = await renderedRecord(record, flags.format, flags.plugin, io.width?.());
  summary?.append(await shortReport(record));
  io.print(text);
}

/**
 * Any record as the report of that name. Throws UsageError where its kind has none of that name, and what `Registry.open`
 * throws.
 * @param plugins files of the user's own reports
 * @param columns of the terminal that it is for
 */
export async function renderedRecord(
  record: AnyRecord,
  name: string,
  plugins: readonly string[] = [],
  columns?: number,
): Promise<string> {
  const { render } = await reportNamed<RecordKind>(recordKind(record), name, plugins);
  return render(record, columns);
}

/**
 * The report of that name of a kind of records. Throws UsageError where there is none, and what `Registry.open` throws.
 * @param plugins files of the user's own reports
 */
export async function reportNamed<Kind extends RecordKind>(
  kind: Kind,
  name: string,
  plugins: readonly string[] = [],
): Promise<ReportDefinition<Kind>> {
  return (await Registry.open(plugins)).report(kind, name);
}

/** `wirebench history`: the times of the same cells in several runs. Folders of results hold other records too: these are left out. */
export async function history(
  sources: readonly string[],
  { json, format }: { readonly json?: boolean; readonly format: "markdown" | "html" },
  io: Io,
): Promise<void> {
  const runs = sources.flatMap((source): RunTimes[] => {
    const record = readAnyRecord(recordFile(source));
    if (!("kind" in record)) return [runTimesOf(record, source)];
    io.tell(`left out: ${source}: its record is of the kind ${record.kind}, not of wirebench run\n`);
    return [];
  });
  if (runs.length === 0) throw new UsageError("history: expected records of wirebench run, got none");
  const found = historyOf(runs);
  const render = format === "html" ? renderHistoryHtml : renderHistoryMarkdown;
  io.print(json === true ? `${JSON.stringify(found, null, 2)}\n` : render(found));
}

function recordIn(folder: string, io: Io): AnyRecord {
  if (holdsJournal(folder)) return recovered(folder, io);
  const examination = path.join(folder, EXAMINATION);
  const run = path.join(folder, RECORD);
  return readAnyRecord(existsSync(examination) && !existsSync(run) ? examination : run);
}

/** The record of a run that was killed. That of a run that goes on is its own to write. */
function recovered(folder: string, io: Io): RunRecord {
  const { header, entries, writer, cutOff } = readJournal(folder);
  const record = recoveredRecord(header as JournalHeader, entries as readonly JournalEntry[]);
  if (writer !== undefined) {
    io.tell(
      `the run goes on in process ${writer}: this is what it measured so far, and nothing was written\n`,
    );
    return record;
  }
  if (cutOff !== undefined) io.tell(`warning: ${cutOff}: this line is cut off, and left out\n`);
  saveRecovered(folder, record);
  io.tell(`recovered: ${folder}/${RECORD} and ${REPORT}\n`);
  return record;
}
