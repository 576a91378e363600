/** Cells whose processes differ, for tests of comparisons. */
import type { Cell } from "../../../src/model/records/run.ts";
import { measured } from "../../reports/record.ts";

/** A measured cell of `tellist` whose processes took these nanoseconds. */
export function timed(codec: string, operation: string, processes: readonly number[]): Cell {
  const cell = measured(codec, operation, 100, processes[processes.length >> 1] ?? 0);
  const each = <T>(of: (nanos: number, index: number) => T): T[] => processes.map(of);
  return {
    ...cell,
    nanos: {
      ...cell.nanos!,
      processes,
      blocks: each((_, index) => index),
      outliers: [],
      warmUp: each(() => "steady"),
      loops: each(() => 0),
      batchCalls: each(() => 16),
      batches: each((nanos) => [nanos, nanos, nanos, nanos, nanos]),
    },
  };
}

/** Times around a level, each of which differs from it by about this share. */
export function around(level: number, share: number, count = 8): number[] {
  return Array.from({ length: count }, (_, i) => level * (1 + share * Math.sin(2.4 * i + 1)));
}
