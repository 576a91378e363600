/** Where a record comes from: the command, the date, the machine and the libraries, in the same words everywhere. */
import type { LibraryVersion } from "../analysis/cells.ts";
import type { Environment, EnvironmentRuntime, RunRecord, RuntimeRecord } from "../model/records/run.ts";
import type { RuntimeIdentity } from "../model/runtime.ts";
import { inlineCode, oneLine } from "./escape.ts";
import { counted, formatGibibytes } from "./units.ts";

/** What every record says of its origin. */
export interface Origin extends Pick<RunRecord, "tool" | "startedAt" | "complete" | "environment"> {
  /** What was measured in, where that may be another runtime than wirebench's own. */
  readonly runtimes?: readonly RuntimeRecord[];
  /** Why it is not complete, where that is known. */
  readonly reason?: string;
}

/** With what a text begins of work that did not come to its end. */
export function incompleteLines({
  complete,
  reason = "interrupted",
}: Pick<Origin, "complete" | "reason">): string[] {
  return complete ? [] : [oneLine(`Not complete: ${reason}. What was measured until then:`)];
}

/** The command, the date, the machine and its software, a line each. */
export function originLines(origin: Origin): string[] {
  const { tool, startedAt, complete, environment, runtimes = [environment.runtime], reason } = origin;
  const why = reason ?? "the run goes on, or was interrupted";
  return [
    `Command: ${inlineCode(tool.command)}`,
    `Date: ${startedAt}${complete ? "" : ` (not complete: ${why})`}`,
    `Machine: ${machineText(environment)}`,
    `${runtimes.map(runtimeText).join("; ")}; wirebench ${tool.version}`,
  ].map(oneLine);
}

/** The command, the date and the machine in a sentence without its full stop, for a table that stands elsewhere. */
export function originInShort({ tool, startedAt, environment, runtimes }: Origin): string {
  const { cpu, os, runtime } = environment;
  const measuredIn = (runtimes ?? [runtime]).map(runtimeName).join(", ");
  return `${inlineCode(tool.command)} on ${startedAt.slice(0, 10)}; ${cpu.model}, ${counted(cpu.cores, "core")}, ${os.platform} ${os.arch}, ${measuredIn}`;
}

/** `protobufjs 8.8.1`, `msgpackr 2.1.3 (with its native part)`, `avsc 4.1.0 (in /home/me/app, tried with 5.7.9)`. */
export function libraryName({ library, version, libraryFolder, tried, build }: LibraryVersion): string {
  const more = [build, libraryFolder && `in ${libraryFolder}`, tried && `tried with ${tried}`].filter(
    (part) => part !== undefined,
  );
  return `${library} ${version}${more.length === 0 ? "" : ` (${more.join(", ")})`}`;
}

function machineText({ cpu, memoryBytes, os, load }: Environment): string {
  const governor = cpu.governor === null ? "" : `, governor ${cpu.governor}`;
  return `${cpu.model}, ${counted(cpu.cores, "core")}${governor}, ${formatGibibytes(memoryBytes)}, ${os.platform} ${os.release} ${os.arch}, load ${load.join(" ")}`;
}

/** `Node 20.1.2`. */
export function runtimeName({ name, version }: RuntimeIdentity): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${version}`;
}

/** `Node 20.1.2, V8 11.3, --expose-gc`; `Firefox 140.0, SpiderMonkey 140.0, opened by hand: Mozilla/5.0 (Android 14; …`. */
function runtimeText(runtime: EnvironmentRuntime & Pick<RuntimeRecord, "userAgent">): string {
  const { engine, execArgv, userAgent } = runtime;
  const opened = userAgent === undefined ? "" : `opened by hand: ${userAgent}`;
  return [runtimeName(runtime), `${engine.name} ${engine.version}`, execArgv.join(" "), opened]
    .filter(Boolean)
    .join(", ");
}
