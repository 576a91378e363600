import { isMeasured } from "../analysis/cells.ts";
import { processesOf, type RunRecord } from "../model/records/run.ts";
import { counted } from "./units.ts";

/** The most processes that any codec of each dataset was measured in: fewer than the options say where each took long. */
export function heldProcesses(
  { cells, datasets, options, complete }: RunRecord,
  ...names: string[]
): number[] {
  const planned = processesOf(options);
  if (!complete) return [planned];
  const held = (names.length > 0 ? names : datasets.map(({ name }) => name)).map((name) =>
    Math.max(
      0,
      ...cells
        .filter(isMeasured)
        .filter(({ dataset }) => dataset === name)
        .map(({ nanos }) => nanos.processes.length),
    ),
  );
  const some = held.filter((count) => count > 0);
  return some.length > 0 ? some : [planned];
}

/** `4 processes`; `3 to 4 processes` where datasets differ. @param names of datasets; by default all */
export function heldProcessesText(record: RunRecord, ...names: string[]): string {
  const held = heldProcesses(record, ...names);
  const [least, most] = [Math.min(...held), Math.max(...held)];
  return least === most ? counted(most, "process", "processes") : `${least} to ${most} processes`;
}
