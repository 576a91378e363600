import type { Comparison } from "../../model/records/comparison.ts";
import { defineReport } from "../../model/report.ts";
import { bulletList } from "../escape.ts";
import { comparisonBlocks } from "../sections/comparison.ts";
import { markdownTable } from "../table.ts";

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
    table: markdownTable,
    list,
    titledList: (title, lines) => `${title}:\n\n${list(lines)}`,
  });
  return `${["# wirebench comparison", ...blocks].join("\n\n")}\n`;
}
