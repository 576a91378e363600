import type { Comparison } from "../../model/records/comparison.ts";
import { defineReport } from "../../model/report.ts";
import { bulletList } from "../escape.ts";
import { comparisonBlocks } from "../sections/comparison.ts";
import { markdownTable, type Table } from "../table.ts";

export default defineReport({
  of: "comparison",
  summary: "the whole comparison",
  render: renderComparisonMarkdown,
});

/** A comparison as Markdown. */
export function renderComparisonMarkdown(comparison: Comparison): string {
  const list = (lines: readonly string[]): string => bulletList(lines).join("");
  const blocks = comparisonBlocks(comparison, {
    heading: (text) => `## ${text}`,
    table: (table) => markdownTable(unbroken(table)),
    list,
    titledList: (title, lines) => `${title}:\n\n${list(lines)}`,
  });
  return `${["# wirebench comparison", ...blocks].join("\n\n")}\n`;
}

/** Figures in columns to the right do not break, however narrow the page is. */
function unbroken(table: Table): Table {
  const isFigure = table.columns.map(({ align }) => align === "right");
  const rows = table.rows.map((row) =>
    row.map((cell, i) => (isFigure[i] ? cell.replaceAll(" ", "\u00a0") : cell)),
  );
  return { ...table, rows };
}
