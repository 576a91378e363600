/** What a comparison says to people, read back from its text. */
import { describe, expect, it } from "vitest";
import { compareRecords, compareSides, type RecordOptions } from "../../../src/analysis/compare/compare.ts";
import type { Cell } from "../../../src/model/records/run.ts";
import { formatShare } from "../../../src/model/share.ts";
import { renderComparisonGithub } from "../../../src/reports/comparison/github.ts";
import { renderComparisonText } from "../../../src/reports/comparison/text.ts";
import { formatChange, formatChanges } from "../../../src/reports/units.ts";
import { around, timed } from "../../analysis/compare/timed.ts";
import { measured, recordOf, refused } from "../record.ts";

function textOf(base: readonly Cell[], head: readonly Cell[], options: RecordOptions = {}): string {
  return renderComparisonText(
    compareRecords(recordOf(base), recordOf(head), {
      sources: { base: "old", head: "new" },
      absolute: true,
      ...options,
    }),
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
    expect(text).toMatch(
      /^absolute: nothing is taken off, and what the machine did between the runs counts; /m,
    );
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

  it("has memory that differs by a fifth, what is sure first, and says what undecided is", () => {
    const kept = { gcNanos: 1, longestPauseNanos: 1, retainedBytes: 0, leakedBytes: 0, findings: [] };
    const side = (json: number, v8: number): Cell[] => [
      { ...exactly("json", "encode", 1000), memory: { ...kept, heapBytes: json, externalBytes: 0 } },
      { ...exactly("v8", "encode", 1000), memory: { ...kept, heapBytes: v8, externalBytes: 0 } },
    ];
    const text = textOf(side(1000, 1000), side(1500, 4000));
    expect(wordsOf(text).filter((row) => row.includes("heap per call"))).toEqual([
      ["more", "tellist", "encode", "v8", "heap per call", "1,000 -> 4,000 bytes", "+300 %"],
      ["undecided", "tellist", "encode", "json", "heap per call", "1,000 -> 1,500 bytes", "+50 %"],
    ]);
    expect(text).toMatch(
      /^undecided memory: runs of equal code differ by as much.*; four runs of each side tell$/m,
    );
    const sure = textOf(side(1000, 1000), side(1000, 4000));
    expect(sure).not.toContain("undecided memory");
    expect(textOf(side(1000, 1000), side(1199, 1000))).toContain("memory: nothing differs by a fifth");
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
    expect(lines.at(-2)).toBe("slower by more than 20 %: encode/tellist/amf3, +100 %");
    expect(lines.at(-1)).toMatch(
      /^warning: the gate is blind for 1 of 5 cells: .* more than the limit of 20 % and pass: encode\/tellist\/v8 up to 1\.\d+ times/,
    );
    expect(lines.filter((line) => line.includes("blind"))).toHaveLength(1);
    expect(textOf(base, head, { failIfSlower: 20 })).toMatch(/\nslower by more than .*: none\n$/);
  });

  it("names what cannot be told, and all cells together", () => {
    const lines = textOf(base, head, { failIfUndecided: 0.2, failIfShifted: 0.01 }).trimEnd().split("\n");
    expect(lines.at(-2)).toBe("all cells together slower by more than 1.0 %: +2.0 %");
    expect(lines.at(-1)).toMatch(
      /^cannot tell whether slower by more than 20 %: encode\/tellist\/v8, -\d+ % … /,
    );
    const calm = textOf(base, head, { failIfUndecided: 20, failIfShifted: 0.5 });
    expect(calm).toMatch(/\nall cells together slower by more than 50 %: no\ncannot tell .*: none\n$/);
  });

  const more = (factor: number): Cell[] => [
    ...head.map((cell) => ({ ...cell, operation: `${cell.operation}2` })),
    ...["encode", "decode", "access"].map((operation) => exactly("x", operation, 1000 * factor)),
  ];

  it("says what was taken off every ratio, by how many cells, and what runs differ by beside it", () => {
    const text = textOf([...base, ...more(1)], [...head, ...more(1.5)], { absolute: false });
    expect(text).toMatch(/^all cells together: .*; taken off: .* divided by 1\.00, the median of 13 cells /m);
    expect(text).toMatch(/^between runs: ratios of equal code vary by .* estimated from the cells; /m);
  });

  it("has ratios to the baseline where cells are few, and no figures of the baseline itself", () => {
    const text = textOf(base.slice(0, 4), head.slice(0, 4), { absolute: false });
    expect(wordsOf(text)).toContainEqual(["baseline", "decode", "json", "1.00 µs", "900 ns"]);
    expect(wordsOf(text)).toContainEqual(expect.arrayContaining(["slower", "decode", "v8", "+22 %"]));
    expect(text).toMatch(/; each change is of the ratio to json, which itself moved by -5\.1 % /m);
    expect(text).toContain("2 cells: 1 slower, 0 faster, 0 the same within the threshold, 1 undecided");
  });
});

