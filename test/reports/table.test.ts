import { describe, expect, it } from "vitest";
import { markdownTable, textTable } from "../../src/reports/table.ts";
import {
  counted,
  formatBytes,
  formatDuration,
  formatNanos,
  formatRatio,
  formatSpread,
} from "../../src/reports/units.ts";

describe("units", () => {
  it("count one in the singular", () => {
    expect([1, 2].map((count) => counted(count, "core"))).toEqual(["1 core", "2 cores"]);
    expect([1, 1600].map((count) => counted(count, "process", "processes"))).toEqual([
      "1 process",
      "1,600 processes",
    ]);
  });

  it.each([
    [formatNanos(3.456), "3.46 ns"],
    [formatNanos(999.6), "1.00 µs"],
    [formatNanos(3406), "3.41 µs"],
    [formatNanos(12_345_678), "12.3 ms"],
    [formatNanos(2e9), "2.00 s"],
    [formatBytes(1784), "1,784"],
    [formatBytes(841.5), "841.5"],
    [formatRatio(0.3512), "0.35"],
    [formatRatio(12.34), "12.3"],
    [formatRatio(1234), "1234"],
    [formatRatio(0.0032), "0.0032"],
    [formatRatio(0.00994), "0.0099"],
    [formatRatio(0.00996), "0.01"],
    [formatRatio(0), "0.00"],
    [formatSpread(100, [95, 105]), "±5.0 %"],
    [formatSpread(100, null), ""],
    [formatDuration(45_400), "45 s"],
    [formatDuration(125_000), "2 min 5 s"],
    [formatDuration(3_599_400), "59 min 59 s"],
    [formatDuration(11_530_000), "3 h 12 min"],
  ])("%s", (text, expected) => {
    expect(text).toBe(expected);
  });
});

describe("tables", () => {
  const table = {
    columns: [
      { heading: "codec", align: "left" as const },
      { heading: "bytes", align: "right" as const },
    ],
    rows: [
      ["a|b", "1"],
      ["json", "2,617"],
    ],
  };

  it("line up in Markdown, with pipes escaped", () => {
    expect(markdownTable(table)).toBe(
      "| codec | bytes |\n| ----- | ----: |\n| a\\|b  |     1 |\n| json  | 2,617 |",
    );
  });

  it("line up as text", () => {
    expect(textTable(table)).toBe("codec  bytes\na|b        1\njson   2,617");
  });
});
