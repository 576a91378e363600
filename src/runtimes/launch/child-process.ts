import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Readable } from "node:stream";
import { oneLine } from "../../model/one-line.ts";
import type { Ending } from "./runtime.ts";
import { areStacksShown, showText } from "./stacks.ts";

/** The shell, which is there although the PATH lacks its folder. */
const SHELL = existsSync("/bin/sh") ? "/bin/sh" : "sh";

/** Flags of a process of Node that measures: the garbage collector can be run between phases. */
export const EXEC_ARGV: readonly string[] = ["--expose-gc"];

/**
 * Set for the coordinator's debugger, coverage or loader, these would slow down or change what is measured. Certificates of one's own
 * are read when Node starts, and no child takes any: those of a Linux distribution took 80 of 130 ms (measured on Node 20).
 */
const STRIPPED = [
  "NODE_EXTRA_CA_CERTS",
  "NODE_OPTIONS",
  "NODE_V8_COVERAGE",
  "NODE_DEBUG",
  "DEBUG",
  "NODE_COMPILE_CACHE",
  "BUN_OPTIONS",
  "DENO_V8_FLAGS",
  "DENO_COVERAGE_DIR",
];

/** Characters of a child's stderr that are kept. */
const STDERR_KEPT = 8192;

/**
 * Starts a program of this package in this runtime, with a channel for any values. Its processor time is limited as that
 * of {@link startCommand}.
 * @param file the module that it runs
 */
export function startProcess(file: string, cpuSeconds: number): ChildProcess {
  return startCommand([process.execPath, ...EXEC_ARGV, file], cpuSeconds, {
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
}

/**
 * Starts a command. Its processor time is limited too, by the shell: should its coordinator be killed, a codec that
 * never returns would otherwise run for ever.
 * @param options.env is set besides the variables of this process
 */
export function startCommand(
  command: readonly string[],
  cpuSeconds: number,
  options: Pick<SpawnOptions, "stdio" | "serialization" | "env">,
): ChildProcess {
  const limited = [SHELL, "-c", 'ulimit -t "$0"; exec "$@"', String(Math.ceil(cpuSeconds)), ...command];
  const [program = "", ...args] = process.platform === "win32" ? command : limited;
  const inherited = Object.entries(process.env).filter(([name]) => !STRIPPED.includes(name));
  return spawn(program, args, { ...options, env: { ...Object.fromEntries(inherited), ...options.env } });
}

/** How a child ends, once its streams are closed too. */
export function endingOf(child: ChildProcess): Promise<Ending> {
  const stderr = tailOf(child);
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ cannotStart: error.message }));
    child.once("close", (code, killedBy) => resolve({ code, killedBy, stderr: stderr.text }));
  });
}

/** What comes until a stream of a child ends or breaks: the child's end says why. */
export async function* untilClosed(stream: Readable): AsyncGenerator<string> {
  try {
    yield* stream.setEncoding("utf8") as AsyncIterable<string>;
  } catch {
    // A child that could not be started has no streams.
  }
}

/** The end of what a child writes to stderr, as it comes. */
function tailOf(child: ChildProcess): { text: string } {
  const tail = { text: "" };
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    tail.text = (tail.text + chunk).slice(-STDERR_KEPT);
    if (areStacksShown()) showText(chunk);
  });
  return tail;
}

/** What a process said last on stderr, after a colon; empty where that is not known. */
export function lastSaid(ending: Ending): string {
  const { lastLine = "" } = "lastLine" in ending ? ending : {};
  return lastLine === "" ? "" : `: ${lastLine}`;
}

/** The reason of a process that filled the heap that it may have. */
export const OUT_OF_MEMORY = "ran out of memory";

/** Why a process gave no answer, in a line. Nobody but the system kills one for which there is no other reason. */
export function endingReason(ending: Ending): string {
  if ("cannotStart" in ending) return `cannot be started: ${ending.cannotStart}`;
  const { code, killedBy, stderr, lastLine = "" } = ending;
  if (lastLine !== "") return `${howEnded(code, killedBy)}: ${lastLine}`;
  if (killedBy === "SIGKILL" && stderr === "")
    return "killed by the system (signal SIGKILL): it may be out of memory";
  if (stderr.includes("heap out of memory")) return OUT_OF_MEMORY;
  return `${howEnded(code, killedBy)}${errorIn(stderr)}`;
}

function howEnded(code: number | null, killedBy: NodeJS.Signals | null): string {
  if (code === 0) return "it ended without an answer (exit code 0)";
  return `crashed (${killedBy === null ? `exit code ${code}` : `signal ${killedBy}`})`;
}

/**
 * The line of stderr that names an error, after a colon; empty where there is none. Runtimes print the line of source before
 * it, which may have any word.
 */
function errorIn(stderr: string): string {
  const lines = stderr.split("\n").map(oneLine);
  const said =
    lines.find((line) => /^(?:error|(?:Uncaught )?\w*Error)\b.*:/.test(line)) ??
    lines.find((line) => /Error|error:/.test(line));
  return said === undefined ? "" : `: ${said.replace(/^error: /, "")}`;
}
