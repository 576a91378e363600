/** Where a record comes from: the command, the date, the machine and the libraries, in the same words everywhere. */
import type { LibraryVersion } from "../analysis/cells.ts";
import type { Environment, RunRecord } from "../model/records/run.ts";
import { inlineCode, oneLine } from "./escape.ts";
import { formatGibibytes } from "./units.ts";

/** What every record says of its origin. */
export interface Origin extends Pick<RunRecord, "tool" | "startedAt" | "complete" | "environment"> {
  /** Why it is not complete, where that is known. */
  readonly reason?: string;
}

/** The command, the date, the machine and its software, a line each. */
export function originLines({ tool, startedAt, complete, environment, reason }: Origin): string[] {
  const why = reason ?? "the run goes on, or was interrupted";
  return [
    `Command: ${inlineCode(tool.command)}`,
    `Date: ${startedAt}${complete ? "" : ` (not complete: ${why})`}`,
    `Machine: ${machineText(environment)}`,
    `${runtimeText(environment)}, ${environment.node.execArgv.join(" ")}; wirebench ${tool.version}`,
  ].map(oneLine);
}

/** The command, the date and the machine in a sentence without its full stop, for a table that stands elsewhere. */
export function originInShort({ tool, startedAt, environment }: Origin): string {
  const { cpu, os, node } = environment;
  return `${inlineCode(tool.command)} on ${startedAt.slice(0, 10)}; ${cpu.model}, ${cpu.cores} cores, ${os.platform} ${os.arch}, Node ${node.version}`;
}

/** `protobufjs 8.8.1`, `msgpackr 2.1.3 (with its native part)`. */
export function libraryName({ library, version, build }: LibraryVersion): string {
  return `${library} ${version}${build === undefined ? "" : ` (${build})`}`;
}

function machineText({ cpu, memoryBytes, os, load }: Environment): string {
  const governor = cpu.governor === null ? "" : `, governor ${cpu.governor}`;
  return `${cpu.model}, ${cpu.cores} cores${governor}, ${formatGibibytes(memoryBytes)}, ${os.platform} ${os.release} ${os.arch}, load ${load.join(" ")}`;
}

function runtimeText({ node }: Environment): string {
  return `Node ${node.version}, V8 ${node.v8}`;
}
