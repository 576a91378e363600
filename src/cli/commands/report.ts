import { existsSync } from "node:fs";
import path from "node:path";
import { Registry } from "../../catalog/registry.ts";
import type { RunRecord } from "../../model/records/run.ts";
import type { RecordKind } from "../../model/report.ts";
import { readJournal } from "../../store/journal.ts";
import { type AnyRecord, readAnyRecord } from "../../store/read-record.ts";
import {
  EXAMINATION,
  holdsJournal,
  isFolder,
  RECORD,
  REPORT,
  saveRecovered,
} from "../../store/result-folder.ts";
import type { JournalEntry, JournalHeader } from "../../suite/journal.ts";
import { recoveredRecord } from "../../suite/run.ts";
import type { Io } from "../io.ts";

/**
 * `wirebench report`: renders a record anew, without any codec. Of a folder it renders the record in it; where a run was
 * killed, that of what was measured until then, which it writes first.
 */
export async function report(
  source: string,
  flags: { readonly format: string; readonly plugin: readonly string[] },
  io: Io,
): Promise<void> {
  const record = isFolder(source) ? recordIn(source, io) : readAnyRecord(source);
  io.print(await renderedRecord(record, flags.format, flags.plugin));
}

/**
 * Any record as the report of that name. Throws UsageError where its kind has none of that name, and what `Registry.open`
 * throws.
 * @param plugins files of the user's own reports
 */
export async function renderedRecord(
  record: AnyRecord,
  name: string,
  plugins: readonly string[] = [],
): Promise<string> {
  const kind: RecordKind = "kind" in record ? record.kind : "run";
  const { render } = await (await Registry.open(plugins)).report<RecordKind>(kind, name);
  return render(record);
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
