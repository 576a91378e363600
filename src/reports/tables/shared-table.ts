import type { RunRecord } from "../../model/records/run.ts";
import type { Table } from "../table.ts";
import { formatNanos, formatRatio } from "../units.ts";
import { codecsByReason, codecsOf, findCell, isMeasured, operationsOf } from "./cells.ts";

/**
 * Times of codecs that have a process to themselves beside those in a process that runs every codec and dataset;
 * undefined where the latter were not measured.
 */
export function sharedTable(record: RunRecord, dataset: string): Table | undefined {
  if (!record.cells.some((cell) => cell.dataset === dataset && cell.shared !== undefined)) return undefined;
  const operations = operationsOf(record, "whole");
  return {
    columns: [
      { heading: "codec", align: "left" },
      ...operations.flatMap((operation) =>
        [`${operation}: isolated`, "shared", "penalty"].map((heading) => ({
          heading,
          align: "right" as const,
        })),
      ),
    ],
    rows: codecsOf(record, dataset).map((codec) => [
      codec,
      ...operations.flatMap((operation) => {
        const cell = findCell(record, operation, dataset, codec);
        if (!isMeasured(cell)) return [cell?.status ?? "–", "", ""];
        const { nanos, shared } = cell;
        if (shared === undefined) return [formatNanos(nanos.median), "–", ""];
        const apart = disjoint(nanos.ci95, shared.ci95);
        const penalty =
          nanos.median === 0 ? "" : `× ${formatRatio(shared.median / nanos.median)}${apart ? "" : " ~"}`;
        return [formatNanos(nanos.median), formatNanos(shared.median), penalty];
      }),
    ]),
  };
}

/** Why codecs have no times, or fewer, from processes that run everything: a line per reason. */
export function sharedRefusals(record: RunRecord, dataset: string): string[] {
  return codecsByReason(record, dataset, ({ sharedReason }) => sharedReason).map(
    (line) => `in a process with all codecs and shapes: ${line}`,
  );
}

/** Whether two intervals leave no doubt that the times differ. */
function disjoint(a: readonly [number, number] | null, b: readonly [number, number] | null): boolean {
  return a !== null && b !== null && (a[1] < b[0] || b[1] < a[0]);
}
