import { describe, expect, it } from "vitest";
import { choicesOf, type LinkChoice, totalNanos } from "../../../src/analysis/link/choices.ts";
import {
  type CrossoverOutcome,
  compressionCrossovers,
  crossoverOf,
  crossovers,
  timeDifference,
} from "../../../src/analysis/link/crossovers.ts";
import { type Sent, wireRecord } from "./record.ts";

function waysOfSent(...sent: readonly Sent[]): LinkChoice[] {
  return choicesOf(wireRecord(sent), "tellist");
}

function compared(a: Omit<Sent, "codec">, b: Omit<Sent, "codec">, gate = 0): ReturnType<typeof crossoverOf> {
  const [one, other] = waysOfSent({ codec: "a", ...a }, { codec: "b", ...b });
  if (one === undefined || other === undefined) throw new Error("two choices were made");
  return crossoverOf(one, other, gate);
}

describe("two choices", () => {
  // 1,000 bytes less and 4,000 ns more: 8,000 bits in 4 µs are 2 Gbit/s.
  const small = { bytes: 800, encode: 2000, decode: 4000 };
  const fast = { bytes: 1800, encode: 500, decode: 1500 };

  it("take equally long where the bits saved take as long as the time spent", () => {
    const { lighter, heavier, outcome } = compared(fast, small);
    expect([lighter.codec, heavier.codec]).toEqual(["b", "a"]);
    expect(outcome).toEqual({ kind: "crossover", bandwidth: 2e9, ci95: [2e9, 2e9] });
    expect(totalNanos(lighter, 2e9)).toBe(totalNanos(heavier, 2e9));
    expect(totalNanos(lighter, 1.9e9)).toBeLessThan(totalNanos(heavier, 1.9e9));
    expect(totalNanos(lighter, 2.1e9)).toBeGreaterThan(totalNanos(heavier, 2.1e9));
  });

  // The difference of 4,000 ns is known to ±1,000: the link is known from 8,000 bits / 5 µs to / 3 µs.
  it("have an interval of the bandwidth from those of the times", () => {
    const { outcome } = compared({ ...small, spread: 1 / 6 }, fast);
    expect(outcome).toEqual({
      kind: "crossover",
      bandwidth: 2e9,
      ci95: [expect.closeTo(1.6e9, 0), expect.closeTo(8e12 / 3000, 0)],
    });
  });

  it.each<[string, ReturnType<typeof compared>, CrossoverOutcome]>([
    [
      "one is better at both",
      compared({ ...small, encode: 1, decode: 1 }, fast),
      { kind: "always", certain: true },
    ],
    [
      "they take equally long",
      compared({ ...small, encode: 500, decode: 1500 }, fast),
      { kind: "always", certain: true },
    ],
    [
      "the sign of the difference in time is not certain: ±3,000 and ±4,000 are ±5,000 of 4,000",
      compared({ ...small, spread: 0.5 }, { ...fast, spread: 2 }),
      { kind: "undecided", below: 8e12 / 9000 },
    ],
    [
      "the difference in time is within the gate: ±6,000",
      compared(small, fast, 3),
      { kind: "undecided", below: 8e12 / 10_000 },
    ],
    [
      "the sizes are equal",
      compared({ ...small, bytes: 7 }, { ...fast, bytes: 7 }),
      { kind: "always", certain: true },
    ],
    [
      "the sizes are equal and the times uncertain",
      compared({ ...small, bytes: 7, spread: 1 }, { ...fast, bytes: 7 }),
      { kind: "undecided", below: 0 },
    ],
    ["they are equal", compared(small, small), { kind: "undecided", below: 0 }],
    [
      "no interval is known",
      compared({ ...small, spread: null }, fast),
      { kind: "crossover", bandwidth: 2e9, ci95: null },
    ],
    [
      "no interval is known of a choice that is better at both",
      compared({ ...small, encode: 0, decode: 0, spread: null }, fast),
      { kind: "always", certain: false },
    ],
  ])("where %s", (_, { outcome }, expected) => {
    expect(outcome).toEqual(expected);
  });

  it("are named the same whichever comes first", () => {
    expect(compared(small, fast).outcome).toEqual(compared(fast, small).outcome);
    const even = { bytes: 7, encode: 3, decode: 3 };
    expect(compared({ ...even, encode: 5 }, even).lighter.codec).toBe("b");
  });
});

describe("compressing", () => {
  const gzip = { algorithm: "gzip", bytes: 200, compress: 3000, inflate: 1000 } as const;
  const json: Sent = {
    codec: "json",
    bytes: 1200,
    encode: 900,
    decode: 900,
    spread: 0.9,
    compressed: [gzip],
  };

  it("pays below a bandwidth that the codec's own noise has no part in", () => {
    const [pair] = compressionCrossovers(waysOfSent(json), 0);
    expect(pair?.lighter.compression).toEqual({ algorithm: "gzip", level: 6 });
    expect(pair?.outcome).toEqual({ kind: "crossover", bandwidth: 2e9, ci95: [2e9, 2e9] });
  });

  it("never pays where the message does not get smaller", () => {
    const [pair] = compressionCrossovers(waysOfSent({ ...json, compressed: [{ ...gzip, bytes: 1220 }] }), 0);
    expect(pair?.lighter.compression).toBeNull();
    expect(pair?.outcome).toEqual({ kind: "always", certain: true });
  });

  it("has no bandwidth to tell where nothing was compressed", () => {
    expect(compressionCrossovers(waysOfSent({ ...json, compressed: [] }), 0)).toEqual([]);
  });
});

describe("the crossovers of several choices", () => {
  it("are those of each pair, in order of size", () => {
    const same = { encode: 1, decode: 1 };
    const choices = waysOfSent(
      { codec: "b", bytes: 2, ...same },
      { codec: "c", bytes: 3, ...same },
      { codec: "a", bytes: 1, ...same },
    );
    const pairs = crossovers(choices, 0).map(({ lighter, heavier }) => lighter.codec + heavier.codec);
    expect(pairs).toEqual(["ab", "ac", "bc"]);
    expect(crossovers(choices.slice(1, 2), 0)).toEqual([]);
    expect(crossovers([], 0)).toEqual([]);
  });
});

describe("a difference in time", () => {
  it("reaches as far as the near ends of lopsided intervals together", () => {
    const [a, b] = waysOfSent(
      { codec: "a", bytes: 1, encode: 500, decode: 500 },
      { codec: "b", bytes: 1, encode: 100, decode: 100 },
    ).map((choice): LinkChoice => ({ ...choice, codecCi95: [choice.nanos - 30, choice.nanos + 40] }));
    // Least where a is 30 less and b 40 more, most where it is the other choice round: both √(30² + 40²) = 50.
    expect(a && b && timeDifference(a, b, 0)).toEqual({ nanos: 800, ci95: [750, 850] });
    const even: LinkChoice | undefined = b && { ...b, codecCi95: [200, 240] };
    expect(a && even && timeDifference(a, even, 0)).toEqual({ nanos: 800, ci95: [750, 840] });
  });

  it("is never known to less than the gate's share of the shorter time", () => {
    const [a, b] = waysOfSent(
      { codec: "a", bytes: 1, encode: 300, decode: 700, spread: 0.001 },
      { codec: "b", bytes: 1, encode: 1000, decode: 1000 },
    );
    expect(a && b && timeDifference(a, b, 0.1)).toEqual({ nanos: -1000, ci95: [-1100, -900] });
  });
});
