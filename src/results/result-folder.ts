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
   * @param folder one whose record is replaced, if it holds any; by default a new one in the working directory,
   *   `results/<UTC time>-<host>`
   */
  constructor(folder?: string) {
    this.path = folder ?? newFolder();
    try {
      mkdirSync(this.path, { recursive: true });
      const probe = path.join(this.path, ".wirebench-probe");
      writeFileSync(probe, "");
      rmSync(probe);
    } catch (error) {
      throw unwritable(this.path, error);
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

/** Runs that may begin in one second. */
const MAX_FOLDERS = 1000;

/** A folder that no other run has, also where two begin in the same second. */
function newFolder(): string {
  const base = path.join("results", `${timeStamp(new Date())}-${hostName()}`);
  for (let i = 1; ; i++) {
    const folder = i === 1 ? base : `${base}-${i}`;
    try {
      mkdirSync(path.dirname(folder), { recursive: true });
      mkdirSync(folder);
      return folder;
    } catch (error) {
      // "results" itself may be a file: then it is in the way of every name.
      if (i === MAX_FOLDERS || (error as NodeJS.ErrnoException).code !== "EEXIST")
        throw unwritable(folder, error);
    }
  }
}

function unwritable(folder: string, error: unknown): UsageError {
  const { code } = error as NodeJS.ErrnoException;
  return new UsageError(`${folder}: cannot be written to (${code})`, { cause: error });
}

/** `2026-11-20T12-30-05Z`: sorts by time, and stands in a file name everywhere. */
function timeStamp(date: Date): string {
  return date.toISOString().replace(/\.\d+/, "").replaceAll(":", "-");
}

function hostName(): string {
  return os.hostname().replace(/[^A-Za-z0-9-]+/g, "-") || "host";
}
