import { inflateSync } from "node:zlib";
import { DecodeError } from "../../model/errors.ts";
import { inBytes } from "../../model/in-bytes.ts";
import { show } from "../../model/value.ts";
import { type DecodeOptions, type ReadRules, readRules } from "./options.ts";
import { PlainReader } from "./plain-reader.ts";
import { type TermReader, TypedReader } from "./reader.ts";
import { COMPRESSED, VERSION } from "./tags.ts";

/** Reads external terms with the options of its making. */
export class TermDecoder {
  readonly #rules: ReadRules;

  /** Throws UsageError for a limit that makes no sense. */
  constructor(options: DecodeOptions = {}) {
    this.#rules = readRules(options);
  }

  /** {@link binaryToTerm} with the decoder's options. */
  decode(bytes: Uint8Array): unknown {
    return readWhole(bytes, this.#rules, readTerm);
  }
}

function readTerm(reader: TermReader): unknown {
  return reader.term(0);
}

/** Reads the one term that the bytes are, whether it is compressed or not. @param read reads a term after its version */
export function readWhole<Term>(
  bytes: Uint8Array,
  rules: ReadRules,
  read: (reader: TermReader) => Term,
): Term {
  const body = bodyOf(bytes, rules);
  let reader: TermReader;
  if (body instanceof Uint8Array) {
    reader = readerOf(body, rules, rules.maxBytes, Number.POSITIVE_INFINITY);
    reader.at = 1;
  } else {
    const term = inflate(body, rules.maxInflatedBytes);
    const memory = rules.maxInflatedBytes + INPUT_SHARE * bytes.length;
    reader = readerOf(term, rules, term.length, memory - term.length);
  }
  const term = read(reader);
  if (reader.at < reader.bytes.length) reader.expectEnd();
  return term;
}

/** Bytes of memory that a byte of input may take. */
const INPUT_SHARE = 64;

/** The bytes, which start with the version, or where the compressed term is that they hold. */
function bodyOf(bytes: Uint8Array, { maxBytes }: ReadRules): Uint8Array | Compressed {
  const fail = (problem: string, offset: number, code: "truncated" | "limit" | "corrupt"): never => {
    throw new DecodeError("erlang-etf", problem, { offset, code });
  };
  if (!(bytes instanceof Uint8Array)) fail(`expected bytes, got ${show(bytes)}`, 0, "corrupt");
  const { length } = bytes;
  if (length === 0) fail("expected a term, got 0 bytes", 0, "truncated");
  if (bytes[0] !== VERSION) fail(`expected the version ${VERSION}, got the byte ${bytes[0]}`, 0, "corrupt");
  if (length < 2 || bytes[1] !== COMPRESSED) return bytes;
  if (length > maxBytes) fail(`expected at most ${maxBytes} bytes, got ${length}`, 0, "limit");
  if (length <= STREAM) fail(`expected a compressed term, got ${inBytes(length)}`, length, "truncated");
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(2);
  return { size, stream: bytes.subarray(STREAM), at: STREAM };
}

/** Offset of the stream of a compressed term: after the version, its tag and its size. */
const STREAM = 6;

/** What a byte of deflate can stand for at most (zlib.net/zlib_tech.html: 1032:1), and a little for its frame. */
const MOST_EXPANSION = 1032;

/** Where in the input a compressed term is. */
interface Compressed {
  /** Bytes that the term is said to have. */
  readonly size: number;
  /** The zlib stream, which ends where the input does. */
  readonly stream: Uint8Array;
  /** Offset of the stream in the input, for errors. */
  readonly at: number;
}

/** The term's bytes. Throws DecodeError unless the stream holds just as many as it is said to, and nothing follows it. */
function inflate({ size, stream, at }: Compressed, most: number): Uint8Array {
  const fail = (problem: string, code: "corrupt" | "limit" | "truncated", cause?: unknown): never => {
    throw new DecodeError("erlang-etf", problem, { code, offset: at, cause });
  };
  if (size > most) fail(`a compressed term of ${inBytes(size)}, expected at most ${most}`, "limit");
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
      return fail(`holds more than the ${inBytes(size)} of its term`, "corrupt");
    return fail(message, code === "Z_BUF_ERROR" ? "truncated" : "corrupt", error);
  }
  const { buffer, engine } = result;
  if (buffer.length !== size) fail(`holds ${inBytes(buffer.length)}, expected ${size}`, "corrupt");
  const rest = stream.length - engine.bytesWritten;
  if (rest > 0) fail(`${inBytes(rest)} after the compressed term`, "corrupt");
  return buffer;
}

function readerOf(bytes: Uint8Array, rules: ReadRules, most: number, memory: number): TermReader {
  return rules.terms === "typed"
    ? new TypedReader(bytes, rules, most, memory)
    : new PlainReader(bytes, rules, most, memory);
}

const standard = new TermDecoder();

/**
 * The term that Erlang's `term_to_binary` wrote. By default binaries are strings, lists are arrays, maps are objects,
 * integers are numbers where that is exact and else bigints; {@link DecodeOptions.terms} says how to have it without
 * loss. Throws DecodeError, and nothing else, for bytes that are not one whole term, and for a term that is not what
 * the options allow.
 */
export function binaryToTerm(bytes: Uint8Array, options?: DecodeOptions): unknown {
  return (options === undefined ? standard : new TermDecoder(options)).decode(bytes);
}
