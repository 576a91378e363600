import zlib from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { VerificationError } from "../../src/model/errors.ts";
import {
  type Compressor,
  compressedSizes,
  compressors,
  measureCompression,
  type Zstd,
} from "../../src/runtimes/node/compress.ts";

const QUICK = { budgetMs: 0.1 };
const TEXT = "name: Ann, age: 37; ".repeat(100);

/** Whether this Node has zstd. */
const zstd = (zlib as Zstd).zstdCompressSync !== undefined;
const WITHOUT_ZSTD = ["gzip 6", "brotli 5", "brotli 11"];
const ALL = [...WITHOUT_ZSTD, ...(zstd ? ["zstd 3"] : [])];

function named({ algorithm, level }: Pick<Compressor, "algorithm" | "level">): string {
  return `${algorithm} ${level}`;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("measured compression", () => {
  it.each<[string, string | Uint8Array]>([
    ["of text", TEXT],
    ["of bytes", Buffer.from(TEXT)],
    ["of a view of a larger buffer", Buffer.from(TEXT).subarray(7, 90)],
    ["of a byte", Uint8Array.of(0)],
    ["of nothing", new Uint8Array(0)],
  ])("%s has a size and positive times for each algorithm and level", (_, encoded) => {
    const entries = measureCompression(encoded, QUICK);
    expect(entries.map(named)).toEqual(ALL);
    for (const { bytes, compressNanos, decompressNanos, compressCi95, decompressCi95 } of entries) {
      expect(bytes).toBeGreaterThan(0);
      for (const nanos of [compressNanos, decompressNanos]) expect(nanos).toBeGreaterThan(0);
      for (const [low, high] of [compressCi95 ?? [0, 0], decompressCi95 ?? [0, 0]]) {
        expect(high).toBeGreaterThanOrEqual(low);
      }
    }
  });

  it("has the sizes that the record gives of the default levels", async () => {
    const sizes = await compressedSizes(TEXT);
    const entries = new Map(measureCompression(TEXT, QUICK).map((entry) => [named(entry), entry.bytes]));
    expect(entries.get("gzip 6")).toBe(sizes.gzip);
    expect(entries.get("brotli 11")).toBe(sizes.brotli);
    expect(entries.get("zstd 3")).toBe(sizes.zstd);
  });

  it("has the size of a large message by a Brotli that somebody waits for, and says so", async () => {
    const least = "x".repeat(2 ** 16);
    expect(await compressedSizes(least)).not.toHaveProperty("brotliQuality");
    const { brotli, brotliQuality } = await compressedSizes(`${least}y`);
    expect(brotliQuality).toBe(5);
    const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 };
    expect(brotli).toBe(zlib.brotliCompressSync(`${least}y`, { params }).length);
  });

  it("has an interval with the usual budget, and none with time for one call", () => {
    expect(
      measureCompression(TEXT).find(({ algorithm }) => algorithm === "gzip")?.compressCi95,
    ).not.toBeNull();
    expect(measureCompression(TEXT, { budgetMs: 0 }).every(({ compressCi95 }) => compressCi95 === null)).toBe(
      true,
    );
  });

  it("measures zstd where this Node has it", () => {
    const faked = zlib as Zstd;
    const before = { ...faked };
    try {
      faked.zstdCompressSync = (bytes) => zlib.deflateRawSync(bytes);
      faked.zstdDecompressSync = (bytes) => zlib.inflateRawSync(bytes);
      expect(measureCompression(TEXT, QUICK).map(named)).toEqual([...WITHOUT_ZSTD, "zstd 3"]);
      delete faked.zstdCompressSync;
      expect(measureCompression(TEXT, QUICK).map(named)).toEqual(WITHOUT_ZSTD);
    } finally {
      for (const name of ["zstdCompressSync", "zstdDecompressSync"] as const) {
        if (before[name] === undefined) delete faked[name];
        else faked[name] = before[name];
      }
    }
  });

  it("has no entry for a slow level of large messages, and none at all for huge ones", () => {
    const fits = (bytes: number): string[] =>
      compressors().flatMap((one) => (bytes <= one.mostBytes ? [named(one)] : []));
    expect(fits(2 ** 18)).toEqual(ALL);
    expect(fits(2 ** 18 + 1)).toEqual(ALL.filter((name) => name !== "brotli 11"));
    expect(fits(2 ** 25 + 1)).toEqual([]);
    expect(measureCompression(Buffer.alloc(2 ** 25 + 1))).toEqual([]);
  });

  it.each([
    [
      "of another length",
      "",
      "gzip at level 6: the inflated message has another length, expected 3 bytes, got 0",
    ],
    [
      "with another byte",
      "abd",
      "gzip at level 6: the inflated message differs at byte 2, expected 99, got 100",
    ],
  ])("refuses an inflated message %s", (_, inflated, message) => {
    vi.spyOn(zlib, "gunzipSync").mockReturnValue(Buffer.from(inflated));
    expect(() => measureCompression("abc", QUICK)).toThrow(VerificationError);
    expect(() => measureCompression("abc", QUICK)).toThrow(message);
  });
});
