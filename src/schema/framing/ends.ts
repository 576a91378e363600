/** Where messages end that say so themselves, in a stream where one follows the other. */
import { TAGS } from "../../formats/msgpack-verifier/input.ts";
import { DecodeError } from "../../model/errors.ts";

/** Finds where the message ends that begins at a place; undefined where bytes are missing. Throws DecodeError. */
export type EndOf = (bytes: Uint8Array, at: number) => number | undefined;

/** Where one item of a CBOR sequence ends (RFC 8742), by the heads of all that is in it. Indefinite lengths are refused. */
export function cborEnd(bytes: Uint8Array, at: number): number | undefined {
  let next = at;
  for (let left = 1; left > 0; left--) {
    const head = bytes[next++];
    if (head === undefined) return undefined;
    const major = head >> 5;
    const info = head & 31;
    if (info > 27) throw new DecodeError("cbor", `a head of 0x${head.toString(16)}`, { offset: next - 1 });
    const size = info < 24 ? 0 : 1 << (info - 24);
    const count = size === 0 ? info : bigEndian(bytes, next, size);
    next += size;
    if (major === 2 || major === 3) next += count;
    else if (major === 4) left += count;
    else if (major === 5) left += 2 * count;
    else if (major === 6) left += 1;
    if (next > bytes.length) return undefined;
  }
  return next;
}

/** Where one value of MessagePack ends, by the first bytes of all that is in it. */
export function messagePackEnd(bytes: Uint8Array, at: number): number | undefined {
  let next = at;
  for (let left = 1; left > 0; left--) {
    const token = bytes[next++];
    if (token === undefined) return undefined;
    if (token < 0x80 || token >= 0xe0) continue;
    if (token < 0x90) left += 2 * (token & 0x0f);
    else if (token < 0xa0) left += token & 0x0f;
    else if (token < 0xc0) next += token & 0x1f;
    else {
      const { kind, size } = TAGS[token - 0xc0]!;
      const count = kind === "fixed" ? 0 : bigEndian(bytes, next, size);
      next += size;
      if (kind === "bytes" || kind === "text") next += count;
      else if (kind === "array") left += count;
      else if (kind === "map") left += 2 * count;
      else if (kind === "extension") next += 1 + count;
      else if (kind === "fixed extension") next += 1 + (1 << (token - 0xd4));
      else if (kind === "never used")
        throw new DecodeError("msgpack", "the byte 0xc1 is never used", { offset: next - 1 });
    }
    if (next > bytes.length) return undefined;
  }
  return next;
}

/** Most segments of a message, as capnp's own reader has it. */
const MOST_SEGMENTS = 512;

/** Where a message of Cap'n Proto ends, by its table of segments (encoding specification, "Serialization Over a Stream"). */
export function capnpEnd(bytes: Uint8Array, at: number): number | undefined {
  if (at + 8 > bytes.length) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const segments = view.getUint32(at, true) + 1;
  if (segments > MOST_SEGMENTS) throw new DecodeError("capnp", `${segments} segments`, { offset: at });
  // The table is padded to a word.
  const table = 8 * Math.ceil((segments + 1) / 2);
  if (at + table > bytes.length) return undefined;
  let end = at + table;
  for (let segment = 0; segment < segments; segment++) end += 8 * view.getUint32(at + 4 + 4 * segment, true);
  return end > bytes.length ? undefined : end;
}

function bigEndian(bytes: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (let i = at; i < at + size; i++) value = value * 256 + (bytes[i] ?? 0);
  return value;
}
