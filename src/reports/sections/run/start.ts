import type { Start } from "../../../model/records/run.ts";
import { left, right, type Table, tableOf } from "../../table.ts";
import { formatNanos } from "../../units.ts";
import type { DatasetView } from "../../view.ts";
import { type CellColumn, cellColumns } from "./cell-columns.ts";

/** What the table says of each operation. */
const COLUMNS: readonly CellColumn<Start>[] = [
  {
    heading: ({ operation }) => `first ${operation}`,
    of: ({ firstCallNanos }) => formatNanos(firstCallNanos),
  },
  {
    heading: () => "steady after",
    of: ({ steadyNanos }) => (steadyNanos === null ? "not yet" : formatNanos(steadyNanos)),
  },
];

/** How a program's first calls fare, a row per codec; undefined where that was not measured. */
export function startTable(data: DatasetView): Table | undefined {
  const { operations, record } = data.run;
  if (!record.cells.some(({ start }) => start !== undefined)) return undefined;
  /** Loading and binding are the same for every operation of a codec. */
  const once = (figure: (start: Start) => number) => (codec: string) => {
    const starts = operations.flatMap((operation) => data.cell(operation, codec)?.start ?? []);
    return starts[0] === undefined ? "–" : formatNanos(figure(starts[0]));
  };
  return tableOf(data.codecs, [
    left("codec", (codec) => codec),
    right(
      "import",
      once(({ importNanos }) => importNanos),
    ),
    right(
      "bind",
      once(({ bindNanos }) => bindNanos),
    ),
    ...cellColumns(data, operations, (cell) => cell?.start, COLUMNS),
  ]);
}
