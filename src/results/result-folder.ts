import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { UsageError } from "../model/errors.ts";
import type { RunRecord } from "../model/run-record.ts";
import { renderJson } from "../reports/json.ts";
import { renderMarkdown } from "../reports/markdown.ts";

/** A folder with the record and the report of one run. The only place that writes results. */
export class ResultFolder {
  readonly path: string;

  /**
   * Makes the folder, and proves that it can be written to: a run that cannot be kept should not begin.
   * Throws UsageError.
   * @param folder by default `results/<UTC time>-<host>` in the working directory
   */
  constructor(folder = path.join("results", `${timeStamp(new Date())}-${hostName()}`)) {
    this.path = folder;
    try {
      mkdirSync(folder, { recursive: true });
      const probe = path.join(folder, ".wirebench-probe");
      writeFileSync(probe, "");
      rmSync(probe);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new UsageError(`--out ${folder}: cannot be written to (${code})`, { cause: error });
    }
  }

  /** Writes run.json and report.md. Whoever reads them meanwhile sees the old or the new, never a half. */
  save(record: RunRecord): void {
    this.#replace("run.json", renderJson(record));
    this.#replace("report.md", renderMarkdown(record));
  }

  #replace(name: string, text: string): void {
    const file = path.join(this.path, name);
    const fresh = `${file}.new`;
    writeFileSync(fresh, text);
    renameSync(fresh, file);
  }
}

/** `2026-11-20T12-30-05Z`: sorts by time, and stands in a file name everywhere. */
function timeStamp(date: Date): string {
  return date.toISOString().replace(/\.\d+/, "").replaceAll(":", "-");
}

function hostName(): string {
  return os.hostname().replace(/[^A-Za-z0-9-]+/g, "-") || "host";
}
