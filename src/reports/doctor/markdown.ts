import type { DoctorRecord } from "../../model/records/doctor.ts";
import { defineReport } from "../../model/report.ts";
import { bulletList } from "../escape.ts";
import { originLines } from "../provenance.ts";
import { doctorSections } from "../sections/doctor.ts";
import { markdownTable } from "../table.ts";

export default defineReport({
  of: "doctor",
  summary: "the whole report, as report.md has it",
  render: renderDoctorMarkdown,
});

/** What `wirebench doctor` found as Markdown, with what was run, when and where. */
export function renderDoctorMarkdown(record: DoctorRecord): string {
  const { profile, processes, warmupMs, measureMs, batchMicros, seed } = record.options;
  const head = [
    ...originLines(record),
    `Profile ${profile}: in each trial ${processes} processes per codec, ${warmupMs} ms of warm-up and ${measureMs} ms measured, in batches of about ${batchMicros} µs; seeds from ${seed} on`,
  ];
  const parts = [
    "# wirebench doctor",
    ...bulletList(head),
    ...doctorSections(record, markdownTable, (line) => `- ${line}`),
  ];
  return `${parts.join("\n\n")}\n`;
}
