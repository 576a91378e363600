import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { choicesOf } from "../../../src/analysis/link/choices.ts";
import { compressionSpeeds, linkCosts } from "../../../src/analysis/link/costs.ts";
import { bandwidthLegs, crossovers } from "../../../src/analysis/link/crossovers.ts";
import { UsageError } from "../../../src/model/errors.ts";
import { runs, SEED } from "../../seed.ts";
import { type Sent, wireRecord } from "./record.ts";

const GZIP = { algorithm: "gzip", bytes: 500, compress: 6000, inflate: 2000 } as const;
const JSON_: Sent = { codec: "json", bytes: 1500, encode: 400, decode: 600, compressed: [GZIP] };
const V8: Sent = { codec: "v8", bytes: 1250, encode: 3000, decode: 1000 };

describe("costs on a wire", () => {
  it("are those of both ends and of the link, with the best choice of each codec", () => {
    const [slow, fast] = linkCosts(wireRecord([JSON_, V8]), "tellist", [100e6, 10e9]);
    // 100 Mbit/s: 10 ns a bit, 80 a byte.
    expect(slow?.costs.map(({ nanos }) => nanos)).toEqual([121_000, 49_000, 104_000]);
    expect(
      slow?.best.map(({ choice, nanos }) => [choice.codec, choice.compression?.algorithm, nanos]),
    ).toEqual([
      ["json", "gzip", 49_000],
      ["v8", undefined, 104_000],
    ]);
    expect([slow?.winner.nanos, slow?.level]).toEqual([49_000, []]);
    expect(fast?.best.map(({ choice, nanos }) => [choice.codec, choice.compression, nanos])).toEqual([
      ["json", null, 2200],
      ["v8", null, 5000],
    ]);
    expect(fast?.winner.choice.codec).toBe("json");
  });

  it("name the codecs that cannot be told from the winner", () => {
    // At 1 Gbit/s 13,000 ± 100 and 14,000 ± 1,200; at 10 Mbit/s the 200 bytes between them outweigh that.
    const record = wireRecord([
      { codec: "a", bytes: 1500, encode: 500, decode: 500, spread: 0.1 },
      { codec: "b", bytes: 1475, encode: 2000, decode: 200, spread: 0.6 },
      { codec: "c", bytes: 9000, encode: 2000, decode: 200, spread: 0.6 },
    ]);
    const level = linkCosts(record, "tellist", [1e9, 10e6]).map((link) => [
      link.winner.choice.codec,
      ...link.level,
    ]);
    expect(level).toEqual([["a", "b"], ["b"]]);
  });

  it("let the lighter of two win that take equally long", () => {
    const even = wireRecord([
      { codec: "a", bytes: 2000, encode: 1000, decode: 0 },
      { codec: "b", bytes: 1000, encode: 9000, decode: 0 },
    ]);
    const [link] = linkCosts(even, "tellist", [1e9]);
    expect(link?.winner).toMatchObject({ choice: { codec: "b" }, nanos: 17_000 });
    expect(link?.level).toEqual(["a"]);
  });

  it("are none where nothing was measured", () => {
    expect(linkCosts(wireRecord([]), "tellist", [1e9])).toEqual([]);
    expect(linkCosts(wireRecord([JSON_]), "packet", [1e9])).toEqual([]);
    expect(linkCosts(wireRecord([JSON_]), "tellist", [])).toEqual([]);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("refuse a bandwidth of %s", (bandwidth) => {
    expect(() => linkCosts(wireRecord([JSON_]), "tellist", [bandwidth])).toThrow(UsageError);
  });

  it("agree with the crossovers and the legs at every bandwidth away from these", () => {
    const times = fc.integer({ min: 0, max: 5000 });
    const sent = fc.record({ bytes: fc.integer({ min: 0, max: 5000 }), encode: times, decode: times });
    const bandwidth = fc.double({ min: 3, max: 14, noNaN: true }).map((power) => 10 ** power);
    fc.assert(
      fc.property(fc.array(sent, { minLength: 2, maxLength: 5 }), bandwidth, (given, bits) => {
        const record = wireRecord(given.map((one, i) => ({ codec: `c${i}`, ...one })));
        const choices = choicesOf(record, "tellist");
        const [link] = linkCosts(record, "tellist", [bits]);
        const nanosOf = (codec: string): number =>
          link?.costs.find(({ choice }) => choice.codec === codec)?.nanos ?? Number.NaN;
        const near = (at: number): boolean => Math.abs(at / bits - 1) < 1e-6;
        for (const { lighter, heavier, outcome } of crossovers(choices, 0)) {
          if (outcome.kind === "undecided" || (outcome.kind === "crossover" && near(outcome.bandwidth)))
            continue;
          const lighterWins = outcome.kind === "always" || bits < outcome.bandwidth;
          const [winner, other] = lighterWins ? [lighter, heavier] : [heavier, lighter];
          expect(nanosOf(winner.codec)).toBeLessThanOrEqual(nanosOf(other.codec));
        }
        const leg = bandwidthLegs(choices).find(({ from, to }) => bits >= from && bits < to);
        expect(nanosOf(leg?.choice.codec ?? "")).toBeCloseTo(link?.winner.nanos ?? Number.NaN, 3);
      }),
      { numRuns: runs(300), seed: SEED },
    );
  });
});

describe("the speeds of compressors", () => {
  it("are over the messages of all codecs", () => {
    const brotli = { algorithm: "brotli", level: 11, bytes: 100, compress: 90_000, inflate: 1000 } as const;
    const record = wireRecord([
      { ...JSON_, compressed: [GZIP, brotli] },
      { ...V8, compressed: [{ ...GZIP, compress: 4000 }] },
    ]);
    const zlib = { compressedBytes: 1000, compressNanos: 10_000, decompressNanos: 4000 };
    expect(compressionSpeeds(record, "tellist")).toEqual([
      { algorithm: "gzip", level: 6, bytes: 2750, ...zlib },
      {
        algorithm: "brotli",
        level: 11,
        bytes: 1500,
        compressedBytes: 100,
        compressNanos: 90_000,
        decompressNanos: 1000,
      },
    ]);
    expect(compressionSpeeds(record, "packet")).toEqual([]);
  });
});
