import { heldProcesses } from "../analysis/held-processes.ts";
import type { RunRecord } from "../model/records/run.ts";
import { counted } from "./units.ts";

/** `4 processes`; `3 to 4 processes` where datasets differ. @param names of datasets; by default all */
export function heldProcessesText(record: RunRecord, ...names: string[]): string {
  const held = heldProcesses(record, ...names);
  const [least, most] = [Math.min(...held), Math.max(...held)];
  return least === most ? counted(most, "process", "processes") : `${least} to ${most} processes`;
}
