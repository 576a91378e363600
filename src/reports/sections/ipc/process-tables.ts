import type { IpcProcess, IpcTestRecord } from "../../../model/records/ipc.ts";
import type { Table } from "../../table.ts";
import { formatBytes } from "../../units.ts";
import { left, right } from "./columns.ts";
import { formatMegabytes, formatMillis, processName, timeOrNothing } from "./figures.ts";
import { measured } from "./sections.ts";

/** What starting, the first message and each further one took a process; undefined where nothing was measured. */
export function singlePointTable(rows: readonly IpcTestRecord[]): Table | undefined {
  return processesTable(
    rows,
    ["start", "bind", "connect", "first message", "each further", "all"],
    (process, row) => [
      formatMillis(process.startMs),
      formatMillis(process.bindMs),
      formatMillis(process.connectMs),
      timeOrNothing(process.firstHandling),
      timeOrNothing(steadyHandling(process, row)),
      formatMillis(process.handlingMs),
    ],
  );
}

/** What each process took of the machine while messages counted; undefined where nothing was measured. */
export function processTable(rows: readonly IpcTestRecord[]): Table | undefined {
  return processesTable(
    rows,
    [
      "CPU user",
      "system",
      "handling",
      "memory before",
      "after",
      "peak",
      "collections",
      "all",
      "longest",
      "stalled",
    ],
    ({ cpuMs, handlingMs, rssBytes, gc, stalledMs }) => [
      ...[cpuMs.user, cpuMs.system, handlingMs].map(formatMillis),
      ...[rssBytes.start, rssBytes.end, rssBytes.peak].map(formatMegabytes),
      formatBytes(gc.count),
      ...[gc.totalMs, gc.longestMs, stalledMs].map(formatMillis),
    ],
  );
}

/**
 * Nanoseconds that handling a message took a process, the first message it ever met aside. Undefined where it met
 * no other.
 */
function steadyHandling(process: IpcProcess, { messages, warmup, pairs }: IpcTestRecord): number | undefined {
  const heard = pairs.filter(({ listener }) => listener === process.id);
  const handled =
    process.role === "talker" ? messages : heard.reduce((sum, { received }) => sum + received, 0);
  const first = warmup === 0 ? 1 : 0;
  const nanos = process.handlingMs * 1e6 - first * process.firstHandling;
  return handled <= first || nanos < 0 ? undefined : nanos / (handled - first);
}

function processesTable(
  rows: readonly IpcTestRecord[],
  headings: readonly string[],
  figures: (process: IpcProcess, row: IpcTestRecord) => string[],
): Table | undefined {
  const told = measured(rows).flatMap((row) =>
    row.processes.map((process) => [row.codec, processName(process), ...figures(process, row)]),
  );
  if (told.length === 0) return undefined;
  return { columns: [...left("codec", "process"), ...right(...headings)], rows: told };
}
