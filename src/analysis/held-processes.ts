import { processesOf, type RunRecord } from "../model/records/run.ts";
import { isMeasured } from "./cells.ts";

/**
 * The most processes that any codec of each dataset was measured in: fewer than the options say where each took long, more where
 * others shared the cores. Of a run that was stopped it is one number: what was to come, or was there.
 * @param names of datasets; by default all
 */
export function heldProcesses(
  { cells, datasets, options, complete }: RunRecord,
  ...names: string[]
): number[] {
  const planned = processesOf(options);
  const held = (names.length > 0 ? names : datasets.map(({ name }) => name)).map((name) =>
    Math.max(
      0,
      ...cells
        .filter(isMeasured)
        .filter(({ dataset }) => dataset === name)
        .map(({ nanos }) => nanos.processes.length),
    ),
  );
  if (!complete) return [Math.max(planned, ...held)];
  const some = held.filter((count) => count > 0);
  return some.length > 0 ? some : [planned];
}
