import { promisify } from "node:util";
import zlib from "node:zlib";
import { confidenceInterval, median } from "../../analysis/statistics/location.ts";
import type { Encoded } from "../../model/codec.ts";
import { defined } from "../../model/defined.ts";
import { VerificationError } from "../../model/errors.ts";
import { inBytes } from "../../model/in-bytes.ts";
import type { CompressionRecord, PayloadRecord } from "../../model/records/run.ts";

/** Above this size Brotli's default level takes hundreds of milliseconds, and nobody waits for it: a lower one is used. */
const BROTLI_SLOW_BYTES = 1 << 16;

const gzipLater = promisify(zlib.gzip);
const brotliLater = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliCompress);

/**
 * Sizes of a message as it is and compressed with the defaults of Node's zlib, but for Brotli of large ones. Its threads do it, of
 * bytes as they are now.
 */
export async function compressedSizes(encoded: Encoded): Promise<Omit<PayloadRecord, "dataset" | "codec">> {
  const bytes = Buffer.from(encoded);
  const quality = bytes.length > BROTLI_SLOW_BYTES ? BROTLI_FAST_QUALITY : undefined;
  const { zstdCompress } = zstd();
  const [gzipped, brotlied, zstded] = await Promise.all([
    gzipLater(bytes),
    brotliLater(bytes, quality === undefined ? {} : brotliQuality(quality)),
    zstdCompress && promisify(zstdCompress)(bytes),
  ]);
  return {
    bytes: bytes.length,
    gzip: gzipped.length,
    brotli: brotlied.length,
    ...defined({ brotliQuality: quality, zstd: zstded?.length }),
  };
}

/**
 * What compressing a message takes in this process, and inflating it again, with each of {@link compressors}. The
 * calls are synchronous ones of node:zlib with their allocations; text becomes bytes before. There is no entry for
 * messages above 32 MiB, nor for Brotli's default level above {@link SLOW_BYTES}. Throws VerificationError where the inflated
 * bytes are not the message.
 * @param budgetMs what an entry takes about, beyond its first calls; up to four times as much where calls are long
 */
export function measureCompression(
  encoded: Encoded,
  { budgetMs = 15 }: { readonly budgetMs?: number } = {},
): Omit<CompressionRecord, "dataset" | "codec">[] {
  const bytes = Buffer.from(encoded);
  const entries = compressors(budgetMs)
    .filter(({ mostBytes }) => bytes.length <= mostBytes)
    .map(({ algorithm, level, compress, inflate }) => {
      const { result: compressed, ms: compressMs } = timedCall(() => compress(bytes));
      const { result: inflated, ms: inflateMs } = timedCall(() => inflate(compressed));
      expectSame(`${algorithm} at level ${level}`, inflated, bytes);
      const forth = new CallTimer(() => compress(bytes), budgetMs / 2, compressMs);
      const back = new CallTimer(() => inflate(compressed), budgetMs / 2, inflateMs);
      return { algorithm, level, bytes: compressed.length, forth, back };
    });
  // In turns, so that what disturbs this process for a while does not meet one of them alone.
  for (let turn = 0; turn < STRETCHES.usual; turn++) {
    for (const { forth, back } of entries) {
      forth.stretch(turn);
      back.stretch(turn);
    }
  }
  return entries.map(({ forth, back, ...entry }) => ({
    ...entry,
    compressNanos: forth.nanos(),
    compressCi95: forth.ci95(),
    decompressNanos: back.nanos(),
    decompressCi95: back.ci95(),
  }));
}

/** Stretches of calls that the median is taken of. From the least number on, their order alone gives an interval. */
const STRETCHES = { least: 6, usual: 8 };

/** How much of its budget an entry may overrun to have the least number of stretches. */
const OVERRUN = 4;

/** Calls that are timed one by one to begin with: one alone may be held up by something else. */
const FIRST_CALLS = 3;

/** Calls in a stretch at most. */
const MAX_CALLS = 1 << 16;

/** Times a function in stretches of calls, or by its first calls alone where these are too long for that. */
class CallTimer {
  readonly #call: () => void;
  readonly #calls: number;
  readonly #stretches: number;
  readonly #means: number[];

  /** @param firstMs what the very first call took: of one that takes long, there is no other */
  constructor(call: () => void, budgetMs: number, firstMs: number) {
    this.#call = call;
    const firsts = [firstMs];
    const fastestMs = (): number => Math.max(Math.min(...firsts), 1e-6);
    while (firsts.length <= FIRST_CALLS && fastestMs() <= OVERRUN * budgetMs) firsts.push(meanMs(call, 1));
    const fastest = fastestMs();
    const calls = Math.floor(budgetMs / STRETCHES.usual / fastest);
    this.#calls = Math.min(Math.max(calls, 1), MAX_CALLS);
    const affordable = Math.floor(budgetMs / (this.#calls * fastest));
    const tooLong = fastest * STRETCHES.least > OVERRUN * budgetMs;
    this.#stretches = tooLong ? 0 : Math.max(affordable, STRETCHES.least);
    this.#means = tooLong ? firsts : [];
  }

  /** Times some calls, unless so many turns are too many. */
  stretch(turn: number): void {
    if (turn < this.#stretches) this.#means.push(meanMs(this.#call, this.#calls));
  }

  nanos(): number {
    return Math.round(median(this.#means) * 1e6);
  }

  ci95(): [number, number] | null {
    const interval = confidenceInterval(this.#means);
    return interval && [Math.round(interval[0] * 1e6), Math.round(interval[1] * 1e6)];
  }
}

function timedCall<Result>(call: () => Result): { readonly result: Result; readonly ms: number } {
  const from = performance.now();
  const result = call();
  return { result, ms: performance.now() - from };
}

function meanMs(call: () => void, calls: number): number {
  const from = performance.now();
  for (let i = 0; i < calls; i++) call();
  return (performance.now() - from) / calls;
}

function expectSame(name: string, inflated: Buffer, bytes: Buffer): void {
  if (inflated.equals(bytes)) return;
  if (inflated.length !== bytes.length) {
    throw new VerificationError(
      `${name}: the inflated message has another length, expected ${inBytes(bytes.length)}, got ${inflated.length}`,
    );
  }
  const at = bytes.findIndex((byte, i) => inflated[i] !== byte);
  throw new VerificationError(
    `${name}: the inflated message differs at byte ${at}, expected ${bytes[at]}, got ${inflated[at]}`,
  );
}

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

/** Brotli's default level takes some 0.4 s for the most: with a small budget it is timed of smaller messages only. */
const SLOW_BYTES = { least: 1 << 16, most: 1 << 18, perMs: 21_000 };

/**
 * gzip, Brotli and, where this Node has it, zstd, at the default levels of node:zlib, and Brotli at one that can be
 * used while a message waits.
 * @param budgetMs what an entry may take
 */
export function compressors(budgetMs = Number.POSITIVE_INFINITY): Compressor[] {
  const slowBytes = Math.min(Math.max(budgetMs * SLOW_BYTES.perMs, SLOW_BYTES.least), SLOW_BYTES.most);
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
  const all = [...quick, brotli(zlib.constants.BROTLI_DEFAULT_QUALITY, slowBytes)];
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
  zstdCompress?(input: Buffer, callback: (error: Error | null, result: Buffer) => void): void;
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
