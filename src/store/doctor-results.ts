import type { DoctorRecord } from "../model/records/doctor.ts";
import { renderJson } from "../reports/any/json.ts";
import { renderDoctorMarkdown } from "../reports/doctor/markdown.ts";
import { REPORT, ResultFolder } from "./result-folder.ts";

const RECORD = "doctor.json";

/** The folder of an examination: doctor.json and report.md. */
export class DoctorResults {
  readonly #folder: ResultFolder;

  /** Throws UsageError. @param folder as for {@link ResultFolder} */
  constructor(folder: string) {
    this.#folder = new ResultFolder(folder, [RECORD, REPORT]);
  }

  get path(): string {
    return this.#folder.path;
  }

  /** Throws UsageError. */
  save(record: DoctorRecord): void {
    this.#folder.replace(RECORD, renderJson(record));
    this.#folder.replace(REPORT, renderDoctorMarkdown(record));
  }
}
