import { FrameError } from "../wire/frame.ts";

/** What a listener says when it is done with a message. */
export interface Ack {
  readonly sequence: number;
  /** How long it took to decode the message and to read every field, by the listener's own clock, in nanoseconds. */
  readonly decode: number;
}

/** Bytes of an ack, all little-endian: u32 "WBA1", u32 sequence, f64 decode. */
const ACK_BYTES = 16;
const MAGIC = 0x3141_4257;

/** An ack's bytes. */
export function writeAck({ sequence, decode }: Ack): Uint8Array {
  const bytes = new Uint8Array(ACK_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, sequence, true);
  view.setFloat64(8, decode, true);
  return bytes;
}

/** An ack's bytes, read. Throws FrameError. */
export function readAck(bytes: Uint8Array): Ack {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length !== ACK_BYTES || view.getUint32(0, true) !== MAGIC) {
    throw new FrameError(
      `ack: expected ${ACK_BYTES} bytes with a mark, got ${bytes.length} bytes of something else`,
    );
  }
  const ack = { sequence: view.getUint32(4, true), decode: view.getFloat64(8, true) };
  if (ack.decode >= 0 && Number.isFinite(ack.decode)) return ack;
  throw new FrameError(`ack of message ${ack.sequence}: expected a time, got ${ack.decode}`);
}
