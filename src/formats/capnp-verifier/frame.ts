import { DecodeError } from "../../model/errors.ts";

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
    const problem = `${bytes.length - start} bytes after the end of the message`;
    throw new DecodeError("capnp", problem, { offset: start });
  }
  return segments;
}

/** Length of the segment table, which the first word of the message gives. */
export function frameBytes(bytes: Uint8Array, maxSegments: number): number {
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
