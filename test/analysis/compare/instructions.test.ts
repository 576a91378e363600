/** Instructions of two sides beside each other, and what is said of them. */
import { describe, expect, it } from "vitest";
import { compareRecords, compareSides } from "../../../src/analysis/compare/compare.ts";
import type { ComparedInstructions } from "../../../src/model/records/comparison.ts";
import type { Cell, RunRecord } from "../../../src/model/records/run.ts";
import { renderComparisonText } from "../../../src/reports/comparison/text.ts";
import { recordOf } from "../../reports/record.ts";
import { around, timed } from "./timed.ts";

/** A cell whose times say nothing, and whose processes counted these instructions. */
function counted(codec: string, instructions: readonly number[]): Cell {
  const processes = instructions.map((each, block) => ({ block, instructions: each }));
  const middle = instructions.toSorted((a, b) => a - b)[instructions.length >> 1] ?? 0;
  return { ...timed(codec, "encode", around(1000, 0.5)), counters: { instructions: middle, processes } };
}

function recordWith(cells: readonly Cell[], countersReason?: string): RunRecord {
  const record = recordOf(cells);
  return {
    ...record,
    options: { ...record.options, counters: true },
    runtimes: record.runtimes.map((runtime) => ({ ...runtime, ...(countersReason && { countersReason }) })),
  };
}

function compared(base: readonly Cell[], head: readonly Cell[]): ComparedInstructions {
  const { instructions } = compareRecords(recordWith(base), recordWith(head));
  if (instructions === undefined) throw new Error("not compared");
  return instructions;
}

describe("instructions of two records", () => {
  it.each([
    ["more", around(86_000, 0.001), around(90_000, 0.001), "more"],
    ["fewer", around(90_000, 0.001), around(86_000, 0.001), "fewer"],
    ["the same", around(86_000, 0.001), around(86_100, 0.001), "same"],
    ["the same to the last one", [500, 500, 500], [500, 500, 500], "same"],
    ["more by a constant", [500, 500, 500], [510, 510, 510], "more"],
    ["undecided where processes differ", around(86_000, 0.3), around(90_000, 0.3), "undecided"],
    ["undecided in one process", [86_000], [90_000], "undecided"],
    ["undecided where there were none", [0, 0, 0], [500, 500, 500], "undecided"],
  ])("are %s, where times are undecided", (_, base, head, verdict) => {
    const { cells } = compared([counted("json", base)], [counted("json", head)]);
    expect(cells.map((cell) => cell.verdict)).toEqual([verdict]);
  });

  it("have a ratio, its interval and both medians", () => {
    const { cells } = compared(
      [counted("json", around(80_000, 0.001))],
      [counted("json", around(88_000, 0.001))],
    );
    expect(cells[0]?.ratio).toBeCloseTo(1.1, 3);
    expect(cells[0]?.ci95?.[0]).toBeLessThan(1.1);
    expect(cells[0]?.ci95?.[1]).toBeGreaterThan(1.1);
    expect(cells[0]?.base).toBeCloseTo(80_000, -2);
    expect(cells[0]?.head).toBeCloseTo(88_000, -2);
  });

  it("are a family of their own: of many cells each has to be surer", () => {
    const pOf = (codecs: readonly string[]): number => {
      const side = (level: number): Cell[] => codecs.map((codec) => counted(codec, around(level, 0.02)));
      return compared(side(1000), side(1015)).cells[0]?.p ?? Number.NaN;
    };
    const one = pOf(["json"]);
    expect(pOf(["json", "v8", "amf3"])).toBeCloseTo(3 * one, 10);
  });

  it("are not there where nobody asked, and leave times as they are", () => {
    const [base, head] = [[counted("json", [5, 5, 5])], [counted("json", [6, 6, 6])]];
    const without = compareRecords(recordOf(base), recordOf(head));
    expect(without.instructions).toBeUndefined();
    expect(compareRecords(recordWith(base), recordWith(head)).cells).toEqual(without.cells);
  });

  it("are compared block by block where both sides were measured together", () => {
    const drift = [1, 1.2, 0.8, 1.1];
    const record = recordWith([
      counted(
        "a",
        drift.map((share, i) => 1000 * share + i),
      ),
      counted(
        "b",
        drift.map((share, i) => 1100 * share + i),
      ),
    ]);
    const names = [{ codec: "x", base: "a", head: "b" }];
    const { instructions } = compareSides(record, names, { base: "old", head: "new" });
    expect(instructions?.cells[0]).toMatchObject({ codec: "x", verdict: "more" });
  });
});

describe("a report of instructions", () => {
  const text = (base: RunRecord, head: RunRecord): string => renderComparisonText(compareRecords(base, head));
  const [few, many] = [
    counted("json", [345_000, 345_000, 345_000]),
    counted("json", [380_000, 380_000, 380_000]),
  ];

  it("has both sides and a verdict, and says what they do not see", () => {
    const shown = text(recordWith([few]), recordWith([many]));
    expect(shown).toMatch(/^tellist +encode +json +345,000 -> 380,000 +\+10 % .*more$/m);
    expect(shown).toContain("Instructions say how much work there is, and not how long memory takes");
    expect(shown).toContain("beside that of the times and not in its place");
  });

  it("says why there are none", () => {
    const none = timed("json", "encode", around(1000, 0.1));
    expect(text(recordWith([none], "perf is away"), recordWith([none], "perf is away"))).toContain(
      "instructions: none on both sides: perf is away",
    );
  });

  it("says which record was made without", () => {
    expect(text(recordWith([few]), recordOf([timed("json", "encode", around(1000, 0.1))]))).toContain(
      "instructions: none on both sides: the head was measured without --counters",
    );
  });

  it("says that some processes did not count", () => {
    expect(text(recordWith([few], "perf gave no answer in 5 s"), recordWith([many]))).toContain(
      "Not counted in every process: perf gave no answer in 5 s.",
    );
  });
});
