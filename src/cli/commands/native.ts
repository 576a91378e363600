import { type NativeIpcCell, nativeExchanges } from "../../ipc/native.ts";
import { defined } from "../../model/defined.ts";
import { UsageError } from "../../model/errors.ts";
import { nearNames } from "../../model/near-names.ts";
import { renderJson } from "../../reports/any/json.ts";
import { renderText } from "../../reports/run/text.ts";
import { left, right, tableOf, textTable } from "../../reports/table.ts";
import { formatBytes, formatNanos } from "../../reports/units.ts";
import type { NativeOutcome } from "../../runtimes/native/build.ts";
import { builtNatives, missingLibrary, type NativeSelection } from "../../suite/natives.ts";
import { verifyNatives } from "../../suite/verify.ts";
import { untilInterrupted } from "../interrupt.ts";
import { EXIT, type Invocation } from "../io.ts";
import { nativeSelection } from "../native-selection.ts";
import { progressLine } from "../progress-line.ts";
import { exitCodeOf } from "./run.ts";

interface NativeFlags {
  readonly folder?: string;
  readonly cxxflags?: string;
  readonly timeout?: number;
  readonly messages?: number;
  readonly payload?: number;
  readonly json?: boolean;
}

const WHAT = ["list", "build", "verify", "ipc"] as const;

/** `wirebench native`: the reference programs of this machine. */
export async function native(what: string, flags: NativeFlags, io: Invocation): Promise<number> {
  if (!WHAT.some((one) => one === what))
    throw new UsageError(`native: unknown "${what}"${nearNames(what, WHAT)}`);
  const { folder, timeout, cxxflags } = flags;
  const selection = nativeSelection(
    { native: folder ?? true, ...(cxxflags === undefined ? {} : { cxxflags }) },
    io,
  ) as NativeSelection;
  if (what === "verify") {
    const progress = progressLine(io);
    const { record, missing } = await untilInterrupted((signal) =>
      verifyNatives(selection, {
        command: io.command,
        signal,
        onProgress: (now) => progress.show(now),
        ...(timeout === undefined ? {} : { timeoutSeconds: timeout }),
      }),
    );
    progress.clear();
    for (const line of missing) io.tell(`left out: ${line}\n`);
    io.print(flags.json === true ? renderJson(record) : renderText(record));
    return exitCodeOf(record);
  }
  if (what === "ipc") return exchange(selection, flags, io);
  const outcomes = await untilInterrupted(async (signal) => {
    try {
      return await builtNatives({ ...selection, signal });
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  });
  if (outcomes === undefined) return EXIT.interrupted;
  const rows = outcomes.flatMap(rowsOf);
  if (flags.json === true) io.print(`${JSON.stringify(rows, null, 2)}\n`);
  else io.print(`${textTable(what === "list" ? systemsTable(rows) : programsTable(rows))}\n`);
  return rows.some(({ state }) => state === "failed") ? EXIT.failed : EXIT.ok;
}

/** `wirebench native ipc`: the published tests between processes, by the programs that have them. */
async function exchange(selection: NativeSelection, flags: NativeFlags, io: Invocation): Promise<number> {
  const { messages, payload: bytes } = flags;
  const { cells, missing } = await untilInterrupted((signal) =>
    nativeExchanges(selection, {
      ...defined({ messages, bytes }),
      signal,
      onExchange: (exchanged) => io.tell(`${exchanged}\n`),
    }),
  );
  for (const line of missing) io.tell(`left out: ${line}\n`);
  if (flags.json === true) io.print(`${JSON.stringify(cells, null, 2)}\n`);
  else io.print(`${textTable(exchangesTable(cells))}\n`);
  return cells.some(({ failed }) => failed !== undefined) ? EXIT.failed : EXIT.ok;
}

function exchangesTable(cells: readonly NativeIpcCell[]) {
  const time = (nanos: number | undefined): string => (nanos === undefined ? "–" : formatNanos(nanos));
  return tableOf(cells, [
    left("test", ({ test }) => test),
    left("message", ({ message }) => message),
    left("codec", ({ codec }) => codec),
    right("bytes", ({ encodedBytes }) => (encodedBytes === undefined ? "–" : formatBytes(encodedBytes))),
    right("latency p50", ({ latency, failed }) => (failed === undefined ? time(latency?.p50) : "failed")),
    right("p90", ({ latency }) => time(latency?.p90)),
    right("encode p50", ({ encode }) => time(encode?.p50)),
    right("decode p50", ({ decode }) => time(decode?.p50)),
    left("in all, per listener", ({ total = [], failed }) => failed ?? total.map(formatNanos).join(", ")),
  ]);
}

/** A system, and what became of its program. */
interface Row {
  readonly program: string;
  readonly system: string;
  readonly codec: string;
  readonly datasets: readonly string[];
  readonly operations: readonly string[];
  readonly state: "ready" | "missing" | "failed";
  /** Its compiler and library, or why there is none. */
  readonly about: string;
}

function rowsOf(outcome: NativeOutcome): Row[] {
  const { program } = outcome;
  // What sends messages between processes is a system here, and has no row in a run.
  const exchanges = (program.exchanges ?? []).map((name) => ({
    name,
    library: name,
    codec: "",
    datasets: ["frame", "cloud"],
    operations: ["native ipc"],
  }));
  return [...program.systems, ...exchanges].map((system): Row => {
    const { name, codec, datasets, operations, library } = system;
    const row = {
      program: program.name,
      system: `${name} (${program.language})`,
      codec,
      datasets,
      operations,
    };
    if ("missing" in outcome) return { ...row, state: "missing", about: outcome.missing };
    if ("failed" in outcome) return { ...row, state: "failed", about: outcome.failed };
    const { compiler, libraries } = outcome.hello;
    const missing = missingLibrary(outcome, system);
    if (missing !== undefined) return { ...row, state: "missing", about: missing };
    return { ...row, state: "ready", about: `${library} ${libraries[library]}, ${compiler}` };
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
