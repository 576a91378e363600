/** What holding 64-bit integers in another way costs, of hand-made times. */
import { describe, expect, it } from "vitest";
import { int64Studies } from "../../src/analysis/int64-study.ts";
import type { Cell, RunRecord } from "../../src/model/records/run.ts";
import { renderMarkdown } from "../../src/reports/run/markdown.ts";
import { renderText } from "../../src/reports/run/text.ts";
import { int64Study } from "../../src/reports/sections/run/int64-study.ts";
import { measured, nanosOf, recordOf } from "../reports/record.ts";

function cellAt(codec: string, form: string, nanos: number, spread = 0.01): Cell {
  return {
    ...measured(codec, "decode", 100, nanos),
    dataset: `ids as a list as ${form}`,
    nanos: { ...nanosOf(nanos), ci95: [nanos * (1 - spread), nanos * (1 + spread)] },
  };
}

function studyOf(cells: readonly Cell[], forms: readonly string[]): RunRecord {
  const record = recordOf(cells);
  return {
    ...record,
    options: { ...record.options, study: "int64" },
    datasets: forms.map((form) => ({ name: `ids as a list as ${form}`, story: "Ids.", message: "m" })),
  };
}

const CELLS = [
  cellAt("json", "number", 100),
  cellAt("json", "bigint", 300),
  cellAt("json", "text", 101),
  cellAt("msgpackr", "number", 100, 0.5),
  cellAt("msgpackr", "text", 140, 0.5),
];

describe("a study of 64-bit integers", () => {
  const record = studyOf(CELLS, ["number", "bigint", "text"]);

  it("is none where the record is of something else", () => {
    expect(int64Studies({ ...record, options: recordOf([]).options })).toEqual([]);
  });

  it("compares the forms of a dataset with the first of them", () => {
    const [study] = int64Studies(record);
    expect(study?.dataset).toBe("ids as a list");
    expect(study?.forms).toEqual(["number", "bigint", "text"]);
    const ratios = study?.rows.map(({ codec, points }) => [
      codec,
      ...Array.from(points, ([form, { ratio, isClose }]) => [form, ratio, isClose]),
    ]);
    expect(ratios).toEqual([
      ["json", ["number", null, false], ["bigint", 3, false], ["text", 1.01, true]],
      ["msgpackr", ["number", null, false], ["text", 1.4, true]],
    ]);
  });

  it("shows what a codec does not carry as a hole", () => {
    const [decode, bytes] = int64Study.tables(record);
    expect(decode?.table.rows).toEqual([
      ["json", "100 ns", "300 ns", "101 ns", "3.00", "~1.01"],
      ["msgpackr", "100 ns", "–", "140 ns", "–", "~1.40"],
    ]);
    expect(bytes?.table.rows).toEqual([
      ["json", "100", "100", "100"],
      ["msgpackr", "100", "–", "100"],
    ]);
  });

  it("has bigints first where an integer is no safe number", () => {
    const [study] = int64Studies(
      studyOf([cellAt("json", "bigint", 100), cellAt("json", "text", 50)], ["bigint", "text"]),
    );
    expect(study?.rows[0]?.points.get("text")).toMatchObject({ ratio: 0.5, isClose: false });
  });

  it("is in the reports", () => {
    expect(renderText(record)).toContain("ids as a list: decode by how 64-bit integers are held");
    expect(renderMarkdown(record)).toContain("### ids as a list: bytes by how 64-bit integers are held");
  });
});
