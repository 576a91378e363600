import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Job, JobResult, Refusal } from "./job.ts";

/** Flags of a measuring process: the garbage collector can be run between phases. */
export const EXEC_ARGV: readonly string[] = ["--expose-gc"];

/** Set for the coordinator's debugger, coverage or loader, these would slow down or change what is measured. */
const STRIPPED = ["NODE_OPTIONS", "NODE_V8_COVERAGE", "NODE_DEBUG", "DEBUG", "NODE_COMPILE_CACHE"];

/** Characters of a child's stderr that are kept. */
const STDERR_KEPT = 8192;

/**
 * Runs a job in a process of its own. A child that crashes, hangs or runs out of memory is an answer like any
 * other: what it says is the reason.
 * @param timeoutSeconds after which the child is killed
 * @param signal kills the child; the promise then rejects with the signal's reason
 */
export function isolate(job: Job, timeoutSeconds: number, signal?: AbortSignal): Promise<JobResult> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const child = start(timeoutSeconds);
    const stderr = tailOf(child);
    let result: JobResult | undefined;
    let trouble: string | undefined;
    const kill = (): void => {
      child.kill("SIGKILL");
    };
    const timer = setTimeout(() => {
      trouble = `hung: no result after ${timeoutSeconds} s`;
      kill();
    }, timeoutSeconds * 1000);
    signal?.addEventListener("abort", kill, { once: true });
    child.on("message", (message) => {
      result = message as JobResult;
    });
    child.on("error", (error) => {
      trouble ??= `cannot be started: ${error.message}`;
      settle(null, null);
    });
    child.on("close", (code, killedBy) => {
      // A signal to the whole group reaches the child first; the coordinator is to hear of it before it judges.
      if (killedBy === "SIGTERM" || killedBy === "SIGINT")
        setTimeout(settle, GROUP_SIGNAL_MS, code, killedBy);
      else settle(code, killedBy);
    });
    function settle(code: number | null, killedBy: NodeJS.Signals | null): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", kill);
      if (signal?.aborted) reject(signal.reason);
      else resolve(result ?? failed(trouble ?? crashReason(code, killedBy, stderr.text)));
    }
    try {
      // A child that is already gone cannot take its job; `close` says why.
      child.send(job, () => {});
    } catch (error) {
      trouble = `its data cannot be sent to a process: ${(error as Error).message}`;
      kill();
    }
  });
}

const GROUP_SIGNAL_MS = 200;

/**
 * The child's processor time is limited too, by the shell: should the coordinator be killed, a codec that never
 * returns would otherwise run for ever.
 */
function start(timeoutSeconds: number): ChildProcess {
  const node = [process.execPath, ...EXEC_ARGV, workerFile()];
  const cpuSeconds = Math.ceil(timeoutSeconds) * CPU_PER_SECOND;
  const limited = ["sh", "-c", 'ulimit -t "$0"; exec "$@"', String(cpuSeconds), ...node];
  const [program = "", ...args] = process.platform === "win32" ? node : limited;
  return spawn(program, args, {
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !STRIPPED.includes(name))),
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
}

/** Node uses other cores too, to compile and to collect garbage. */
const CPU_PER_SECOND = 4;

/** The worker beside this module: a built .js, or the .ts that it is made of. */
function workerFile(): string {
  const self = fileURLToPath(import.meta.url);
  return fileURLToPath(new URL(`./worker${self.slice(self.lastIndexOf("."))}`, import.meta.url));
}

function tailOf(child: ChildProcess): { text: string } {
  const tail = { text: "" };
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    tail.text = (tail.text + chunk).slice(-STDERR_KEPT);
  });
  return tail;
}

function failed(reason: string): JobResult {
  const refused: Refusal = { status: "failed", reason };
  return { refused, bytes: 0, operations: [] };
}

function crashReason(code: number | null, killedBy: NodeJS.Signals | null, stderr: string): string {
  if (stderr.includes("heap out of memory")) return "ran out of memory";
  const said = stderr
    .split("\n")
    .map((line) => line.trim())
    .find((line) => /Error|error:/.test(line));
  const how = killedBy === null ? `exit code ${code}` : `signal ${killedBy}`;
  return `crashed (${how})${said === undefined ? "" : `: ${said}`}`;
}
