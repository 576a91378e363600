import type { Cell } from "../../../model/records/run.ts";
import { type Column, right } from "../../table.ts";
import type { DatasetView } from "../../view.ts";

/** Where a column stands: in a table of a dataset, among those of an operation. */
export interface Place {
  readonly data: DatasetView;
  readonly operation: string;
}

/** A column that stands once for each operation in a table with a row per codec. */
export interface CellColumn<Part> {
  heading(at: Place): string;
  /** Whether it is there; it always is where this is absent. */
  isShown?(at: Place): boolean;
  of(part: Part, at: Place): string;
}

/**
 * The columns of all operations.
 * @param partOf what the columns speak of; undefined for a cell that has none of it
 * @param absent what the first column of an operation says of such a cell: the others are empty
 */
export function cellColumns<Part>(
  data: DatasetView,
  operations: readonly string[],
  partOf: (cell: Cell | undefined) => Part | undefined,
  columns: readonly CellColumn<Part>[],
  absent: (cell: Cell | undefined) => string = () => "–",
): Column<string>[] {
  return operations.flatMap((operation) => {
    const at = { data, operation };
    return columns
      .filter(({ isShown }) => isShown?.(at) ?? true)
      .map((column, index) => ({
        ...right<string>(column.heading(at), (codec) => {
          const cell = data.cell(operation, codec);
          const part = partOf(cell);
          if (part !== undefined) return column.of(part, at);
          return index === 0 ? absent(cell) : "";
        }),
        starts: index === 0,
      }));
  });
}

/** What a cell is where it has no numbers: `failed`, `unsupported`, or nothing at all. */
export function statusOf(cell: Cell | undefined): string {
  return cell?.status ?? "–";
}