describe("a comparison for GitHub", () => {
  const text = (base: readonly Cell[], head: readonly Cell[], options: RecordOptions = {}): string[] =>
    renderComparisonGithub(
      compareRecords(recordOf(base), recordOf(head), { absolute: true, ...options }),
    ).split("\n");
  const commands = (lines: readonly string[]): string[] => lines.filter((line) => line.startsWith("::"));

  it("has an annotation for each cell that is slower, an error where it breaks the limit", () => {
    const slower = [exactly("json", "encode", 1000), exactly("v8", "encode", 1000)];
    const head = [exactly("json", "encode", 1300), exactly("v8", "encode", 1100)];
    const levels = (options: RecordOptions): string[] =>
      commands(text(slower, head, options)).map((line) => line.split("::", 2)[1] ?? "");
    expect(levels({ failIfSlower: 0.2 })).toEqual([
      "error title=slower%3A encode/tellist/json",
      "warning title=slower%3A encode/tellist/v8",
    ]);
    expect(levels({})).toEqual([
      "warning title=slower%3A encode/tellist/json",
      "warning title=slower%3A encode/tellist/v8",
    ]);
  });

  it("has one for what cannot be told, the more of it the more was asked", () => {
    const base = [timed("json", "encode", around(1000, 0.5))];
    const head = [timed("json", "encode", around(1020, 0.5))];
    const first = (options: RecordOptions): string => commands(text(base, head, options))[0] ?? "none";
    expect(first({})).toMatch(
      /^::notice title=undecided%3A 1 cell::encode\/tellist\/json, -\d+ %25 … \+\d+ %25$/,
    );
    expect(first({ failIfSlower: 0.05 })).toMatch(
      /^::warning title=cannot tell%3A 1 cell::.*lets them pass:%0A/,
    );
    expect(first({ failIfSlower: 0.05, failIfUndecided: 0.05 })).toMatch(
      /^::error title=cannot tell%3A 1 cell::/,
    );
    expect(first({ failIfShifted: 0.01 })).toContain("::notice");
    expect(commands(text(base, head, { failIfShifted: 0.01 }))[1]).toMatch(
      /^::error title=all cells together are slower::\+2.0 %25 in the middle of 1 cell,/,
    );
  });

  it("holds no command but its own, whatever names and reasons say", () => {
    const dataset = "::stop-commands::x";
    const cell = { ...exactly("json", "encode", 1000), dataset };
    const lost = refused("v8", "encode", "failed", "a%\r\n::error::, b: ##[add-mask]c");
    const base = { ...recordOf([cell, exactly("v8", "encode", 1000)]) };
    const head = { ...recordOf([cell, lost]) };
    const datasets = [...base.datasets, { name: dataset, story: "", message: "x" }];
    const lines = renderComparisonGithub(compareRecords({ ...base, datasets }, { ...head, datasets })).split(
      "\n",
    );
    expect(commands(lines)).toEqual([
      "::error title=failed%3A encode/tellist/v8::a%25%0D%0A::error::, b: ##[add-mask]c",
    ]);
    expect(lines.filter((line) => !line.startsWith("::")).join("\n")).not.toMatch(/^\s*::|##\[/m);
  });

  it("has ten annotations of a level at most, of which the last has the rest", () => {
    const cells = (nanos: number): Cell[] =>
      Array.from({ length: 14 }, (_, i) => exactly(`codec,${i}`, "encode", nanos));
    const all = commands(text(cells(1000), cells(1200)));
    expect(all).toHaveLength(10);
    expect(all[0]).toContain("::warning title=slower%3A encode/tellist/codec%2C0::");
    expect(all[9]).toMatch(
      /^::warning title=and 5 more::slower: encode\/tellist\/codec,9: \+20 %25 .*%0Aslower: /,
    );
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

describe("a comparison of two sides of one run", () => {
  it("says with which flags both were measured, where they have some", () => {
    const record = recordOf([exactly("a", "encode", 1000), exactly("b", "encode", 1000)]);
    const names = [{ codec: "x", base: "a", head: "b" }];
    const textOfSides = (steadyArgv?: readonly string[]): string => {
      const runtimes = record.runtimes.map((runtime) => ({ ...runtime, ...(steadyArgv && { steadyArgv }) }));
      return renderComparisonText(compareSides({ ...record, runtimes }, names, { base: "old", head: "new" }));
    };
    expect(textOfSides(["--one", "--two"])).toContain("both sides were measured with --one --two, so that");
    expect(textOfSides()).not.toContain("both sides were measured with");
  });
});
