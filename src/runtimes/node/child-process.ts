import { type ChildProcess, spawn } from "node:child_process";

/** Flags of a measuring process: the garbage collector can be run between phases. */
export const EXEC_ARGV: readonly string[] = ["--expose-gc"];

/** Set for the coordinator's debugger, coverage or loader, these would slow down or change what is measured. */
const STRIPPED = ["NODE_OPTIONS", "NODE_V8_COVERAGE", "NODE_DEBUG", "DEBUG", "NODE_COMPILE_CACHE"];

/** Characters of a child's stderr that are kept. */
const STDERR_KEPT = 8192;

/**
 * Starts a measuring process, with a channel for any values. Its processor time is limited too, by the shell:
 * should its coordinator be killed, a codec that never returns would otherwise run for ever.
 * @param file the module that it runs
 */
export function startProcess(file: string, cpuSeconds: number): ChildProcess {
  const node = [process.execPath, ...EXEC_ARGV, file];
  const limited = ["sh", "-c", 'ulimit -t "$0"; exec "$@"', String(Math.ceil(cpuSeconds)), ...node];
  const [program = "", ...args] = process.platform === "win32" ? node : limited;
  return spawn(program, args, {
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !STRIPPED.includes(name))),
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
}

/** The end of what a child writes to stderr, as it comes. */
export function tailOf(child: ChildProcess): { text: string } {
  const tail = { text: "" };
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    tail.text = (tail.text + chunk).slice(-STDERR_KEPT);
  });
  return tail;
}

/** Why a process ended without an answer, in a line. */
export function crashReason(code: number | null, killedBy: NodeJS.Signals | null, stderr: string): string {
  if (stderr.includes("heap out of memory")) return "ran out of memory";
  const said = stderr
    .split("\n")
    .map((line) => line.trim())
    .find((line) => /Error|error:/.test(line));
  const how = killedBy === null ? `exit code ${code}` : `signal ${killedBy}`;
  return `crashed (${how})${said === undefined ? "" : `: ${said}`}`;
}
