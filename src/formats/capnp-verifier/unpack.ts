import { DecodeError } from "../../model/errors.ts";
import { frameBytes } from "./segments.ts";
import { MAX_SEGMENTS, MAX_UNPACKED_BYTES, type UnpackLimits } from "./shape.ts";

/**
 * Unpacks a packed message (encoding specification, "Packing") into one in the standard stream framing. Throws
 * DecodeError, with the offset in the packed bytes, for a tag or run that is cut off, for bytes after the
 * message, for a message over the limit, and for a run that goes on from the segment table or a segment into
 * the next: writers pack each by itself, and readers rely on it. The limit is checked before memory is taken.
 */
export function unpackCapnp(packed: Uint8Array, limits: UnpackLimits = {}): Uint8Array {
  const { segments: maxSegments = MAX_SEGMENTS, unpackedBytes = MAX_UNPACKED_BYTES } = limits;
  const unpacker = new Unpacker(packed);
  const first = new Uint8Array(8);
  unpacker.read(first);
  const header = new Uint8Array(frameBytes(first, maxSegments));
  header.set(first);
  unpacker.read(header.subarray(8));

  const table = new DataView(header.buffer);
  const sizes = Array.from(
    { length: table.getUint32(0, true) + 1 },
    (_, i) => 8 * table.getUint32(4 + 4 * i, true),
  );
  const total = sizes.reduce((sum, size) => sum + size, header.length);
  if (total > unpackedBytes) {
    throw new DecodeError("capnp", `unpacks to ${total} bytes, expected at most ${unpackedBytes}`, {
      code: "limit",
    });
  }
  if (total > MAX_RATIO * packed.length) throw truncated(packed);
  const unpacked = new Uint8Array(total);
  unpacked.set(header);
  let start = header.length;
  for (const size of sizes) {
    unpacker.read(unpacked.subarray(start, start + size));
    start += size;
  }
  unpacker.expectEnd();
  return unpacked;
}

/** Two packed bytes are at most a run of 256 zero words. */
const MAX_RATIO = 1024;

/** Reads packed bytes piece by piece. No run may go beyond a piece. */
class Unpacker {
  readonly #packed: Uint8Array;
  #at = 0;

  constructor(packed: Uint8Array) {
    this.#packed = packed;
  }

  /** Unpacks exactly `target.length` bytes, a multiple of 8. `target` is all zero. */
  read(target: Uint8Array): void {
    for (let to = 0; to < target.length; ) {
      const start = this.#at;
      const tag = this.#byte();
      for (let bit = 0; bit < 8; bit++) {
        if ((tag & (1 << bit)) !== 0) target[to + bit] = this.#byte();
      }
      to += 8;
      // After a zero word a count of more of them, after a full one a count of words that follow as they are.
      if (tag !== 0x00 && tag !== 0xff) continue;
      const run = 8 * this.#byte();
      if (to + run > target.length) {
        throw new DecodeError("capnp", "packed run goes beyond its segment", { offset: start });
      }
      if (tag === 0xff) {
        if (this.#at + run > this.#packed.length) throw truncated(this.#packed);
        target.set(this.#packed.subarray(this.#at, this.#at + run), to);
        this.#at += run;
      }
      to += run;
    }
  }

  /** Throws DecodeError where packed bytes are left. */
  expectEnd(): void {
    const left = this.#packed.length - this.#at;
    if (left > 0)
      throw new DecodeError("capnp", `${left} bytes after the end of the message`, { offset: this.#at });
  }

  #byte(): number {
    const byte = this.#packed[this.#at];
    if (byte === undefined) throw truncated(this.#packed);
    this.#at += 1;
    return byte;
  }
}

function truncated({ length }: Uint8Array): DecodeError {
  return new DecodeError("capnp", "packed message ends early", { code: "truncated", offset: length });
}
