import type { Beginning } from "./looks-like.ts";

/** A part of a file that is a document or a message of its own. */
export interface FileRecord {
  /** The file and the place in it: `log.ndjson:17` for line 17, `all.bin[3]` for a fourth message, else the file alone. */
  readonly name: string;
  readonly file: string;
  /** Where one of several JSON values begins in its file, both from 1; 1 for what is left out. */
  readonly line?: number;
  readonly column?: number;
  readonly bytes: Uint8Array;
  /** Of a message among several, from 0. */
  readonly index?: number;
  /** The beginning of the file, where this is the first of its records or a message among several. */
  readonly start?: Beginning;
}

/**
 * How a file is divided. `whole`: it is one record. `values`: JSON values that follow each other, as NDJSON has them, where each
 * line that is not blank is one, or otherwise. `delimited`: protobuf messages, each after its length as a varint, as
 * `writeDelimitedTo` of Java and C++ does.
 */
export type FileForm = "whole" | "values" | "delimited";

/** A place in a record as one in its file: `log.ndjson:17:3`. Lines and columns are from 1. */
export function placeInFile(
  { file, line: firstLine = 1, column: firstColumn = 1 }: FileRecord,
  { line, column }: { readonly line: number; readonly column: number },
): string {
  return `${file}:${line + firstLine - 1}:${line === 1 ? column + firstColumn - 1 : column}`;
}

/** A record in memory of its own: a line or a message keeps the whole part of the file that it came in. */
export function ownRecord(form: FileForm, record: FileRecord): FileRecord {
  // A buffer's own `slice` would be a view.
  if (form === "whole") return record;
  return { ...record, bytes: new Uint8Array(record.bytes) };
}
