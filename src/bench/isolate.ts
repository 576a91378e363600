import { type ChildProcess, fork } from "node:child_process";
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
    const child = fork(workerFile(), {
      execArgv: [...EXEC_ARGV],
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !STRIPPED.includes(name))),
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const stderr = tailOf(child);
    let result: JobResult | undefined;
    let timedOut = false;
    const kill = (): void => {
      child.kill("SIGKILL");
    };
    const timer = setTimeout(() => {
      timedOut = true;
      kill();
    }, timeoutSeconds * 1000);
    signal?.addEventListener("abort", kill, { once: true });
    child.on("message", (message) => {
      result = message as JobResult;
    });
    child.on("error", (error) => {
      stderr.text += error.message;
    });
    child.on("close", (code, killedBy) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", kill);
      if (signal?.aborted) reject(signal.reason);
      else if (timedOut) resolve(failed(`hung: no result after ${timeoutSeconds} s`));
      else resolve(result ?? failed(crashReason(code, killedBy, stderr.text)));
    });
    // A child that is already gone cannot take its job; `close` says why.
    child.send(job, () => {});
  });
}

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
