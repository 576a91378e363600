import { withStandings } from "../analysis/standings/standings.ts";
import { outliersOf } from "../analysis/statistics/outliers.ts";
import { warmUpVerdict } from "../analysis/statistics/warm-up.ts";
import { type Cell, RECORD_VERSION, type RunRecord } from "../model/records/run.ts";
import { checkedFirstRecord } from "./run-shape.ts";

/** Of this share a difference was not spoken when records of the first version were made: what is the default now. */
const THRESHOLD = 0.01;

/**
 * A record of schemaVersion 1 as one of today. Its processes ran in complete blocks, one of each codec and dataset, so
 * that the order tells the block; what it did not measure stays absent. Throws UsageError with the place of damage.
 */
export function fromFirstVersion(value: unknown, file: string): RunRecord {
  const record = checkedFirstRecord(value, file);
  const { baseline } = record.options;
  const cells = record.cells.map(withBlocks);
  return {
    ...record,
    schemaVersion: RECORD_VERSION,
    options: { ...record.options, threshold: THRESHOLD, jit: "isolated" },
    compression: [],
    processes: [],
    cells: withStandings(cells, { baseline, threshold: THRESHOLD }).cells,
  };
}

function withBlocks(cell: Cell): Cell {
  const { nanos } = cell;
  if (nanos === undefined) return cell;
  const blocks = nanos.processes.map((_, index) => index);
  const outliers = outliersOf(nanos.processes);
  return { ...cell, nanos: { ...nanos, blocks, outliers, warmUp: nanos.batches.map(warmUpVerdict) } };
}
