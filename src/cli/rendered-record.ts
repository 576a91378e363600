import { Registry } from "../catalog/registry.ts";
import { UsageError } from "../model/errors.ts";
import type { Comparison } from "../model/records/comparison.ts";
import type { DoctorRecord } from "../model/records/doctor.ts";
import type { IpcRecord } from "../model/records/ipc.ts";
import type { IpcRemoteRecord } from "../model/records/ipc-remote.ts";
import { renderComparisonMarkdown, renderComparisonText } from "../reports/comparison/text.ts";
import { renderDoctorMarkdown, renderDoctorText } from "../reports/doctor/doctor.ts";
import { renderRemoteMarkdown, renderRemoteText } from "../reports/ipc/remote-text.ts";
import { renderIpcMarkdown } from "../reports/ipc/report.ts";
import { renderIpcSummary } from "../reports/ipc/summary.ts";
import { renderIpcText } from "../reports/ipc/text.ts";
import { renderJson } from "../reports/run/json.ts";
import type { AnyRecord } from "../store/read-record.ts";

/** Any record as a report of the given format. Throws UsageError where its kind has none of that format. */
export async function renderedRecord(record: AnyRecord, format: string): Promise<string> {
  if (!("kind" in record)) {
    const { render } = await (await Registry.open()).definition("reports", format);
    return render(record);
  }
  if (record.kind === "ipc") return rendered(record, IPC_REPORTS, format, "a run between processes");
  if (record.kind === "doctor")
    return rendered(record, DOCTOR_REPORTS, format, "an examination of a machine");
  if (record.kind === "comparison") return rendered(record, COMPARISON_REPORTS, format, "a comparison");
  return rendered(record, REMOTE_REPORTS, format, "messages between two machines");
}

/** Reports by their formats. */
type Reports<R> = Readonly<Record<string, (record: R) => string>>;

/** Those that a run between processes has too. */
const IPC_REPORTS: Reports<IpcRecord> = {
  json: renderJson,
  markdown: (record) => renderIpcMarkdown(record),
  summary: renderIpcSummary,
  text: renderIpcText,
};

/** Those that messages between two machines have. */
const REMOTE_REPORTS: Reports<IpcRemoteRecord> = {
  json: (record) => `${JSON.stringify(record, null, 2)}\n`,
  markdown: renderRemoteMarkdown,
  text: renderRemoteText,
};

/** Those that a comparison has. */
const COMPARISON_REPORTS: Reports<Comparison> = {
  json: renderJson,
  markdown: renderComparisonMarkdown,
  text: renderComparisonText,
};

/** Those that an examination of a machine has. */
const DOCTOR_REPORTS: Reports<DoctorRecord> = {
  json: renderJson,
  markdown: renderDoctorMarkdown,
  text: renderDoctorText,
};

function rendered<R>(record: R, reports: Reports<R>, format: string, what: string): string {
  const render = reports[format];
  if (render !== undefined) return render(record);
  const known = Object.keys(reports).join(", ");
  throw new UsageError(`no report "${format}" of ${what}, expected one of ${known}`);
}
