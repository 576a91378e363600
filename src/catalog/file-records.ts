/**
 * Files of data as records: the one place that knows how a file of documents or messages is divided. A file is read once, in
 * parts, and need not fit into memory where it has many records.
 *
 *     recordsIn("log.ndjson.gz")            form "values": each line with its number, as it is met
 *     recordsIn("people.json")              form "whole": one record, which is the file; a list is not divided
 *
 * `Reservoir` keeps a sample of them, `jsonDocument` reads the JSON text of one.
 */

import { statSync } from "node:fs";
import { defined } from "../model/defined.ts";
import { UsageError } from "../model/errors.ts";
import { inBytes } from "../model/in-bytes.ts";
import type { Int64Mode } from "../model/schema.ts";
import { chunksOf, rejoined, wholeOf } from "./file-chunks.ts";
import type { FileForm, FileRecord } from "./file-record.ts";
import { arrangementOf, isBlank, jsonValues } from "./json-values.ts";
import { type Beginning, beginningOf, framesOf, isMessage, LOOKED_AT, looksLike } from "./looks-like.ts";

/** A file's records, to be gone through once. */
export interface FileRecords {
  readonly form: FileForm;
  readonly records: AsyncIterable<FileRecord>;
}

/** A value as a file holds it, not yet checked against its schema. */
export interface Input {
  /** The file, and the place in it: the number of a line, or in a list. */
  readonly name: string;
  readonly value: unknown;
  readonly form: "json" | "plain";
  /** How 64-bit integers are held in a value that is canonical already. */
  readonly int64?: Int64Mode;
  /** Bytes of it in the file: of its JSON text as it stands there, or of the encoded message. */
  readonly bytes: number;
  /** Where it stands in JSON text, as an error says it. */
  readonly place?: (path: string) => string;
}

/** How a file is gone through. */
export interface RecordOptions {
  readonly delimited?: boolean;
  /** Is told the bytes of each part of a file, as it is read. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

/**
 * Opens a file, or standard input for `-`, unpacked where it is gzip. Objects and lists of JSON may follow each other in it. It is
 * NDJSON where each has a line, or where it is called `.ndjson` or `.jsonl` and the first is no value that goes over several lines.
 * Throws UsageError, also while records are read.
 */
export async function recordsIn(
  file: string,
  { delimited = false, onBytes }: RecordOptions = {},
): Promise<FileRecords> {
  const chunks = longFirst(chunksOf(file, onBytes));
  if (delimited) return { form: "delimited", records: messages(file, chunks) };
  const start: Buffer[] = [];
  const arrangement = await arrangementOf(chunks, start);
  const all = rejoined(start, chunks);
  if (arrangement === "values") return { form: "values", records: jsonValues(file, all) };
  const isLines = arrangement === "lines" || /\.(ndjson|jsonl)(\.gz)?$/i.test(file);
  return isLines
    ? { form: "values", records: lines(file, all) }
    : { form: "whole", records: whole(file, all) };
}

/** The same chunks, the first with more bytes than are looked at, if there are so many. */
async function* longFirst(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const start: Buffer[] = [];
  let length = 0;
  while (length <= LOOKED_AT) {
    const next = await chunks.next();
    if (next.done === true) break;
    start.push(next.value);
    length += next.value.length;
  }
  if (length > 0) yield* rejoined([start.length === 1 ? start[0]! : Buffer.concat(start)], chunks);
}

const NEWLINE = 0x0a;

async function* whole(file: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<FileRecord> {
  const bytes = await wholeOf(file, chunks);
  yield { name: file, file, bytes, start: { bytes, isAll: true } };
}

async function* lines(file: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<FileRecord> {
  let line = 1;
  let open: Buffer[] = [];
  let start: Beginning | undefined;
  let isFirst = true;
  const record = (bytes: Buffer): FileRecord => {
    const begins = isFirst ? start : undefined;
    isFirst = false;
    return { ...{ name: `${file}:${line}`, file, line, bytes }, ...defined({ start: begins }) };
  };
  for await (const chunk of chunks) {
    start ??= beginningOf(chunk);
    let at = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, at)) {
      const part = chunk.subarray(at, end);
      const bytes = open.length === 0 ? part : Buffer.concat([...open, part]);
      open = [];
      if (!bytes.every(isBlank)) yield record(bytes);
      line += 1;
      at = end + 1;
    }
    if (at < chunk.length) open.push(chunk.subarray(at));
  }
  const last = Buffer.concat(open);
  if (!last.every(isBlank)) yield record(last);
}

/** Most bytes of a varint that is a length below 2^31 (protobuf's limit of a message). */
const LENGTH_BYTES = 5;

async function* messages(file: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<FileRecord> {
  let index = 0;
  /** Offset in the file of what waits for the rest of its message, and how many bytes that needs at least. */
  let offset = 0;
  let waiting: Buffer[] = [];
  let length = 0;
  let needed = 1;
  let start: Beginning | undefined;
  for await (const chunk of chunks) {
    start ??= delimitedStart(file, chunk);
    waiting.push(chunk);
    length += chunk.length;
    if (length < needed) continue;
    const bytes = Buffer.concat(waiting);
    let at = 0;
    for (;;) {
      const size = varint(bytes, at);
      if (size === "wrong") {
        throw new UsageError(
          `${file}: byte ${offset + at}: no length of a message, which --delimited expects${lookOf(start, index)}`,
        );
      }
      needed = size === "cut" ? bytes.length - at + 1 : size.end + size.value - at;
      if (size === "cut" || at + needed > bytes.length) break;
      const message = bytes.subarray(size.end, at + needed);
      yield { name: `${file}[${index}]`, file, index, start, bytes: message };
      index += 1;
      at += needed;
    }
    offset += at;
    waiting = [bytes.subarray(at)];
    length = bytes.length - at;
  }
  if (length === 0) return;
  const problem = `message ${index} is cut: expected at least ${inBytes(needed)} with its length, got ${length}`;
  throw new UsageError(`${file}: byte ${offset}: ${problem}${lookOf(start, index)}`);
}

/**
 * The beginning of a file of messages after their lengths. Throws UsageError where it is one of frames: short messages in those are as
 * many of these, most of which would be empty.
 */
function delimitedStart(file: string, chunk: Buffer): Beginning {
  const size = file === "-" ? undefined : statSync(file, { throwIfNoEntry: false })?.size;
  const start = { ...beginningOf(chunk), ...defined({ size }) };
  const framed = framesOf(start);
  if (framed !== undefined)
    throw new UsageError(
      `${file}: it looks like ${framed}; --delimited reads messages after their lengths as varints`,
    );
  return start;
}

/** What a file looks like that has no delimited messages, or only so many that are read. */
export function lookOf(start: Beginning | undefined, messages: number): string {
  const format = start && looksLike(start, "delimited", "binary");
  if (format !== undefined) return `; it looks like ${format}`;
  const isOne = messages === 0 || (start !== undefined && isMessage(start));
  return isOne ? "; is it one message, without its length?" : "";
}

function varint(
  bytes: Buffer,
  at: number,
): { readonly value: number; readonly end: number } | "cut" | "wrong" {
  let value = 0;
  for (let i = 0; i < LENGTH_BYTES; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return "cut";
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return value < 2 ** 31 ? { value, end: at + i + 1 } : "wrong";
  }
  return "wrong";
}
