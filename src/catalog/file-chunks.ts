import { constants } from "node:buffer";
import { createReadStream, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { fileProblem, UsageError, WirebenchError } from "../model/errors.ts";

/** A file's content, with the name that errors and results give it. `-` is standard input. */
export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Most bytes of a file that is read as a whole: the longest string of Node, and JSON text is one. */
const MOST_BYTES = constants.MAX_STRING_LENGTH;

/** Reads a whole file as it is, or standard input for `-`. Throws UsageError. */
export async function readBytes(file: string): Promise<NamedBytes> {
  return { name: file, bytes: await wholeOf(file, told(file, rawChunks(file))) };
}

/** All chunks as one. Throws UsageError where they are more than Node holds in a string. */
export async function wholeOf(file: string, chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    expectReadable(file, length);
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}

/** Throws UsageError where what has to be read as one is more than Node holds in a string. */
export function expectReadable(file: string, length: number): void {
  if (length <= MOST_BYTES) return;
  const most = Math.floor(MOST_BYTES / 2 ** 20);
  throw new UsageError(`${file}: more than ${most} MiB; only NDJSON and --delimited data can be larger`);
}

/**
 * The bytes of a file, or of standard input for `-`, in parts that stay as they are; unpacked where they are gzip. Throws
 * UsageError: also for empty standard input, which is a program that failed, and for a file that changes meanwhile.
 * @param onBytes is told the bytes of each part, as the file has them
 */
export function chunksOf(file: string, onBytes?: (bytes: number) => void): AsyncGenerator<Buffer> {
  return told(file, unpacked(counted(rawChunks(file), onBytes)));
}

async function* counted(
  chunks: AsyncGenerator<Buffer>,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    yield chunk;
  }
}

function rawChunks(file: string): AsyncGenerator<Buffer> {
  return file === "-" ? inputChunks() : fileChunks(file);
}

/** The same chunks; what goes wrong with them becomes a UsageError. */
async function* told(file: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } catch (error) {
    if (error instanceof WirebenchError) throw error;
    const { code = "", message } = error as NodeJS.ErrnoException;
    const problem = code.startsWith("Z_") ? `gzip: ${message}` : fileProblem(error);
    throw new UsageError(`${file}: ${problem}`, { cause: error });
  }
}

async function* unpacked(source: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let first: Buffer = Buffer.alloc(0);
  while (first.length < GZIP.length) {
    const next = await source.next();
    if (next.done === true) break;
    first = Buffer.concat([first, next.value]);
  }
  const all = rejoined([first], source);
  // An error of either is met where the unpacked bytes are read.
  yield* first.indexOf(GZIP) === 0 ? pipeline(Readable.from(all), createGunzip(), () => {}) : all;
}

/** How gzip begins (RFC 1952, section 2.3.1). As a tag of protobuf, 0x1f has no wire type. */
const GZIP = Buffer.from([0x1f, 0x8b, 0x08]);

/** Chunks that were read, and those that follow. Whoever stops at any of them closes the file. */
export async function* rejoined(
  start: readonly Buffer[],
  rest: AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer> {
  try {
    yield* start;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

const CHUNK = 1 << 20;

async function* fileChunks(file: string): AsyncGenerator<Buffer> {
  const handle = await open(file);
  try {
    const before = await handle.stat();
    let length = 0;
    for (let chunk = await nextChunk(handle); chunk.length > 0; chunk = await nextChunk(handle)) {
      length += chunk.length;
      // Also a file that never ends. What is no file on a disk has a size of 0.
      if (before.size > 0 && length > before.size) throw changed(file);
      yield chunk;
    }
    if (before.isFile() && !isSame(before, await handle.stat())) throw changed(file);
  } finally {
    await handle.close();
  }
}

async function nextChunk(handle: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafeSlow(CHUNK), 0, CHUNK);
  // A small file does not keep a large chunk.
  return bytesRead < CHUNK / 2 ? Buffer.from(buffer.subarray(0, bytesRead)) : buffer.subarray(0, bytesRead);
}

function changed(file: string): UsageError {
  return new UsageError(`${file}: changed while it was read`);
}

function isSame(before: Stats, after: Stats): boolean {
  return before.size === after.size && before.mtimeMs === after.mtimeMs;
}

let inputTaken = false;

/** Standard input, which can be had once only. */
async function* inputChunks(): AsyncGenerator<Buffer> {
  if (inputTaken) throw new UsageError("standard input can be read once only: it is named twice");
  inputTaken = true;
  let length = 0;
  for await (const chunk of createReadStream("", { fd: 0, autoClose: false, highWaterMark: CHUNK })) {
    length += chunk.length;
    yield chunk;
  }
  if (length === 0) throw new UsageError("-: standard input is empty");
}
