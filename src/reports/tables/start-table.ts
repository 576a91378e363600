import type { RunRecord } from "../../model/records/run.ts";
import type { Table } from "../table.ts";
import { formatNanos } from "../units.ts";
import { codecsOf, findCell, operationsOf } from "./cells.ts";

/** How a program's first calls fare, a row per codec; undefined where that was not measured. */
export function startTable(record: RunRecord, dataset: string): Table | undefined {
  const operations = operationsOf(record, "whole");
  if (!record.cells.some(({ start }) => start !== undefined)) return undefined;
  const right = (heading: string): { heading: string; align: "right" } => ({ heading, align: "right" });
  return {
    columns: [
      { heading: "codec", align: "left" },
      right("import"),
      right("bind"),
      ...operations.flatMap((operation) => [right(`first ${operation}`), right("steady after")]),
    ],
    rows: codecsOf(record, dataset).map((codec) => {
      const starts = operations.map((operation) => findCell(record, operation, dataset, codec)?.start);
      const any = starts.find((start) => start !== undefined);
      return [
        codec,
        any === undefined ? "–" : formatNanos(any.importNanos),
        any === undefined ? "–" : formatNanos(any.bindNanos),
        ...starts.flatMap((start) =>
          start === undefined
            ? ["–", ""]
            : [
                formatNanos(start.firstCallNanos),
                start.steadyNanos === null ? "not yet" : formatNanos(start.steadyNanos),
              ],
        ),
      ];
    }),
  };
}
