import { describe, expect, it } from "vitest";
import { blindnessOf } from "../../src/analysis/blindness.ts";
import type { Cell, ProcessRecord, RunRecord, Standing } from "../../src/model/records/run.ts";
import { blindnessLines } from "../../src/reports/sections/run/noise.ts";
import { recordOf as recordOfCells } from "../reports/record.ts";
import { cellOf, nanosFrom } from "./simulated-cells.ts";

/** A record of one table: what each codec could have shown beside the first, and their tiers. */
function recordOf(
  detectable: readonly (number | null)[],
  tiers: readonly number[],
  disturbed = 0,
): RunRecord {
  const cells = detectable.map((share, i): Cell => {
    const standing: Standing = {
      ratio: 1,
      ci95: null,
      p: 1,
      verdict: "undecided",
      detectable: share,
      tier: tiers[i]!,
    };
    return { ...cellOf(`codec-${i}`, nanosFrom([[1], [1]])), standing };
  });
  const processes = Array.from(
    { length: 8 },
    (_, i) => ({ disturbedBy: i < disturbed ? ["waiting"] : [] }) as unknown as ProcessRecord,
  );
  return { ...recordOfCells(cells), processes };
}

describe("the first line of a report", () => {
  it("is nothing where the middle comparison would have found a difference of half", () => {
    expect(blindnessOf(recordOf([null, 0.2, 0.5, 9], [1, 1, 1, 1], 8))).toBeUndefined();
    expect(blindnessOf(recordOf([null, null], [1, 2], 8))).toBeUndefined();
    expect(blindnessLines(recordOf([], [], 8))).toEqual([]);
  });

  it("is why nothing was told apart", () => {
    expect(blindnessLines(recordOf([null, 3, 3], [1, 1, 1], 2))).toEqual([
      "This machine was too busy to tell any two codecs apart: close programs and run again.",
    ]);
    expect(blindnessLines(recordOf([null, 3, 3], [1, 1, 1], 1))[0]).toMatch(
      /^The processes of this run differed too much to tell any two codecs apart: take more/,
    );
  });

  it("is from which difference on codecs were told apart, where some were", () => {
    const record = recordOf([null, 0.8, 0.8, 0.9], [1, 1, 2, 2], 8);
    expect(blindnessOf(record)).toEqual({ detectable: 0.8, pairs: 6, told: 4, isBusy: true });
    expect(blindnessLines(record)).toEqual([
      "This machine was too busy to tell codecs apart that differ by less than 80 %: close programs and run again.",
    ]);
  });

  it("is that ranks are the order of the times, where codecs were compared in one block", () => {
    const alone = (p: number | null): RunRecord => {
      const record = recordOf([null, null, null], [1, 2, 3]);
      const [baseline, ...others] = record.cells as [Cell, ...Cell[]];
      const compared = others.map((cell) => ({ ...cell, standing: { ...cell.standing!, p } }));
      return {
        ...record,
        cells: [baseline, ...compared],
        options: { ...record.options, baseline: "codec-0" },
      };
    };
    expect(blindnessLines(alone(null))).toEqual([
      "Each codec was measured by one process: nothing tells a difference from chance, and ranks are the order of the times.",
    ]);
    expect(blindnessLines(alone(0.2))).toEqual([]);
    const [only] = alone(null).cells;
    expect(blindnessLines({ ...alone(null), cells: [only!] })).toEqual([]);
  });

  it("names no difference beyond tenfold", () => {
    const record = recordOf([null, 300, 300, 300], [1, 1, 2, 2], 8);
    expect(blindnessLines(record)[0]).toContain(" that differ by less than 1000 %: ");
  });

  it("counts neither steps nor second measurements", () => {
    const record = recordOf([null, 3, 3, 3], [1, 1, 2, 2], 8);
    const [first, second, third, fourth] = record.cells as [Cell, Cell, Cell, Cell];
    const cells: Cell[] = [first, second, { ...third, twinOf: "codec-0" }, { ...fourth, part: true }];
    expect(blindnessOf({ ...record, cells })).toMatchObject({ pairs: 1, told: 0 });
  });
});
