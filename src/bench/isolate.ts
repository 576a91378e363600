import { fileURLToPath } from "node:url";
import { crashReason, startProcess, tailOf } from "./child-process.ts";
import type { Job, JobResult, Refusal } from "./job.ts";

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
    const child = startProcess(workerFile(), timeoutSeconds * CPU_PER_SECOND);
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

/** Node uses other cores too, to compile and to collect garbage. */
const CPU_PER_SECOND = 4;

/** The worker beside this module: a built .js, or the .ts that it is made of. */
function workerFile(): string {
  const self = fileURLToPath(import.meta.url);
  return fileURLToPath(new URL(`./worker${self.slice(self.lastIndexOf("."))}`, import.meta.url));
}

function failed(reason: string): JobResult {
  const refused: Refusal = { status: "failed", reason };
  return { refused, bytes: 0, operations: [] };
}
