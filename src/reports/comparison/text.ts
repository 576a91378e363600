import type { Comparison } from "../../model/records/comparison.ts";
import { defineReport } from "../../model/report.ts";
import { comparisonBlocks } from "../sections/comparison.ts";
import { fittedText, textTable } from "../table.ts";

export default defineReport({
  of: "comparison",
  summary: "the whole comparison, as a terminal shows it",
  render: renderComparisonText,
});

/** A comparison as a terminal shows it: a table per dataset, sizes, memory, and how sure all that is. */
export function renderComparisonText(comparison: Comparison, columns?: number): string {
  const blocks = comparisonBlocks(comparison, {
    heading: (text) => text,
    table: (table) => textTable(table, columns),
    list: (lines) => lines.join("\n"),
    titledList: (title, lines) => [title, ...lines].join("\n"),
  });
  return fittedText(`${blocks.join("\n\n")}\n`, columns);
}
