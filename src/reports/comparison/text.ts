import type { Comparison } from "../../model/records/comparison.ts";
import { defineReport } from "../../model/report.ts";
import { comparisonBlocks } from "../sections/comparison.ts";
import { textTable } from "../table.ts";

export default defineReport({
  of: "comparison",
  summary: "the whole comparison, as a terminal shows it",
  render: renderComparisonText,
});

/** A comparison as a terminal shows it: a table per dataset, sizes, memory, and how sure all that is. */
export function renderComparisonText(comparison: Comparison): string {
  const blocks = comparisonBlocks(comparison, {
    heading: (text) => text,
    table: textTable,
    list: (lines) => lines.join("\n"),
    titledList: (title, lines) => [title, ...lines].join("\n"),
  });
  return `${blocks.join("\n\n")}\n`;
}
