import { measuredTests, steadyHandling } from "../../../analysis/ipc-tests.ts";
import type { IpcProcess, IpcTestRecord } from "../../../model/records/ipc.ts";
import { type Column, left, right, type Table, tableOfAny } from "../../table.ts";
import { formatCount, formatMegabytes, formatMillis } from "../../units.ts";
import { timeText } from "./messages.ts";

/** A process of a test: a row. */
interface Row {
  readonly test: IpcTestRecord;
  readonly process: IpcProcess;
}

/** What starting, the first message and each further one took a process; undefined where nothing was measured. */
export function singlePointTable(tests: readonly IpcTestRecord[]): Table | undefined {
  return processesTable(tests, [
    right("start", ({ process }) => formatMillis(process.startMs)),
    right("bind", ({ process }) => formatMillis(process.bindMs)),
    right("connect", ({ process }) => formatMillis(process.connectMs)),
    right("first message", ({ process }) => timeText(process.firstHandling)),
    right("each further", ({ process, test }) => timeText(steadyHandling(process, test))),
    right("all", ({ process }) => formatMillis(process.handlingMs)),
  ]);
}

/** What each process took of the machine while messages counted; undefined where nothing was measured. */
export function processTable(tests: readonly IpcTestRecord[]): Table | undefined {
  return processesTable(tests, [
    right("CPU user", ({ process }) => formatMillis(process.cpuMs.user)),
    right("system", ({ process }) => formatMillis(process.cpuMs.system)),
    right("handling", ({ process }) => formatMillis(process.handlingMs)),
    right("memory before", ({ process }) => formatMegabytes(process.rssBytes.start)),
    right("after", ({ process }) => formatMegabytes(process.rssBytes.end)),
    right("peak", ({ process }) => formatMegabytes(process.rssBytes.peak)),
    right("collections", ({ process }) => formatCount(process.gc.count)),
    right("all", ({ process }) => formatMillis(process.gc.totalMs)),
    right("longest", ({ process }) => formatMillis(process.gc.longestMs)),
    right("stalled", ({ process }) => formatMillis(process.stalledMs)),
  ]);
}

function processesTable(tests: readonly IpcTestRecord[], figures: readonly Column<Row>[]): Table | undefined {
  const rows = measuredTests(tests).flatMap((test) => test.processes.map((process) => ({ test, process })));
  return tableOfAny(rows, [
    left("codec", ({ test }) => test.codec),
    left("process", ({ process }) => `${process.role} ${process.id}`),
    ...figures,
  ]);
}
