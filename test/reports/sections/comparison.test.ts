/** What a comparison says to people, read back from its text. */
import { describe, expect, it } from "vitest";
import { compareRecords, type RecordOptions } from "../../../src/analysis/compare/compare.ts";
import type { Cell } from "../../../src/model/records/run.ts";
import { formatShare } from "../../../src/model/share.ts";
import { renderComparisonText } from "../../../src/reports/comparison/text.ts";
import { formatChange, formatChanges } from "../../../src/reports/units.ts";
import { around, timed } from "../../analysis/compare/timed.ts";
import { measured, recordOf, refused } from "../record.ts";

function textOf(base: readonly Cell[], head: readonly Cell[], options: RecordOptions = {}): string {
  return renderComparisonText(
    compareRecords(recordOf(base), recordOf(head), { sources: { base: "old", head: "new" }, ...options }),
  );
}

/** The words of each line. */
function wordsOf(text: string): string[][] {
  return text.split("\n").map((line) => line.trim().split(/ {2,}/));
}

const exactly = (codec: string, operation: string, nanos: number): Cell =>
  timed(codec, operation, [nanos, nanos, nanos, nanos]);

describe("the text of a comparison", () => {
  const base = [
    exactly("json", "encode", 1000),
    exactly("json", "decode", 1000),
    timed("v8", "encode", around(1000, 0.5)),
    exactly("v8", "decode", 1000),
    exactly("amf3", "encode", 1000),
  ];
  const head = [
    exactly("json", "encode", 1000),
    exactly("json", "decode", 900),
    timed("v8", "encode", around(1020, 0.5)),
    exactly("v8", "decode", 1100),
    exactly("amf3", "encode", 2000),
  ];

  it("has the cells that changed first, the most changed at the top", () => {
    const rows = wordsOf(textOf(base, head)).filter(([word = ""]) =>
      /^(slower|faster|same|undecided)$/.test(word),
    );
    expect(rows.map((row) => row.slice(0, 6))).toEqual([
      ["slower", "encode", "amf3", "1.00 µs", "2.00 µs", "+100 %"],
      ["slower", "decode", "v8", "1.00 µs", "1.10 µs", "+10 %"],
      ["faster", "decode", "json", "1.00 µs", "900 ns", "-10 %"],
      ["undecided", "encode", "v8", expect.any(String), expect.any(String), "+2.0 %"],
      ["same", "encode", "json", "1.00 µs", "1.00 µs", "0.0 %"],
    ]);
  });

  it("says how many of each there are, the gate, and what could have been found", () => {
    const text = textOf(base, head);
    expect(text).toContain("5 cells: 2 slower, 1 faster, 1 the same within the threshold, 1 undecided");
    expect(text).toMatch(/^gate: 1\.0 %, the threshold; p is adjusted for 5 cells \(Holm\)$/m);
    expect(text).toMatch(/^least difference found four times in five, in the middle of the cells: /m);
    expect(text).toMatch(/^all cells together: \+2\.0 % in the middle, 3 of 5 on that side$/m);
    expect(text).toMatch(/^two runs share no blocks: /m);
  });

  it("has a table per dataset", () => {
    const elsewhere = base.map((cell) => ({ ...cell, dataset: "garden" }));
    const both = { ...recordOf([...base, ...elsewhere]) };
    const datasets = [...both.datasets, { name: "garden", story: "", message: "x" }];
    const text = renderComparisonText(compareRecords({ ...both, datasets }, { ...both, datasets }));
    expect(text.match(/^(tellist|garden)$/gm)).toEqual(["tellist", "garden"]);
  });

  it("has sizes as they were and are", () => {
    const text = textOf([measured("json", "encode", 1849, 10)], [measured("json", "encode", 1852, 10)]);
    expect(wordsOf(text)).toContainEqual(["tellist", "json", "as it is", "1,849 -> 1,852 bytes", "+3"]);
    expect(textOf(base, head)).toContain("sizes: all 3 equal");
  });

  it("has no shift where nothing moved", () => {
    expect(textOf(base, base)).toContain("all cells together: they did not move");
  });

  it("says in a line what only one side measured, and why", () => {
    const without = [
      ...head.filter(({ codec }) => codec === "amf3"),
      refused("json", "encode", "failed", "lost\n| it |"),
      refused("json", "decode", "failed", "lost\n| it |"),
    ];
    const lines = textOf(base, without).split("\n");
    expect(lines).toContain("base: json on tellist (encode, decode); in the head failed: lost | it |");
    expect(lines).toContain("base: v8 on tellist (encode, decode)");
  });

  it("names what breaks the limit", () => {
    const lines = textOf(base, head, { failIfSlower: 0.2 }).trimEnd().split("\n");
    expect(lines.at(-1)).toBe("slower by more than 20 %: encode/tellist/amf3, +100 %");
    expect(textOf(base, head, { failIfSlower: 2 })).toMatch(/^slower by more than 200 %: none$/m);
  });
});

it.each([
  [1.052, "+5.2 %"],
  [0.69, "-31 %"],
  [1, "0.0 %"],
  [1.0004, "0.0 %"],
  [0.9996, "0.0 %"],
  [0.0001, "-100 %"],
  [12.34, "×12.3"],
  [123_456, "×123,456"],
  [null, ""],
])("a ratio of %s is a change of %j", (ratio, text) => {
  expect(formatChange(ratio)).toBe(text);
});

it("an interval of ratios is one of changes, and a share is in per cent", () => {
  expect(formatChanges([0.95, 1.2])).toBe("-5.0 % … +20 %");
  expect(formatChanges(null)).toBe("");
  expect(formatShare(0.0123)).toBe("1.2 %");
});
