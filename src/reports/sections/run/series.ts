/** What programs that keep benchmarks over time are told of a run: figures with names that are the same in every run. */
import { isMeasured, type MeasuredCell } from "../../../analysis/cells.ts";
import type { CellOnMachine, PayloadRecord } from "../../../model/records/run.ts";
import type { RunView } from "../../view.ts";

/** The time of a cell, in nanoseconds. */
export interface TimeSeries extends Pick<CellOnMachine, "median" | "ci95" | "processes"> {
  /** `encode/tellist/json`; of a record of several machines with the machine behind it, as each has its own time. */
  readonly name: string;
  readonly cell: MeasuredCell;
}

/** The size of a codec's message, in bytes. */
export interface SizeSeries {
  /** `tellist/json`: it is the same whatever is done with the message. */
  readonly name: string;
  readonly bytes: number;
  /** Absent where nothing was compressed. */
  readonly payload?: PayloadRecord;
}

/** The times of all cells, without second measurements of the baseline. */
export function timesOf({ record, hasSeveralMachines }: RunView): TimeSeries[] {
  return record.cells.flatMap((cell): TimeSeries[] => {
    if (!isMeasured(cell) || cell.twinOf !== undefined) return [];
    const { operation, dataset, codec, nanos, machines = [] } = cell;
    const of = [operation, dataset, codec];
    if (hasSeveralMachines)
      return machines.map((one) => ({ ...one, name: seriesName(...of, one.machine), cell }));
    const { median, ci95, processes } = nanos;
    return [{ name: seriesName(...of), median, ci95, processes: processes.length, cell }];
  });
}

/** The size of each dataset's message in each codec. */
export function sizesOf({ datasets }: RunView): SizeSeries[] {
  return datasets.flatMap(({ name: dataset, cells, codecs, payloads }) =>
    codecs.flatMap((codec): SizeSeries[] => {
      const bytes = cells.find((cell) => cell.codec === codec && cell.bytes !== undefined)?.bytes;
      const payload = payloads.find((one) => one.codec === codec);
      if (bytes === undefined) return [];
      return [{ name: seriesName(dataset, codec), bytes, ...(payload === undefined ? {} : { payload }) }];
    }),
  );
}

/** Names with a slash between them. One within a name, and what no line can hold, is percent-encoded: no two are alike. */
function seriesName(...names: readonly string[]): string {
  return names.map((name) => name.replace(/[%/\p{C}\p{Zl}\p{Zp}]/gu, percentEncoded)).join("/");
}

/** A character as the hexadecimal digits of its bytes in UTF-8; of half a surrogate pair, which has none, of U+FFFD's. */
export function percentEncoded(character: string): string {
  return Array.from(
    new TextEncoder().encode(character),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
  ).join("");
}
