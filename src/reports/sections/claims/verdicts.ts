/** Published claims and their verdicts, as tables and words. */
import type {
  ClaimFigure,
  ClaimPart,
  ClaimRecord,
  ClaimResult,
  ClaimsRecord,
  Side,
} from "../../../model/records/claims.ts";
import { formatShare } from "../../../model/share.ts";
import { left, right, type Table, tableOf } from "../../table.ts";
import {
  formatBytes,
  formatCount,
  formatNanos,
  formatRatio,
  formatRatios,
  formatSpeed,
} from "../../units.ts";

/** How the two sides are called. */
export const SIDE_NAMES: Readonly<Record<Side, string>> = {
  native: "originals",
  typescript: "TypeScript",
};

/** A row for each claim: what was published, and the verdict on each side with the ratio that comes first. */
export function verdictTable({ claims }: ClaimsRecord): Table {
  return tableOf(claims, [
    left("claim", ({ statement }) => statement),
    right("published", publishedText),
    ...(["native", "typescript"] as const).flatMap((side) => [
      left<ClaimRecord>(SIDE_NAMES[side], (claim) => headline(claim, side)?.verdict ?? "–"),
      right<ClaimRecord>("ratio", (claim) => ratioText(headline(claim, side)?.parts[0])),
    ]),
  ]);
}

/** The result that a claim is known by on a side. */
export function headline({ results }: ClaimRecord, side: Side): ClaimResult | undefined {
  return results.find((result) => result.side === side);
}

/** The ratios that were published of the first part of a claim: `0.82, 0.77`. */
function publishedText({ results }: ClaimRecord): string {
  const published = results.flatMap(({ parts }) => parts[0]?.published ?? []);
  return [...new Set(published.map(formatRatio))].join(", ");
}

/** `0.48 (0.39 to 0.58)`, and the ratio alone where it is exact or has no interval. */
export function ratioText(part: ClaimPart | undefined): string {
  if (part?.ratio === undefined) return "";
  const { ratio, ci95 } = part;
  const isExact = ci95 === undefined || ci95[0] === ci95[1];
  return isExact ? formatRatio(ratio) : `${formatRatio(ratio)} (${formatRatios(ci95)})`;
}

/** How many claims have which verdict on a side: `5 hold, 2 hold weaker, 11 not testable`. */
export function tallyText({ claims }: ClaimsRecord, side: Side): string {
  const verdicts = claims.flatMap((claim) => headline(claim, side)?.verdict ?? []);
  const counts = new Map<string, number>();
  for (const verdict of verdicts) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return [...counts].map(([verdict, count]) => `${verdict}: ${count}`).join(", ");
}

/** A part of a result. */
interface PartRow {
  readonly result: ClaimResult;
  readonly part: ClaimPart;
}

/** A row for each comparison that a claim is made of, on both sides. */
export function partTable({ results }: ClaimRecord): Table {
  const rows = results.flatMap((result) => result.parts.map((part): PartRow => ({ result, part })));
  return tableOf(rows, [
    left("tested", ({ result }) => placeText(result)),
    left("compared", ({ part }) => part.what),
    left("measured", ({ part }) => part.figures.map(figureText).join(", ")),
    right("published", ({ part }) => part.published.map(formatRatio).join(", ")),
    right("ratio", ({ part }) => ratioText(part)),
    left("verdict", ({ part }) => part.verdict),
    left("because", ({ part }) => becauseText(part)),
  ]);
}

function becauseText({ reason, decisive }: ClaimPart): string | undefined {
  return reason ?? (decisive === undefined ? undefined : `${decisive} made the difference`);
}

/** `originals, frame`. */
export function placeText({ side, dataset }: ClaimResult): string {
  return dataset === undefined ? SIDE_NAMES[side] : `${SIDE_NAMES[side]}, ${dataset}`;
}

function figureText({ of, value, unit, messages }: ClaimFigure): string {
  switch (unit) {
    case "nanoseconds":
      return `${of} ${formatNanos(value)}`;
    case "bytes":
      return `${of} ${formatBytes(value)}`;
    case "bytes per second":
      return `${of} ${formatSpeed(value)} MB/s`;
    case "share":
      return `${of} ${formatShare(value)}${messages === undefined ? "" : ` of ${formatCount(messages)}`}`;
  }
}
