/** What a comparison fails by, at the limits themselves. */
import { describe, expect, it } from "vitest";
import { shiftLimit, slowerLimit, undecidedLimit } from "../../../src/analysis/compare/gates.ts";
import type { ComparedCell, LoneCell, Shift } from "../../../src/model/records/comparison.ts";

const SIDE = { median: 1, processes: 8, bytes: 1, library: "lib", version: "1.0.0" };

function cell(codec: string, more: Partial<ComparedCell>): ComparedCell {
  return {
    operation: "encode",
    dataset: "tellist",
    codec,
    verdict: "undecided",
    ratio: 1.5,
    ci95: [1.4, 1.6],
    p: 0.001,
    detectable: 0.1,
    base: SIDE,
    head: SIDE,
    ...more,
  };
}

const lone = (codec: string, more: Partial<LoneCell>): LoneCell => ({
  operation: "decode",
  dataset: "tellist",
  codec,
  side: "base",
  other: "failed",
  ...more,
});

describe("a limit on slower cells", () => {
  it("is broken by a ratio beyond it that is called slower, and by what failed since", () => {
    const cells = [
      cell("beyond", { verdict: "slower", ratio: 1.26 }),
      cell("at it", { verdict: "slower", ratio: 1.25 }),
      cell("by no ratio", { verdict: "slower", ratio: null }),
      cell("same", { verdict: "same", ci95: [0.9, 1.1] }),
      cell("faster", { verdict: "faster", ci95: [0.5, 0.9] }),
      cell("undecided", { ratio: 1.9 }),
    ];
    const alone = [
      lone("lost", { reason: "crashed" }),
      lone("never had", { side: "head" }),
      lone("refused", { other: "unsupported" }),
      lone("absent", { other: "absent" }),
    ];
    expect(slowerLimit(0.25, cells, alone)).toEqual({
      limit: 0.25,
      slower: [{ operation: "encode", dataset: "tellist", codec: "beyond", ratio: 1.26 }],
      failed: [{ operation: "decode", dataset: "tellist", codec: "lost" }],
      blind: [{ operation: "encode", dataset: "tellist", codec: "undecided", ci95: [1.4, 1.6] }],
    });
  });
});

describe("a limit on undecided cells", () => {
  it("is broken by intervals that reach beyond it, and by those that nobody knows", () => {
    const cells = [
      cell("beyond", { ci95: [0.9, 1.26] }),
      cell("up to it", { ci95: [0.9, 1.25] }),
      cell("unknown", { ci95: null }),
      cell("decided", { verdict: "slower" }),
      cell("same", { verdict: "same", ci95: [0.9, 1.1] }),
      cell("the same within a wide threshold", { verdict: "same", ci95: [1.1, 1.3] }),
      cell("baseline", { reference: true }),
    ];
    expect(undecidedLimit(0.25, cells, [])).toEqual({
      limit: 0.25,
      cells: [
        { operation: "encode", dataset: "tellist", codec: "beyond", ci95: [0.9, 1.26] },
        { operation: "encode", dataset: "tellist", codec: "unknown", ci95: null },
        {
          operation: "encode",
          dataset: "tellist",
          codec: "the same within a wide threshold",
          ci95: [1.1, 1.3],
        },
      ],
    });
  });

  it("says that there was nothing to decide", () => {
    expect(undecidedLimit(0.25, [], [])).toEqual({ limit: 0.25, cells: [], nothing: true });
  });

  it("is broken by what failed in the head, and by nothing else of one side only", () => {
    const lone = (codec: string, more: Partial<LoneCell> = {}): LoneCell => {
      const cell = { operation: "decode", dataset: "tellist", codec };
      return { ...cell, side: "base", other: "failed", ...more };
    };
    const alone = [lone("lost"), lone("gone", { other: "absent" }), lone("won", { side: "head" })];
    expect(undecidedLimit(0.25, [cell("same", { verdict: "same", ci95: [0.9, 1.1] })], alone)).toEqual({
      limit: 0.25,
      cells: [],
      failed: [{ operation: "decode", dataset: "tellist", codec: "lost" }],
    });
  });
});

describe("a limit on all cells together", () => {
  const shift = (median: number): Shift => ({ median, cells: 8, together: 8, machine: false });

  it.each<[string, Shift | null, boolean]>([
    ["beyond it", shift(1.26), true],
    ["at it", shift(1.25), false],
    ["below it", shift(0.5), false],
    ["that is not known", null, false],
  ])("has a median %s", (_, of, shifted) => {
    expect(shiftLimit(0.25, of)).toEqual({ limit: 0.25, shifted });
  });
});
