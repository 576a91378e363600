import type { Cell, RunRecord } from "../../model/records/run.ts";
import type { Table } from "../table.ts";
import { formatBytes, formatNanos, formatRate, formatRatio, formatSpread } from "../units.ts";
import { codecsOf, findCell, isMeasured, operationsOf, ratioToBaseline } from "./cells.ts";

/**
 * The headline table of a dataset: a row per codec, and for each operation its median, the interval around it,
 * the ratio to the baseline and the rank. With `rates`, MB/s of encode and decode too.
 */
export function headlineTable(record: RunRecord, dataset: string, options: { rates: boolean }): Table {
  return timingTable(record, dataset, operationsOf(record, "whole"), options);
}

/** The table of the parts of encode and decode, shown beneath and not ranked; undefined when none was asked for. */
export function partsTable(record: RunRecord, dataset: string): Table | undefined {
  const operations = operationsOf(record, "part");
  if (operations.length === 0) return undefined;
  return {
    columns: [
      { heading: "codec", align: "left" },
      ...operations.map((heading) => ({ heading, align: "right" as const })),
    ],
    rows: codecsOf(record, dataset).map((codec) => [
      codec,
      ...operations.map((operation) => {
        const cell = findCell(record, operation, dataset, codec);
        return isMeasured(cell) ? formatNanos(cell.nanos.median) : "–";
      }),
    ]),
  };
}

function timingTable(
  record: RunRecord,
  dataset: string,
  operations: readonly string[],
  { rates }: { rates: boolean },
): Table {
  const ranked = record.cells.some(({ standing }) => standing !== undefined);
  const hasRate = (operation: string): boolean => rates && operation !== "access";
  const columns = operations.flatMap((operation) => [
    operation,
    "±",
    `× ${record.options.baseline}`,
    ...(ranked ? ["rank"] : []),
    ...(hasRate(operation) ? ["MB/s"] : []),
  ]);
  const empty = (operation: string): string[] => [
    "",
    "",
    ...(ranked ? [""] : []),
    ...(hasRate(operation) ? [""] : []),
  ];
  return {
    columns: [
      { heading: "codec", align: "left" },
      { heading: "bytes", align: "right" },
      ...columns.map((heading) => ({ heading, align: "right" as const })),
    ],
    rows: codecsOf(record, dataset).map((codec) => [
      codec,
      sizeOf(record, dataset, codec),
      ...operations.flatMap((operation) => {
        const cell = findCell(record, operation, dataset, codec);
        if (!isMeasured(cell)) return [cell?.status ?? "–", ...empty(operation)];
        const { median, ci95 } = cell.nanos;
        const ratio = ratioToBaseline(record, cell);
        return [
          formatNanos(median),
          formatSpread(median, ci95),
          ratio === undefined ? "" : formatRatio(ratio) + likeBaseline(cell),
          ...(ranked ? [rankOf(record, cell)] : []),
          ...(hasRate(operation) ? [formatRate(cell.bytes, median)] : []),
        ];
      }),
    ]),
  };
}

/** `~` where a codec cannot be told from the baseline. */
function likeBaseline({ standing }: Cell): string {
  return standing?.verdict === "same" || standing?.verdict === "undecided" ? " ~" : "";
}

/** The place of the first of a cell's tier among the codecs; `~` where it shares it with others. */
function rankOf({ cells }: RunRecord, { dataset, operation, standing }: Cell): string {
  if (standing === undefined) return "";
  const tiers = cells.flatMap((cell) =>
    cell.dataset === dataset && cell.operation === operation && cell.twinOf === undefined
      ? (cell.standing?.tier ?? [])
      : [],
  );
  const before = tiers.filter((tier) => tier < standing.tier).length;
  const among = tiers.filter((tier) => tier === standing.tier).length;
  return `${before + 1}${among > 1 ? "~" : ""}`;
}

function sizeOf(record: RunRecord, dataset: string, codec: string): string {
  const bytes = record.cells.find(
    (cell) => cell.dataset === dataset && cell.codec === codec && isMeasured(cell),
  )?.bytes;
  return bytes === undefined ? "–" : formatBytes(bytes);
}
