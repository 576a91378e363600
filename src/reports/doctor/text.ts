import type { DoctorRecord } from "../../model/records/doctor.ts";
import { defineReport } from "../../model/report.ts";
import { doctorSections } from "../sections/doctor.ts";
import { fittedText, textTable } from "../table.ts";

export default defineReport({
  of: "doctor",
  summary: "the machine, the proof and the answer, as a terminal shows them",
  render: renderDoctorText,
});

/** What `wirebench doctor` found, as a terminal shows it: the machine, the proof, and the answer. */
export function renderDoctorText(record: DoctorRecord, columns?: number): string {
  const sections = doctorSections(
    record,
    (table) => textTable(table, columns),
    (line) => line,
  );
  return fittedText(`${sections.join("\n\n")}\n`, columns);
}
