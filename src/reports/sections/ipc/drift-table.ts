import type { IpcProcess, IpcTestRecord } from "../../../model/records/ipc.ts";
import type { Table } from "../../table.ts";
import { formatNanos } from "../../units.ts";
import { left, right } from "./columns.ts";
import { formatDifference } from "./figures.ts";
import { memoryGrowth } from "./memory-growth.ts";
import { measured } from "./sections.ts";

/** How end-to-end times and memory moved, per 1,000 messages; undefined where no codec's drift can be told. */
export function driftTable(rows: readonly IpcTestRecord[]): Table | undefined {
  const told = measured(rows).filter(({ drift }) => drift !== undefined);
  if (told.length === 0) return undefined;
  return {
    columns: [
      ...left("codec"),
      ...right("drift per 1,000", "95 % interval", "first tenth", "last tenth"),
      ...right("memory per 1,000: talker", "listener"),
    ],
    rows: told.map(({ codec, drift, processes }) => {
      const { slopePer1000, ci95, firstDecile, lastDecile } = drift!;
      return [
        codec,
        formatDifference(slopePer1000),
        `${formatDifference(ci95[0])} to ${formatDifference(ci95[1])}`,
        formatNanos(firstDecile),
        formatNanos(lastDecile),
        growthOf(processes, "talker"),
        growthOf(processes, "listener"),
      ];
    }),
  };
}

function growthOf(processes: readonly IpcProcess[], role: IpcProcess["role"]): string {
  const told = processes.filter((process) => process.role === role).map(memoryGrowth);
  return told.flatMap((bytes) => (bytes === undefined ? [] : [formatGrowth(bytes)])).join(", ");
}

/** `+12.3 kB`, of 10^3 bytes. */
function formatGrowth(bytes: number): string {
  const kilobytes = Math.abs(bytes / 1000).toLocaleString("en-US", { maximumFractionDigits: 1 });
  return `${bytes < 0 ? "-" : "+"}${kilobytes} kB`;
}
