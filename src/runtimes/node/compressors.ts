import zlib from "node:zlib";
import type { CompressionRecord } from "../../model/records/run.ts";

/** An algorithm at a level, by the synchronous functions of node:zlib. */
export interface Compressor extends Pick<CompressionRecord, "algorithm" | "level"> {
  /** Largest message that it is timed with: a single call takes up to about a second. */
  readonly mostBytes: number;
  compress(bytes: Buffer): Buffer;
  inflate(bytes: Buffer): Buffer;
}

/** What servers compress with as they send: Brotli takes about as long at 5 as gzip does at 6. */
export const BROTLI_FAST_QUALITY = 5;

const MOST_BYTES = 1 << 25;

/** Brotli's default level takes some 0.4 s for so much. */
const SLOW_MOST_BYTES = 1 << 18;

/**
 * gzip, Brotli and, where this Node has it, zstd, at the default levels of node:zlib, and Brotli at one that can be
 * used while a message waits.
 */
export function compressors(): Compressor[] {
  const gzip: Compressor = {
    algorithm: "gzip",
    // What zlib makes of its default, -1.
    level: 6,
    mostBytes: MOST_BYTES,
    compress: (bytes) => zlib.gzipSync(bytes),
    inflate: (bytes) => zlib.gunzipSync(bytes),
  };
  const { zstdCompressSync, zstdDecompressSync } = zstd();
  const quick = [gzip, brotli(BROTLI_FAST_QUALITY, MOST_BYTES)];
  const all = [...quick, brotli(zlib.constants.BROTLI_DEFAULT_QUALITY, SLOW_MOST_BYTES)];
  if (zstdCompressSync === undefined || zstdDecompressSync === undefined) return all;
  return [
    ...all,
    {
      algorithm: "zstd",
      // ZSTD_CLEVEL_DEFAULT
      level: 3,
      mostBytes: MOST_BYTES,
      compress: (bytes) => zstdCompressSync(bytes),
      inflate: (bytes) => zstdDecompressSync(bytes),
    },
  ];
}

/** Options of Brotli at a quality. */
export function brotliQuality(quality: number): zlib.BrotliOptions {
  return { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: quality } };
}

/** zstd came with Node 22.15 and 23.8; the types of the oldest supported Node do not know it. */
export function zstd(): Zstd {
  return zlib as Zstd;
}

/** The part of node:zlib that may be missing. */
export interface Zstd {
  zstdCompressSync?(input: Buffer): Buffer;
  zstdDecompressSync?(input: Buffer): Buffer;
}

function brotli(level: number, mostBytes: number): Compressor {
  return {
    algorithm: "brotli",
    level,
    mostBytes,
    compress: (bytes) => zlib.brotliCompressSync(bytes, brotliQuality(level)),
    inflate: (bytes) => zlib.brotliDecompressSync(bytes),
  };
}
