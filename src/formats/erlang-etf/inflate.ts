import { inflateSync } from "node:zlib";
import { DecodeError } from "../../model/errors.ts";

/** What a byte of deflate can stand for at most (zlib.net/zlib_tech.html: 1032:1), and a little for its frame. */
const MOST_EXPANSION = 1032;

/** Where in the input a compressed term is. */
export interface Compressed {
  /** Bytes that the term is said to have. */
  readonly size: number;
  /** The zlib stream, which ends where the input does. */
  readonly stream: Uint8Array;
  /** Offset of the stream in the input, for errors. */
  readonly at: number;
}

/** The term's bytes. Throws DecodeError unless the stream holds just as many as it is said to, and nothing follows it. */
export function inflate({ size, stream, at }: Compressed, most: number): Uint8Array {
  const fail = (problem: string, code: "corrupt" | "limit" | "truncated", cause?: unknown): never => {
    throw new DecodeError("erlang-etf", problem, { code, offset: at, cause });
  };
  if (size > most) fail(`a compressed term of ${size} bytes, expected at most ${most}`, "limit");
  if (size === 0 || size > MOST_EXPANSION * stream.length) {
    fail(`${stream.length} compressed bytes cannot hold a term of ${size}`, "corrupt");
  }
  let result: { buffer: Uint8Array; engine: { bytesWritten: number } };
  try {
    // With one byte more than is needed, zlib's output is never full, and Node gets no second buffer.
    const options = { info: true, chunkSize: Math.max(size + 1, 64), maxOutputLength: size };
    result = inflateSync(stream, options) as unknown as typeof result;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === "ERR_BUFFER_TOO_LARGE")
      return fail(`holds more than the ${size} bytes of its term`, "corrupt");
    return fail(message, code === "Z_BUF_ERROR" ? "truncated" : "corrupt", error);
  }
  const { buffer, engine } = result;
  if (buffer.length !== size) fail(`holds ${buffer.length} bytes, expected ${size}`, "corrupt");
  const rest = stream.length - engine.bytesWritten;
  if (rest > 0) fail(`${rest} bytes after the compressed term`, "corrupt");
  return buffer;
}
