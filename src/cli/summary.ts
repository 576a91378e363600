/** `--summary`: a short report at the end of a file of the user's. */
import { accessSync, appendFileSync, constants, statSync } from "node:fs";
import path from "node:path";
import { Registry } from "../catalog/registry.ts";
import { UsageError } from "../model/errors.ts";
import { type RecordKind, recordKind } from "../model/report.ts";
import type { AnyRecord } from "../store/read-record.ts";
import { isFolder, unwritable } from "../store/result-folder.ts";

/** Where `--summary` adds the short report; undefined without it. Throws UsageError where it cannot be written. */
export function summaryFile({ summary }: { readonly summary?: string }): SummaryFile | undefined {
  return summary === undefined ? undefined : new SummaryFile(summary);
}

/** What `--summary` adds: of a kind of record that has no short report the whole one. */
export async function shortReport(record: AnyRecord): Promise<string> {
  const kind = recordKind(record);
  const registry = await Registry.open();
  const name = registry.names("reports").includes(`${kind}/summary`) ? "summary" : "markdown";
  return (await registry.report<RecordKind>(kind, name)).render(record);
}

/** A Markdown file of the user's, such as GitHub's `$GITHUB_STEP_SUMMARY`, to whose end reports are added. */
class SummaryFile {
  readonly #file: string;

  /**
   * Throws UsageError where it cannot be written, before an hour is spent on what is to be there. It makes no file: a
   * command that fails leaves none.
   */
  constructor(file: string) {
    this.#file = file;
    if (isFolder(file)) throw new UsageError(`${file}: expected a file, got a folder`);
    try {
      accessSync(isThere(file) ? file : path.dirname(path.resolve(file)), constants.W_OK);
    } catch (error) {
      throw unwritable(file, error);
    }
  }

  /** Adds a document, as a paragraph of its own. Throws UsageError. */
  append(markdown: string): void {
    try {
      const isFirst = (statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0) === 0;
      appendFileSync(this.#file, isFirst ? markdown : `\n\n${markdown}`);
    } catch (error) {
      throw unwritable(this.#file, error);
    }
  }
}

function isThere(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}
