/** Frames for tests: headers with everything filled in, and what went through. */

import type { Arrival } from "../../src/ipc/transport.ts";
import { crc32, type FrameHeader, writeHeader } from "../../src/ipc/wire/frame.ts";

/** A header of a message; of what is not given, of nothing. */
export function headerOf(overrides: Partial<FrameHeader> = {}): FrameHeader {
  return {
    kind: "message",
    talker: 0,
    sequence: 0,
    value: 0,
    bytes: 0,
    checksum: 0,
    intended: 0,
    sent: 0,
    ...overrides,
  };
}

/** A message of `bytes` that differ from those of any other. */
export function payloadOf(bytes: number, seed = 0): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, i) => (i * 31 + seed * 17 + (i >> 8)) & 0xff);
}

/** Header and bytes of a message as a stream has them. */
export function frameOf(payload: Uint8Array, overrides: Partial<FrameHeader> = {}): Buffer {
  const header = headerOf({ bytes: payload.length, checksum: crc32(payload), ...overrides });
  return Buffer.concat([writeHeader(header), payload]);
}

/** The frame that ends a phase of so many messages. */
export function endOf(messages: number, talker = 0): Buffer {
  return Buffer.from(writeHeader(headerOf({ kind: "last", talker, sequence: messages })));
}

/** A frame that has arrived, and whether it was released. */
export function arrivalOf(
  overrides: Partial<FrameHeader> = {},
): Arrival & { readonly released: () => number } {
  let released = 0;
  return {
    header: headerOf(overrides),
    payload: new Uint8Array(0),
    firstByte: 0,
    lastByte: 0,
    release: () => {
      released += 1;
    },
    released: () => released,
  };
}
