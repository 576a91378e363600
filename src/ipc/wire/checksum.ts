import * as zlib from "node:zlib";

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
