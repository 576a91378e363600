import type { DoctorRecord } from "../../model/records/doctor.ts";
import { defineReport } from "../../model/report.ts";
import { bulletList } from "../escape.ts";
import { originInShort } from "../provenance.ts";
import { conclusionLines, proofLines, slowdownTable } from "../sections/doctor.ts";
import { markdownTable } from "../table.ts";

export default defineReport({
  of: "doctor",
  summary: "the proof alone with the command, the machine and the date, to be put into another document",
  render: renderDoctorSummary,
});

/** The proof alone as Markdown, with where it comes from, to be put into another document. */
export function renderDoctorSummary(record: DoctorRecord): string {
  const { proof } = record;
  const proven =
    proof === undefined
      ? []
      : [...conclusionLines(record), markdownTable(slowdownTable(record)), ...bulletList(proofLines(record))];
  return `${[...proven, `${originInShort(record)}.`].join("\n\n")}\n`;
}
