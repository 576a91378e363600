import zlib from "node:zlib";
import type { Encoded } from "../model/codec.ts";
import type { PayloadRecord } from "../model/run-record.ts";

/** Above this size Brotli's default level takes seconds, so a lower one is used. */
const BROTLI_SLOW_BYTES = 1 << 20;
const BROTLI_FAST_QUALITY = 5;

/** Sizes of a message as it is and compressed with the defaults of Node's zlib. */
export function compressedSizes(encoded: Encoded): Omit<PayloadRecord, "dataset" | "codec"> {
  const bytes = Buffer.from(encoded);
  const { BROTLI_PARAM_QUALITY: quality } = zlib.constants;
  const params = bytes.length > BROTLI_SLOW_BYTES ? { params: { [quality]: BROTLI_FAST_QUALITY } } : {};
  // zstd came with Node 22.15 and 23.8; the types of the oldest supported Node do not know it.
  const { zstdCompressSync } = zlib as { zstdCompressSync?: (input: Buffer) => Buffer };
  return {
    bytes: bytes.length,
    gzip: zlib.gzipSync(bytes).length,
    brotli: zlib.brotliCompressSync(bytes, params).length,
    ...(zstdCompressSync === undefined ? {} : { zstd: zstdCompressSync(bytes).length }),
  };
}
