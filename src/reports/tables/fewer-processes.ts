import type { RunRecord } from "../../model/records/run.ts";
import { isMeasured } from "./cells.ts";

/** Says that a dataset had fewer processes than the profile has, because they took long; nothing where it had all. */
export function fewerProcesses({ cells, options, complete }: RunRecord, dataset: string): string[] {
  if (!complete) return [];
  const counts = cells
    .filter((cell) => cell.dataset === dataset)
    .filter(isMeasured)
    .map(({ nanos }) => nanos.processes.length);
  const most = Math.max(0, ...counts);
  if (most === 0 || most >= options.processes) return [];
  return [`${most} processes in place of ${options.processes}, because each took long`];
}
