import { DecodeError } from "../../model/errors.ts";
import { inBytes } from "../../model/in-bytes.ts";
import { MAX_SEGMENTS, MAX_UNPACKED_BYTES, type Trail, type UnpackLimits } from "./limits.ts";

/** A segment, by the bytes of the message that it takes. */
export interface Segment {
  readonly start: number;
  readonly end: number;
}

/**
 * The segments of a message, from the table before them (encoding specification, "Serialization Over a
 * Stream"). They must fill the bytes exactly.
 */
export function readFrame(bytes: Uint8Array, maxSegments: number): Segment[] {
  const header = frameBytes(bytes, maxSegments);
  if (bytes.length < header) throw truncated(bytes.length, header);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const segments: Segment[] = [];
  let start = header;
  for (let i = 0; i < segmentCount(view); i++) {
    const at = 4 + 4 * i;
    const words = view.getUint32(at, true);
    // The first holds the root pointer. Without this rule for the others, capnp-ts 0.9.3 refuses some frames.
    if (words === 0) throw new DecodeError("capnp", `segment ${i} is empty`, { offset: at });
    segments.push({ start, end: start + 8 * words });
    start += 8 * words;
  }
  if (start > bytes.length) throw truncated(bytes.length, start);
  if (start < bytes.length) {
    const problem = `${inBytes(bytes.length - start)} after the end of the message`;
    throw new DecodeError("capnp", problem, { offset: start });
  }
  return segments;
}

/** Length of the segment table, which the first word of the message gives. */
function frameBytes(bytes: Uint8Array, maxSegments: number): number {
  if (bytes.length < 8) throw truncated(bytes.length, 8);
  const count = segmentCount(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (count > maxSegments) {
    throw new DecodeError("capnp", `${count} segments, expected at most ${maxSegments}`, {
      code: "limit",
      offset: 0,
    });
  }
  return 8 * Math.ceil((4 + 4 * count) / 8);
}

function segmentCount(view: DataView): number {
  return view.getUint32(0, true) + 1;
}

function truncated(length: number, expected: number): DecodeError {
  const problem = `message ends early, expected ${expected} bytes, got ${length}`;
  return new DecodeError("capnp", problem, { code: "truncated", offset: length });
}

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
    throw new DecodeError("capnp", `unpacks to ${inBytes(total)}, expected at most ${unpackedBytes}`, {
      code: "limit",
    });
  }
  if (total > MAX_RATIO * packed.length) throw packedEndsEarly(packed);
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
        if (this.#at + run > this.#packed.length) throw packedEndsEarly(this.#packed);
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
      throw new DecodeError("capnp", `${inBytes(left)} after the end of the message`, { offset: this.#at });
  }

  #byte(): number {
    const byte = this.#packed[this.#at];
    if (byte === undefined) throw packedEndsEarly(this.#packed);
    this.#at += 1;
    return byte;
  }
}

function packedEndsEarly({ length }: Uint8Array): DecodeError {
  return new DecodeError("capnp", "packed message ends early", { code: "truncated", offset: length });
}

/** The object that a pointer leads to, far pointers followed. */
export interface Target {
  readonly kind: "struct" | "list";
  readonly segment: Segment;
  /** First byte of its content, counted from the start of the message, and not yet known to be inside the segment. */
  readonly start: number;
  /** Upper half of the pointer: the size of what it leads to. */
  readonly size: number;
  /** Words of landing pads on the way. */
  readonly padWords: number;
}

/** Reads the pointers of a message. Throws DecodeError where one is malformed. */
export class Pointers {
  readonly #view: DataView;
  readonly #segments: readonly Segment[];
  readonly #trail: Trail;

  constructor(view: DataView, segments: readonly Segment[], trail: Trail) {
    this.#view = view;
    this.#segments = segments;
    this.#trail = trail;
  }

  /** What the pointer at byte `at` of a segment leads to; undefined where it is null. */
  follow(segment: Segment, at: number): Target | undefined {
    const { low, high } = this.#word(at);
    if (low === 0 && high === 0) return undefined;
    // A struct of 32768 pointers right after this one. The word is -0 as a double, and for capnp-ts 0.9.3 null.
    if (low === 0 && high === 0x8000_0000) this.#trail.fail("pointer that some readers take for null", at);
    return (low & 3) === FAR ? this.#far(low, high, at) : this.#near(segment, at, 0);
  }

  /** A pointer whose content lies in its own segment. */
  #near(segment: Segment, at: number, padWords: number): Target {
    const { low, high } = this.#word(at);
    const start = at + 8 + 8 * (low >> 2);
    return { kind: this.#kind(low, at), segment, start, size: high, padWords };
  }

  /** A far pointer leads to a landing pad in another segment (encoding specification, "Inter-Segment Pointers"). */
  #far(low: number, high: number, at: number): Target {
    const segment = this.#segment(high, at);
    const double = (low & 4) !== 0;
    const pad = segment.start + 8 * (low >>> 3);
    if (pad + (double ? 16 : 8) > segment.end)
      this.#trail.fail("landing pad of a far pointer is outside its segment", at);
    const first = this.#word(pad);
    if (!double) {
      if (first.low === 0 && first.high === 0) this.#trail.fail("far pointer to a null pointer", at);
      return this.#near(segment, pad, 1);
    }
    if ((first.low & 7) !== FAR)
      this.#trail.fail("landing pad of a double-far pointer has no far pointer", pad);
    const content = this.#segment(first.high, pad);
    const tag = this.#word(pad + 8);
    const kind = this.#kind(tag.low, pad + 8);
    if (tag.low >>> 2 !== 0) this.#trail.fail("tag of a double-far pointer has an offset", pad + 8);
    return {
      kind,
      segment: content,
      start: content.start + 8 * (first.low >>> 3),
      size: tag.high,
      padWords: 2,
    };
  }

  #segment(index: number, at: number): Segment {
    const segment = this.#segments[index];
    if (segment === undefined) this.#trail.fail(`segment ${index} of ${this.#segments.length}`, at);
    return segment;
  }

  #kind(low: number, at: number): "struct" | "list" {
    switch (low & 3) {
      case STRUCT:
        return "struct";
      case LIST:
        return "list";
      case FAR:
        return this.#trail.fail("far pointer to a far pointer", at);
      default:
        return this.#trail.fail("capability, expected data", at, "unsupported");
    }
  }

  #word(at: number): { low: number; high: number } {
    return { low: this.#view.getUint32(at, true), high: this.#view.getUint32(at + 4, true) };
  }
}

/** The lowest two bits of a pointer (encoding specification, "Structs" to "Inter-Segment Pointers"). */
const STRUCT = 0;
const LIST = 1;
const FAR = 2;
