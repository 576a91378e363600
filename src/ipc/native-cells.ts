/** The rows of reference programs in tests between processes. */

import { baseName } from "../analysis/ipc-tests.ts";
import type { NativeRecord } from "../model/records/run.ts";
import { builtNatives, nativeRecord, RowNames } from "../suite/natives.ts";
import type { NativeSelection } from "../suite/selection.ts";
import type { IpcCell } from "./test-parameters.ts";

/** The tests of native programs that belong to a test of a codec, and what has to be installed for those that are left out. */
export interface PlannedExchanges {
  cellsOf(cell: IpcCell): readonly IpcCell[];
  readonly records: readonly NativeRecord[];
  readonly missing: readonly string[];
}

/** Builds the programs that have exchanges; nothing where none are asked for. */
export async function planExchanges(selection: NativeSelection | undefined): Promise<PlannedExchanges> {
  if (selection === undefined) return { cellsOf: () => [], records: [], missing: [] };
  const only = ({ exchanges = [] }: { readonly exchanges?: readonly unknown[] }) => exchanges.length > 0;
  const outcomes = await builtNatives({ ...selection, only });
  const names = new RowNames();
  const cellsOf = (cell: IpcCell): IpcCell[] =>
    outcomes.flatMap((outcome) => {
      const { program } = outcome;
      if ("missing" in outcome || !isSent(cell)) return [];
      const own = (program.exchanges ?? []).filter(({ codec }) => codec === cell.codec);
      return own.map(({ name }): IpcCell => {
        const version = "failed" in outcome ? undefined : outcome.hello.libraries[name];
        return {
          ...cell,
          codec: names.of(program, { name }, version),
          identity: {
            format: cell.identity.format,
            library: name,
            version: version ?? "unknown",
            program: program.name,
          },
          native:
            "failed" in outcome
              ? { status: "failed", reason: outcome.failed }
              : { command: outcome.command, codec: name },
        };
      });
    });
  return {
    cellsOf,
    records: outcomes.flatMap((one) => ("hello" in one ? nativeRecord(one) : [])),
    missing: outcomes.flatMap((one) => ("missing" in one ? [`${one.program.name}: ${one.missing}`] : [])),
  };
}

/** Whether programs make such messages, which they do by the name of a dataset that is built in. */
function isSent({ dataset: { name, source } }: IpcCell): boolean {
  return typeof source === "string" && ["frame", "cloud"].includes(baseName({ dataset: name }));
}
