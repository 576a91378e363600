import * as zlib from "node:zlib";
import { WirebenchError } from "../../model/errors.ts";

/** Bytes from a transport that are no frame of ours, or not the one that was sent. */
export class FrameError extends WirebenchError {}

/** What stands before every message on its way. */
export interface FrameHeader {
  /** `message`, or `last`: a talker has sent all of a phase, of which `sequence` says how many they were. */
  readonly kind: "message" | "last";
  readonly talker: number;
  /** From 0 in each phase. */
  readonly sequence: number;
  /** Which of the dataset's values it is. */
  readonly value: number;
  /** Bytes that follow. */
  readonly bytes: number;
  /** CRC-32 of what was encoded. */
  readonly checksum: number;
  /** When it was to be sent, and when it went onto its link: nanoseconds of the talker's {@link Clock}. */
  readonly intended: number;
  readonly sent: number;
}

/**
 * Bytes of a header, all little-endian:
 *
 *      0  u32  "WBM1"         16  f64  intended
 *      4  u8   1 for last     24  f64  sent
 *      5  u8   value          32  u32  CRC-32 of the message
 *      6  u16  talker         36  u32  CRC-32 of the bytes above
 *      8  u32  sequence
 *     12  u32  bytes that follow
 */
export const HEADER_BYTES = 40;

const MAGIC = 0x314d_4257;

/** Values that a header can tell apart. */
export const MAX_VALUES = 256;

/** A header's bytes. */
export function writeHeader(header: FrameHeader): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint8(4, header.kind === "last" ? 1 : 0);
  view.setUint8(5, header.value);
  view.setUint16(6, header.talker, true);
  view.setUint32(8, header.sequence, true);
  view.setUint32(12, header.bytes, true);
  view.setFloat64(16, header.intended, true);
  view.setFloat64(24, header.sent, true);
  view.setUint32(32, header.checksum, true);
  view.setUint32(36, crc32(bytes.subarray(0, 36)), true);
  return bytes;
}

/** Whether a header's bytes are those of a frame that ends a phase. */
export function isEnd(header: Uint8Array): boolean {
  return header[4] === 1;
}

/**
 * The header in {@link HEADER_BYTES} bytes. Throws FrameError, before anything is allocated for what it declares.
 * @param maxBytes the longest message there is
 */
export function readHeader(bytes: Uint8Array, maxBytes: number): FrameHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  const magic = view.getUint32(0, true);
  if (magic !== MAGIC) {
    throw new FrameError(`frame: expected the mark ${hex(MAGIC)}, got ${hex(magic)}: the stream is damaged`);
  }
  const header: FrameHeader = {
    kind: isEnd(bytes) ? "last" : "message",
    value: view.getUint8(5),
    talker: view.getUint16(6, true),
    sequence: view.getUint32(8, true),
    bytes: view.getUint32(12, true),
    intended: view.getFloat64(16, true),
    sent: view.getFloat64(24, true),
    checksum: view.getUint32(32, true),
  };
  if (header.bytes > maxBytes) {
    throw new FrameError(`${nameOf(header)}: expected at most ${maxBytes} bytes, got ${header.bytes}`);
  }
  const sum = crc32(bytes.subarray(0, 36));
  if (sum !== view.getUint32(36, true)) {
    throw new FrameError(`${nameOf(header)}: its header is damaged: expected the CRC-32 ${hex(sum)}`);
  }
  return header;
}

/** Throws FrameError unless a message is what its header says, and its bytes are those that were expected. */
export function expectIntact(header: FrameHeader, payload: Uint8Array, expected: Uint8Array): void {
  if (Buffer.compare(payload, expected) === 0) return;
  const found = payload.findIndex((byte, at) => byte !== expected[at]);
  const at = found < 0 ? Math.min(payload.length, expected.length) : found;
  throw new FrameError(
    `${nameOf(header)}: it is damaged at byte ${at}: expected ${expected[at] ?? "its end"}, got ${payload[at] ?? "its end"}`,
  );
}

/** `message 5 of talker 0`. */
export function nameOf({
  kind,
  sequence,
  talker,
}: Pick<FrameHeader, "kind" | "sequence" | "talker">): string {
  return kind === "last" ? `the last frame of talker ${talker}` : `message ${sequence} of talker ${talker}`;
}

function hex(word: number): string {
  return `0x${word.toString(16).padStart(8, "0")}`;
}

/** CRC-32 of bytes, as zlib has it. Node has it from 20.15 on; before, it is computed here, some twenty times slower. */
export const crc32: (bytes: Uint8Array) => number =
  (zlib as { crc32?: (bytes: Uint8Array) => number }).crc32 ?? slowCrc32;

/** CRC-32 byte by byte (RFC 1952, section 8). */
export function slowCrc32(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ TABLE[(crc ^ bytes[i]!) & 0xff]!;
  return (crc ^ 0xffff_ffff) >>> 0;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1;
  return crc;
});
