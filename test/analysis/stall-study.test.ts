/** When a worker pays, of hand-made times. */
import { describe, expect, it } from "vitest";
import { type StallOutcome, stallStudies } from "../../src/analysis/stall-study.ts";
import type { Cell, Nanos, RunRecord } from "../../src/model/records/run.ts";
import { renderPage } from "../../src/reports/page/page.ts";
import { renderMarkdown } from "../../src/reports/run/markdown.ts";
import { renderText } from "../../src/reports/run/text.ts";
import { stallStudy } from "../../src/reports/sections/run/stall-study.ts";
import { measured, nanosOf, recordOf } from "../reports/record.ts";

/** Decode and a worker's time of a message of so many values, ten bytes each; both with intervals of a tenth to both sides. */
type Size = readonly [count: number, decode: number, busy: number];

const WALL = { wall: [5000, 5000, 5000] };

function cellsOf([count, decode, busy]: Size, told: Partial<Nanos> = WALL): Cell[] {
  return [["decode", decode] as const, ["clone", 2 * busy] as const, ["worker", busy] as const].map(
    ([operation, nanos]) => ({
      ...measured("json", operation, 10 * count, nanos),
      dataset: `own x ${count}`,
      nanos: { ...nanosOf(nanos), ci95: [nanos * 0.9, nanos * 1.1], ...told },
    }),
  );
}

function studyOf(cells: readonly Cell[]): RunRecord {
  const record = recordOf(cells);
  const names = [...new Set(cells.map(({ dataset }) => dataset))];
  return {
    ...record,
    options: { ...record.options, study: "stall", datasets: names },
    datasets: names.map((name) => ({ name, story: "Of one's own.", message: "m" })),
  };
}

const sized = (sizes: readonly Size[], told?: Partial<Nanos>): RunRecord =>
  studyOf(sizes.flatMap((size) => cellsOf(size, told)));

describe("a study of stalls", () => {
  it("is none where the record is of something else", () => {
    const record = sized([[1, 100, 200]]);
    expect(stallStudies({ ...record, options: recordOf([]).options })).toEqual([]);
    expect(stallStudies(studyOf([]))).toEqual([]);
  });

  it.each<[string, readonly Size[], StallOutcome, string]>([
    [
      "at every size",
      [
        [1, 200, 100],
        [8, 900, 400],
      ],
      { kind: "always" },
      "already from 10 bytes on",
    ],
    [
      "at none",
      [
        [1, 100, 200],
        [8, 800, 1600],
      ],
      { kind: "never" },
      "never up to 80 bytes",
    ],
    [
      "from a size between two",
      [
        [1, 100, 1000],
        [100, 10_000, 4000],
        [1000, 100_000, 40_000],
      ],
      { kind: "from", bytes: 139.13, between: [10, 1000] },
      "from about 140 bytes on (between 10 and 1,000)",
    ],
    [
      "within the noise",
      [
        [1, 100, 101],
        [8, 800, 790],
      ],
      { kind: "undecided", less: [] },
      "cannot be told up to 80 bytes",
    ],
    [
      "at some, and not at larger ones",
      [
        [1, 100, 300],
        [8, 800, 300],
        [64, 6400, 9000],
      ],
      { kind: "undecided", less: [80] },
      "for certain only at 80 bytes",
    ],
  ])("says that a worker pays %s", (_, sizes, outcome, words) => {
    const record = sized(sizes);
    const found = stallStudies(record)[0]!.codecs[0]!.outcome;
    if (outcome.kind === "from" && found.kind === "from") {
      expect(found.bytes).toBeCloseTo(outcome.bytes, 1);
      expect(found.between).toEqual(outcome.between);
    } else expect(found).toEqual(outcome);
    expect(stallStudy.tables(record)[0]!.table.rows[0]!.slice(0, 2)).toEqual(["json", words]);
  });

  it("is certain of nothing where one process was measured", () => {
    const record = sized([[1, 100, 900]], { ...WALL, ci95: null });
    expect(stallStudies(record)[0]!.codecs[0]!.outcome).toEqual({ kind: "undecided", less: [] });
  });

  it("does not take a time by the clock for one on a core", () => {
    const [study] = stallStudies(sized([[1, 100, 200]], {}));
    expect(study!.codecs[0]!.outcome).toEqual({ kind: "unknown" });
    expect(study!.codecs[0]!.sizes[0]).toMatchObject({ decode: { nanos: 100 }, clone: { nanos: 400 } });
    expect(study!.codecs[0]!.sizes[0]!.busy).toBeUndefined();
  });

  it("has the longest call where calls were timed one by one", () => {
    const alone = { batchCalls: [1, 1, 16], batches: [[110, 502], [90], [9999]], ...WALL };
    const [study] = stallStudies(sized([[1, 100, 200]], alone));
    expect(study!.codecs[0]!.sizes[0]!.longestNanos).toBe(500);
    expect(stallStudies(sized([[1, 100, 200]]))[0]!.codecs[0]!.sizes[0]!.longestNanos).toBeUndefined();
  });

  it("is in the reports", () => {
    const record = sized([
      [1, 100, 200],
      [8, 800, 300],
    ]);
    expect(renderText(record)).toContain("own: what keeps the main thread, by size");
    expect(renderMarkdown(record)).toContain("## Stalls");
    expect(renderPage(record)).toContain("from which size a worker keeps the main thread less busy");
  });
});
