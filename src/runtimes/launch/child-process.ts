import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import type { Ending } from "./runtime.ts";

/** Flags of a measuring process of Node: the garbage collector can be run between phases. */
export const EXEC_ARGV: readonly string[] = ["--expose-gc"];

/** Set for the coordinator's debugger, coverage or loader, these would slow down or change what is measured. */
const STRIPPED = [
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
  const limited = ["sh", "-c", 'ulimit -t "$0"; exec "$@"', String(Math.ceil(cpuSeconds)), ...command];
  const [program = "", ...args] = process.platform === "win32" ? command : limited;
  const inherited = Object.entries(process.env).filter(([name]) => !STRIPPED.includes(name));
  return spawn(program, args, { ...options, env: { ...Object.fromEntries(inherited), ...options.env } });
}

/** The end of what a child writes to stderr, as it comes. */
export function tailOf(child: ChildProcess): { text: string } {
  const tail = { text: "" };
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    tail.text = (tail.text + chunk).slice(-STDERR_KEPT);
  });
  return tail;
}

/** Why a process gave no answer, in a line. Nobody but the system kills one for which there is no other reason. */
export function endingReason(ending: Ending): string {
  if ("cannotStart" in ending) return `cannot be started: ${ending.cannotStart}`;
  const { code, killedBy, stderr, lastLine = "" } = ending;
  if (lastLine !== "") return `${howEnded(code, killedBy)}: ${lastLine}`;
  if (killedBy === "SIGKILL" && stderr === "")
    return "killed by the system (signal SIGKILL): it may be out of memory";
  return crashReason(code, killedBy, stderr);
}

/** How a process ended that was not to end, in a line. */
export function crashReason(code: number | null, killedBy: NodeJS.Signals | null, stderr: string): string {
  if (stderr.includes("heap out of memory")) return "ran out of memory";
  return `${howEnded(code, killedBy)}${errorIn(stderr)}`;
}

function howEnded(code: number | null, killedBy: NodeJS.Signals | null): string {
  if (code === 0) return "it ended without an answer (exit code 0)";
  return `crashed (${killedBy === null ? `exit code ${code}` : `signal ${killedBy}`})`;
}

/** The line of stderr that names an error, after a colon; empty where there is none. */
function errorIn(stderr: string): string {
  const lines = stderr.split("\n").map((line) => line.trim());
  const said = lines.find((line) => /Error|error:/.test(line));
  return said === undefined ? "" : `: ${said}`;
}
