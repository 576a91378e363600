/** Blocks of messages as in Avro's container files (specification 1.11, "Object Container Files"), without their header. */
import { DecodeError } from "../../model/errors.ts";

/** Bytes of messages from which on a block is complete; avsc has the same. */
const BLOCK_BYTES = 65_536;

/** What stands after each block, the same in a file. */
const SYNC = Uint8Array.from({ length: 16 }, (_, i) => (i * 151 + 89) & 0xff);

/** Messages of one block. */
export interface AvroBlock {
  readonly count: number;
  readonly data: Uint8Array;
}

/** The parts of a stream of blocks. */
export function avroBlocks(messages: readonly Uint8Array[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let block: Uint8Array[] = [];
  let bytes = 0;
  for (const [index, message] of messages.entries()) {
    block.push(message);
    bytes += message.length;
    if (bytes < BLOCK_BYTES && index < messages.length - 1) continue;
    parts.push(long(block.length), long(bytes), ...block, SYNC);
    block = [];
    bytes = 0;
  }
  return parts;
}

/** The block at a place, and where the next one begins; undefined where bytes are missing. Throws DecodeError. */
export function avroBlockAt(bytes: Uint8Array, at: number): { block: AvroBlock; next: number } | undefined {
  const count = longAt(bytes, at);
  const size = count && longAt(bytes, count.next);
  if (count === undefined || size === undefined) return undefined;
  const end = size.next + size.value;
  const next = end + SYNC.length;
  if (next > bytes.length) return undefined;
  if (SYNC.some((byte, i) => bytes[end + i] !== byte))
    throw new DecodeError("avro", "a block is not followed by the sync marker", { offset: end });
  return { block: { count: count.value, data: bytes.subarray(size.next, end) }, next };
}

/** A long that is not negative: zigzag, as a varint. */
function long(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = 2 * value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Uint8Array.of(...bytes, rest);
}

/** Bytes of a long below 2^41, in whose double there is no rounding. */
const LONG_BYTES = 6;

function longAt(bytes: Uint8Array, at: number): { value: number; next: number } | undefined {
  let value = 0;
  for (let i = 0; ; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 128 ** i;
    if (byte > 0x7f && i + 1 < LONG_BYTES) continue;
    if (byte > 0x7f || value % 2 !== 0)
      throw new DecodeError("avro", "expected the size of a block", { offset: at });
    return { value: value / 2, next: at + i + 1 };
  }
}
