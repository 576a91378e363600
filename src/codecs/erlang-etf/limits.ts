import type { DecodeOptions, EncodeOptions } from "../../formats/erlang-etf/index.ts";
import { defined } from "../../model/defined.ts";
import { MAX_DEPTH } from "../../schema/values/conform.ts";

/** A level for each message, one for the list that it is in, and one for the entry of a map. */
const DEPTH = 3 * MAX_DEPTH;

/** Largest size that a compressed term can name. */
const MOST_BYTES = 2 ** 32 - 1;

/** For bytes that we made, and for values that were checked. What is compressed has the limits of {@link untrusted}. */
export const TRUSTED = {
  maxDepth: DEPTH,
  maxBytes: Number.POSITIVE_INFINITY,
  maxItems: Number.POSITIVE_INFINITY,
} as const satisfies DecodeOptions;

/** The same for writing, at a level of zlib or none. */
export function writeOptions(level: number | undefined): EncodeOptions {
  return defined({ maxDepth: DEPTH, maxBytes: MOST_BYTES, compressed: level });
}

/** For bytes from outside: what is compressed in them may take memory in proportion to what they are. */
export function untrusted(bytes: Uint8Array): DecodeOptions {
  return { ...TRUSTED, maxInflatedBytes: Math.min(MOST_BYTES, Math.max(2 ** 24, 64 * bytes.length)) };
}

/** Stands after the version where a term is compressed. */
const COMPRESSED = 80;

/** Whether bytes stand for more than they are, so that they take memory by what they say. */
export function isCompressed(bytes: Uint8Array): boolean {
  return bytes[1] === COMPRESSED;
}
