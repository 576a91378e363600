import { defined } from "../../model/defined.ts";
import { UsageError } from "../../model/errors.ts";
import { nearNames } from "../../model/near-names.ts";
import { renderJson } from "../../reports/any/json.ts";
import { renderText } from "../../reports/run/text.ts";
import { left, type Table, tableOf, textTable } from "../../reports/table.ts";
import type { FoundNative } from "../../runtimes/native/build.ts";
import { builtNatives, foundNatives, missingLibrary, RowNames } from "../../suite/natives.ts";
import type { NativeSelection } from "../../suite/selection.ts";
import { verifyNatives } from "../../suite/verify.ts";
import { untilInterrupted } from "../interrupt.ts";
import { EXIT, type Invocation } from "../io.ts";
import { nativePrograms } from "../native-selection.ts";
import { progressLine } from "../progress-line.ts";
import { exitCodeOf } from "./run.ts";

interface NativeFlags {
  readonly folder?: string;
  readonly cxxflags?: string;
  readonly timeout?: number;
  readonly json?: boolean;
}

const WHAT = { list, build, verify } as const;

/** `wirebench native`: the reference programs of this machine. */
export async function native(what: string, flags: NativeFlags, io: Invocation): Promise<number> {
  if (!Object.hasOwn(WHAT, what))
    throw new UsageError(`native: unknown "${what}"${nearNames(what, Object.keys(WHAT))}`);
  const programs = nativePrograms(flags.folder, flags.cxxflags, io);
  return untilInterrupted((signal) => WHAT[what as keyof typeof WHAT]({ ...programs, signal }, flags, io));
}

async function verify(programs: Programs, flags: NativeFlags, io: Invocation): Promise<number> {
  const progress = progressLine(io);
  const { record, missing } = await verifyNatives(programs, {
    command: io.command,
    signal: programs.signal,
    onProgress: (now) => progress.show(now),
    ...defined({ timeoutSeconds: flags.timeout }),
  });
  progress.clear();
  for (const line of missing) io.tell(`left out: ${line}\n`);
  io.print(flags.json === true ? renderJson(record) : renderText(record, io.width()));
  return exitCodeOf(record);
}

/** Nothing is built: it would take a minute. */
async function list(programs: Programs, flags: NativeFlags, io: Invocation): Promise<number> {
  return shown(rowsOf(await foundNatives(programs)), systemsTable, flags, io);
}

async function build(programs: Programs, flags: NativeFlags, io: Invocation): Promise<number> {
  return shown(rowsOf(await builtNatives(programs)), programsTable, flags, io);
}

type Programs = NativeSelection & { readonly signal: AbortSignal };

function shown(
  rows: readonly Row[],
  table: (rows: readonly Row[]) => Table,
  { json }: NativeFlags,
  io: Invocation,
): number {
  io.print(`${json === true ? JSON.stringify(rows, null, 2) : textTable(table(rows), io.width())}\n`);
  return rows.some(({ state }) => state === "failed") ? EXIT.failed : EXIT.ok;
}

/** A system, and what became of its program. */
interface Row {
  readonly program: string;
  readonly system: string;
  readonly codec: string;
  readonly datasets: readonly string[];
  readonly operations: readonly string[];
  readonly state: "ready" | "not built" | "missing" | "failed";
  /** Its compiler and library, or why there is none. */
  readonly about: string;
}

function rowsOf(outcomes: readonly FoundNative[]): Row[] {
  const [ofRun, ofIpc] = [new RowNames(), new RowNames()];
  return outcomes.flatMap((outcome) => systemRows(outcome, ofRun, ofIpc));
}

function systemRows(outcome: FoundNative, ofRun: RowNames, ofIpc: RowNames): Row[] {
  const { program } = outcome;
  const libraries = "hello" in outcome ? outcome.hello.libraries : {};
  // What sends messages between processes is a system here, and a row of ipc.
  const systems = program.systems.map((system) => ({ ...system, names: ofRun }));
  const exchanges = (program.exchanges ?? []).map(({ name, codec }) => ({
    name,
    names: ofIpc,
    library: name,
    codec,
    datasets: ["frame", "cloud"],
    operations: ["ipc"],
  }));
  return [...systems, ...exchanges].map((system): Row => {
    const { codec, datasets, operations, library, names } = system;
    const row = {
      program: program.name,
      system: names.of(program, system, libraries[library]),
      codec,
      datasets,
      operations,
    };
    if ("missing" in outcome) return { ...row, state: "missing", about: outcome.missing };
    if ("failed" in outcome) return { ...row, state: "failed", about: outcome.failed };
    if ("unbuilt" in outcome) return { ...row, state: "not built", about: "wirebench native build" };
    const missing = missingLibrary(outcome, system);
    if (missing !== undefined) return { ...row, state: "missing", about: missing };
    return { ...row, state: "ready", about: `${library} ${libraries[library]}, ${outcome.hello.compiler}` };
  });
}

function systemsTable(rows: readonly Row[]) {
  return tableOf(rows, [
    left("system", ({ system }) => system),
    left("codec", ({ codec }) => codec),
    left("datasets", ({ datasets }) => datasets.join(", ")),
    left("operations", ({ operations }) => operations.join(", ")),
    left("", ({ state, about }) => (state === "ready" ? about : `${state}: ${about}`)),
  ]);
}

function programsTable(rows: readonly Row[]) {
  const programs = new Map(rows.map((row) => [`${row.program} ${row.state}`, row]));
  return tableOf(
    [...programs.values()],
    [left("program", ({ program }) => program), left("", ({ state, about }) => `${state}: ${about}`)],
  );
}
