import type { IpcTestRecord } from "../../../model/records/ipc.ts";
import type { Table } from "../../table.ts";
import { formatBytes, formatRatio } from "../../units.ts";
import { left, right } from "./columns.ts";
import { formatMillis, timeOrNothing } from "./figures.ts";
import { fatesOf } from "./message-table.ts";
import { measured } from "./sections.ts";

/**
 * What became of each talker's messages to each listener, and its median as a multiple of the quickest pair's.
 * Undefined where every codec has one pair alone.
 */
export function pairTable(rows: readonly IpcTestRecord[]): Table | undefined {
  const told = measured(rows);
  if (!told.some(({ pairs }) => pairs.length > 1)) return undefined;
  return {
    columns: [
      ...left("codec"),
      ...right("talker", "listener", "received", "dropped: sender", "overwritten", "receiver"),
      ...right("total", "out of order", "p50", "p90", "max", "× quickest"),
    ],
    rows: told.flatMap(({ codec, pairs }) => {
      const quickest = Math.min(...pairs.flatMap(({ endToEnd }) => endToEnd.p50 ?? []));
      return pairs.map((pair) => {
        const { p50, p90, max } = pair.endToEnd;
        return [
          codec,
          String(pair.talker),
          String(pair.listener),
          ...fatesOf([pair]),
          formatMillis(pair.totalMs),
          formatBytes(pair.outOfOrder),
          ...[p50, p90, max].map(timeOrNothing),
          p50 === undefined || quickest === 0 ? "" : formatRatio(p50 / quickest),
        ];
      });
    }),
  };
}

/** How unlike the talkers of each codec were served; undefined where none can be told. */
export function unfairnessOf(rows: readonly IpcTestRecord[]): string | undefined {
  const told = rows.flatMap(({ codec, unfairness }) =>
    unfairness === undefined ? [] : [`${codec} ${formatRatio(unfairness)}`],
  );
  if (told.length === 0) return undefined;
  return `Unfairness, the slowest talker's median as a multiple of the quickest's: ${told.join(", ")}.`;
}
