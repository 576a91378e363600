import { Registry } from "../../catalog/registry.ts";
import { UsageError } from "../../model/errors.ts";
import type { IpcRecord } from "../../model/ipc-record.ts";
import { renderIpcMarkdown } from "../../rendering/ipc/report.ts";
import { renderIpcSummary } from "../../rendering/ipc/summary.ts";
import { renderIpcText } from "../../rendering/ipc/text.ts";
import { renderJson } from "../../reports/json.ts";
import { readAnyRecord } from "../../results/read-record.ts";
import { print } from "../standard-output.ts";

/** `wirebench report`: renders a record anew, without any codec. */
export async function report(file: string, flags: { readonly format: string }): Promise<void> {
  const definition = await (await Registry.open()).definition("reports", flags.format);
  const record = readAnyRecord(file);
  print("kind" in record ? ipcReport(record, flags.format) : definition.render(record));
}

/** The reports that a run between processes has too. */
const IPC_REPORTS: Readonly<Record<string, (record: IpcRecord) => string>> = {
  json: renderJson,
  markdown: (record) => renderIpcMarkdown(record),
  summary: renderIpcSummary,
  text: renderIpcText,
};

function ipcReport(record: IpcRecord, format: string): string {
  const render = IPC_REPORTS[format];
  if (render !== undefined) return render(record);
  const known = Object.keys(IPC_REPORTS).join(", ");
  throw new UsageError(`no report "${format}" of a run between processes, expected one of ${known}`);
}
