import { expect, it } from "vitest";
import { withStandings } from "../../src/analysis/standings.ts";
import { renderCsv } from "../../src/reports/run/csv.ts";
import { renderMarkdown } from "../../src/reports/run/markdown.ts";
import { renderText } from "../../src/reports/run/text.ts";
import { measured, recordOf, refused } from "./record.ts";

it("a baseline that was not measured leaves its column empty, with a line, and the ranks stay", () => {
  const cells = [
    refused("json", "encode", "unsupported", "no numbers"),
    measured("fast", "encode", 10, 100),
    measured("slow", "encode", 10, 900),
  ];
  const record = recordOf(withStandings(cells, { baseline: "json", threshold: 0.01 }).cells);
  const line = "json was not measured: there are no ratios to it";
  expect(renderText(record)).toContain(line);
  expect(renderMarkdown(record)).toContain(`- ${line}`);
  expect(renderText(record)).toMatch(/fast +10 +100 ns +±5\.0 % +1\n/);
  const rows = renderCsv(record)
    .split("\r\n")
    .map((row) => row.split(","));
  const [heading, , fast, slow] = rows as [string[], string[], string[], string[]];
  for (const column of ["ratio", "ratio_ci95_low"]) expect(fast[heading.indexOf(column)]).toBe("");
  expect([fast, slow].map((row) => row[heading.indexOf("tier")])).toEqual(["1", "2"]);
});
