/** The rows of reference programs in tests between processes. */
import { builtNatives, type NativeSelection, nativeName } from "../suite/natives.ts";
import type { IpcCell } from "./plan.ts";

/** A codec, and the names of what it is compared with in native programs. */
interface Compared {
  readonly codec: string;
  readonly natives: readonly string[];
}

/** The tests of native programs that belong to a test of a codec, and what has to be installed for those that are left out. */
export interface PlannedExchanges {
  cellsOf(cell: IpcCell): readonly IpcCell[];
  readonly missing: readonly string[];
}

/** Builds the programs that have exchanges; nothing where none are asked for. */
export async function planExchanges(
  selection: NativeSelection | undefined,
  compared: readonly Compared[],
): Promise<PlannedExchanges> {
  if (selection === undefined) return { cellsOf: () => [], missing: [] };
  const outcomes = await builtNatives({
    ...selection,
    only: ({ exchanges = [] }) => exchanges.length > 0,
  });
  const missing = outcomes.flatMap((one) =>
    "missing" in one ? [`${one.program.name}: ${one.missing}`] : [],
  );
  const cellsOf = (cell: IpcCell): IpcCell[] => {
    const natives = compared.find(({ codec }) => codec === cell.codec)?.natives ?? [];
    return outcomes.flatMap((outcome) => {
      if ("missing" in outcome) return [];
      const { program } = outcome;
      const own = (program.exchanges ?? []).filter((name) => natives.includes(name));
      return own.map((name): IpcCell => {
        const version = "failed" in outcome ? undefined : outcome.hello.libraries[name];
        return {
          ...cell,
          codec: nativeName({ name }, program, version),
          identity: {
            format: cell.identity.format,
            library: name,
            version: version ?? "unknown",
            program: program.name,
          },
          native:
            "failed" in outcome ? { failed: outcome.failed } : { command: outcome.command, codec: name },
        };
      });
    });
  };
  return { cellsOf, missing };
}
