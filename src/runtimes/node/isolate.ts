import { fileURLToPath } from "node:url";
import type { Job, JobResult, WorkerMessage } from "../../measure/job.ts";
import type { Refusal } from "../../model/errors.ts";
import { crashReason, startProcess, tailOf } from "./child-process.ts";

/**
 * Runs a job in a process of its own. A child that crashes, hangs or runs out of memory is an answer like any
 * other: what it says is the reason. One that fails after everything was timed loses the survey only, and says why.
 * @param timeoutSeconds without a sign that it gets on, after which the child is killed: a sign comes with each
 *   operation, and with each second of calls
 * @param signal kills the child; the promise then rejects with the signal's reason
 */
export function isolate(job: Job, timeoutSeconds: number, signal?: AbortSignal): Promise<JobResult> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const child = startProcess(workerFile(), timeoutSeconds * CPU_PER_SECOND * stepsOf(job));
    const stderr = tailOf(child);
    let timed: JobResult | undefined;
    let result: JobResult | undefined;
    let trouble: string | undefined;
    const kill = (): void => {
      child.kill("SIGKILL");
    };
    let last = "";
    const timer = setTimeout(() => {
      const since = last === "" ? "" : `, counted from when ${last}`;
      trouble = `hung: no result after ${timeoutSeconds} s${since}`;
      kill();
    }, timeoutSeconds * 1000);
    signal?.addEventListener("abort", kill, { once: true });
    child.on("message", (message) => {
      const answer = message as WorkerMessage;
      if ("timed" in answer) timed = answer.timed;
      else if ("result" in answer) result = answer.result;
      else {
        last = answer.after;
        timer.refresh();
      }
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
      else if (result !== undefined) resolve(result);
      else {
        const reason = trouble ?? reasonOf(code, killedBy, stderr.text) + where(job, last);
        resolve(timed === undefined ? failed(job, reason) : { ...timed, unsurveyed: reason });
      }
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

/** What may take as long as the timeout: to make each member ready, each of its operations, and to survey it. */
function stepsOf(job: Job): number {
  return job.members.reduce((steps, { operations }) => steps + 2 + operations.length, 1);
}

/** The worker beside this module: a built .js, or the .ts that it is made of. */
function workerFile(): string {
  const self = fileURLToPath(import.meta.url);
  return fileURLToPath(new URL(`./worker${self.slice(self.lastIndexOf("."))}`, import.meta.url));
}

/** Nobody but the system kills a child so for which there is no other reason. */
function reasonOf(code: number | null, killedBy: NodeJS.Signals | null, stderr: string): string {
  if (killedBy === "SIGKILL" && stderr === "")
    return "killed by the system (signal SIGKILL): it may be out of memory";
  return crashReason(code, killedBy, stderr);
}

/** Of several members it is not plain which one it was. */
function where({ members }: Job, last: string): string {
  return members.length > 1 && last !== "" ? `, after ${last}` : "";
}

function failed(job: Job, reason: string): JobResult {
  const refused: Refusal = { status: "failed", reason };
  return { members: job.members.map(() => ({ refused, bytes: 0, operations: [] })) };
}
