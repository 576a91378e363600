import path from "node:path";
import { UsageError } from "../model/errors.ts";
import { placeOfNoText, textOf } from "../schema/read/text-of.ts";
import { type JsonOptions, readJson } from "../schema/values/json-source.ts";
import { type FileRecord, placeInFile } from "./file-record.ts";

/** What a record of a file is as JSON. */
export interface JsonDocument {
  /** As JSON.parse gives it, but for bigints where an integer is beyond 2^53. A list is not divided. */
  readonly value: unknown;
  /** The text, without a byte order mark. */
  readonly text: string;
}

/**
 * Reads a record as JSON, with comments where its file is called `.jsonc`. Throws UsageError with `file:line:column` for text
 * that is not JSON, and for a key that stands twice in an object.
 */
export function jsonDocument(record: FileRecord, options: JsonOptions = {}): JsonDocument {
  const { file, bytes } = record;
  const text = textOf(bytes);
  if (text === undefined) {
    throw new UsageError(`${placeInFile(record, placeOfNoText(bytes))}: not valid UTF-8, and JSON text is`);
  }
  const read = readJson(text, { comments: /\.jsonc(\.gz)?$/i.test(file), ...options });
  if ("problem" in read) throw new UsageError(`${placeInFile(record, read)}: ${read.problem}`);
  return { value: read.value, text };
}

/** The ending of a file's name in lower case, that of what is packed where it is gzip: `.json` for `a.JSON.gz`. */
export function endingOf(file: string): string {
  return path.extname(file.replace(/\.gz$/i, "")).toLowerCase();
}
