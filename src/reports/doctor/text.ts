import type { DoctorRecord } from "../../model/records/doctor.ts";
import { defineReport } from "../../model/report.ts";
import { doctorSections } from "../sections/doctor.ts";
import { textTable } from "../table.ts";

export default defineReport({
  of: "doctor",
  summary: "the machine, the proof and the answer, as a terminal shows them",
  render: renderDoctorText,
});

/** What `wirebench doctor` found, as a terminal shows it: the machine, the proof, and the answer. */
export function renderDoctorText(record: DoctorRecord): string {
  return `${doctorSections(record, textTable, (line) => line).join("\n\n")}\n`;
}
