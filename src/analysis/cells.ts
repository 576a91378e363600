/** The cells of a record, found by their names. */
import { type Cell, cellKey, type Nanos } from "../model/records/run.ts";

/** A measured cell, whose numbers are there. */
export type MeasuredCell = Cell & { readonly nanos: Nanos; readonly bytes: number };

/** Whether a cell has numbers. */
export function isMeasured(cell: Cell | undefined): cell is MeasuredCell {
  return cell?.status === "measured" && cell.nanos !== undefined && cell.bytes !== undefined;
}

/** The cells of a record by operation, dataset and codec. */
export class CellIndex {
  readonly #cells: ReadonlyMap<string, Cell>;

  constructor(cells: readonly Cell[]) {
    this.#cells = new Map(
      // Of two cells with the same names the first one counts.
      cells.map((cell) => [cellKey(cell), cell] as const).reverse(),
    );
  }

  /** Undefined where it was not measured or not asked for. */
  cell(operation: string, dataset: string, codec: string): Cell | undefined {
    return this.#cells.get(cellKey({ operation, dataset, codec }));
  }
}

/** A library that was measured, as cells and tests between processes name it. */
export type LibraryVersion = Pick<Cell, "library" | "version" | "libraryFolder" | "tried" | "build">;

/** Each library and version once, by name. */
export function librariesOf(measured: readonly LibraryVersion[]): LibraryVersion[] {
  const known = new Map(measured.map((one) => [[one.library, one.version, one.build].join(" "), one]));
  return [...known.keys()].sort().flatMap((key) => known.get(key) ?? []);
}
