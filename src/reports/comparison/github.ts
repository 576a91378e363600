import type { BlindCell, Comparison } from "../../model/records/comparison.ts";
import { defineReport } from "../../model/report.ts";
import { formatShare } from "../../model/share.ts";
import { blindText, cellName } from "../sections/comparison.ts";
import { counted, formatChange, formatChanges } from "../units.ts";
import { renderComparisonText } from "./text.ts";

export default defineReport({
  of: "comparison",
  summary: "the whole comparison for the log of a GitHub job, and what is worth an annotation",
  render: renderComparisonGithub,
});

/** A comparison as text that holds no workflow command, and a workflow command for each annotation beneath. */
export function renderComparisonGithub(comparison: Comparison): string {
  const text = renderComparisonText(comparison).split("\n").map(withoutCommand).join("\n");
  const annotations = [
    ...slowerAnnotations(comparison),
    ...undecidedAnnotations(comparison),
    ...shiftAnnotations(comparison),
  ];
  return `${[text, ...annotations.map(commandOf)].join("\n")}\n`;
}

interface Annotation {
  readonly level: "error" | "warning" | "notice";
  readonly title: string;
  readonly message: string;
}

/** Annotations of one level that GitHub shows of a step; the last stands for all that are left. */
const MOST = 10;

function slowerAnnotations({ cells, alone, failIfSlower }: Comparison): Annotation[] {
  const limited = new Set(failIfSlower?.slower.map(cellName));
  const slower = cells.filter(({ verdict }) => verdict === "slower");
  const messages = slower.map((cell) => ({
    level: limited.has(cellName(cell)) ? ("error" as const) : ("warning" as const),
    title: `slower: ${cellName(cell)}`,
    message: `${formatChange(cell.ratio)} (95 %: ${formatChanges(cell.ci95)})`,
  }));
  const failed = alone.filter(({ side, other }) => side === "base" && other === "failed");
  const errors: Annotation[] = [
    ...failed.map((cell) => ({
      level: "error" as const,
      title: `failed: ${cellName(cell)}`,
      message: cell.reason ?? "it did not in the base",
    })),
    ...messages.filter(({ level }) => level === "error"),
  ];
  return [...atMost(errors), ...atMost(messages.filter(({ level }) => level === "warning"))];
}

function atMost(annotations: readonly Annotation[]): Annotation[] {
  if (annotations.length <= MOST) return [...annotations];
  const shown = annotations.slice(0, MOST - 1);
  const rest = annotations.slice(MOST - 1);
  const message = rest.map((one) => `${one.title}: ${one.message}`).join("\n");
  return [...shown, { level: rest[0]!.level, title: `and ${rest.length} more`, message }];
}

/** One for all: who cannot be told is seldom alone. */
function undecidedAnnotations({ cells, failIfSlower, failIfUndecided }: Comparison): Annotation[] {
  if (failIfUndecided?.nothing) {
    return [{ level: "error", title: "cannot tell", message: "both sides have measured no cell" }];
  }
  const { limit, blind = [] } = failIfSlower ?? { limit: 0 };
  if (failIfUndecided !== undefined) {
    return cannotTell("error", failIfUndecided.cells, failIfUndecided.limit, "");
  }
  if (failIfSlower !== undefined) return cannotTell("warning", blind, limit, ", and the gate lets them pass");
  const undecided = cells.filter(({ verdict }) => verdict === "undecided");
  if (undecided.length === 0) return [];
  return [{ level: "notice", title: `undecided: ${count(undecided)}`, message: listed(undecided) }];
}

function cannotTell(
  level: "error" | "warning",
  cells: readonly BlindCell[],
  limit: number,
  more: string,
): Annotation[] {
  if (cells.length === 0) return [];
  const title = `cannot tell: ${count(cells)}`;
  const text = `undecided, and may be slower by more than ${formatShare(limit)}${more}:`;
  return [{ level, title, message: `${text}\n${listed(cells)}` }];
}

function count({ length }: readonly unknown[]): string {
  return counted(length, "cell");
}

function listed(cells: readonly BlindCell[]): string {
  return cells.map(blindText).join("\n");
}

function shiftAnnotations({ shift, failIfShifted }: Comparison): Annotation[] {
  if (shift === null || failIfShifted?.shifted !== true) return [];
  const message = `${formatChange(shift.median)} in the middle of ${counted(shift.cells, "cell")}, more than ${formatShare(failIfShifted.limit)}`;
  return [{ level: "error", title: "all cells together are slower", message }];
}

/** A workflow command ("Workflow commands for GitHub Actions"), with its escapes. */
function commandOf({ level, title, message }: Annotation): string {
  const property = escaped(title).replaceAll(":", "%3A").replaceAll(",", "%2C");
  return `::${level} title=${property}::${escaped(message)}`;
}

function escaped(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** A line of the log that begins like a command, in the new way or the old one, is one: names come from outside. */
function withoutCommand(line: string): string {
  return line.replace(/^(\s*):(?=:)/, "$1: ").replaceAll("##[", "## [");
}
