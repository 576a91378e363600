/** The loops of one codec, in a process of its own. */
import { fileURLToPath } from "node:url";
import { ownModule } from "../../model/package-files.ts";
import type { ClassicRow, ClassicRun } from "../../model/records/classic.ts";
import { endingOf, endingReason, startProcess } from "../../runtimes/launch/child-process.ts";
import type { LoopAnswer, LoopJob, LoopOperation } from "./loop-job.ts";

/** What is known of loops as they end. */
export interface LoopsDone {
  readonly bytes?: number;
  readonly runs: ReadonlyMap<LoopOperation, readonly ClassicRun[]>;
  /** Why there are no more, and why those that there are count for nothing. */
  readonly refused?: Pick<ClassicRow, "status" | "reason">;
}

const PROGRAM = fileURLToPath(ownModule("published/classic/loop-program"));

/** Processor time after which a process whose coordinator is gone is ended, in seconds: no loop takes a day. */
const CPU_SECONDS = 86_400;

/**
 * Runs loops in a process of their own. Where the signal comes, what was done until then is returned.
 * @param onRun called after each loop
 */
export function runLoops(
  job: LoopJob,
  signal: AbortSignal | undefined,
  onRun: (done: LoopsDone) => void,
): Promise<LoopsDone> {
  return new Promise((resolve) => {
    const child = startProcess(PROGRAM, CPU_SECONDS);
    const runs = new Map<LoopOperation, ClassicRun[]>();
    let done: LoopsDone = { runs };
    let isOver = false;
    const stop = (): void => {
      child.kill("SIGKILL");
    };
    const fail = (reason: string): void => {
      done = { ...done, refused: { status: "failed", reason } };
    };
    child.on("message", (message) => {
      const answer = message as LoopAnswer;
      if ("bytes" in answer) done = { ...done, bytes: answer.bytes };
      else if ("run" in answer) {
        runs.set(answer.operation, [...(runs.get(answer.operation) ?? []), answer.run]);
        onRun(done);
      } else {
        isOver = true;
        if ("refused" in answer) done = { ...done, refused: answer.refused };
      }
    });
    void endingOf(child).then((ending) => {
      signal?.removeEventListener("abort", stop);
      if (!isOver && signal?.aborted !== true) fail(endingReason(ending));
      resolve(done);
    });
    signal?.addEventListener("abort", stop);
    if (signal?.aborted === true) stop();
    else
      child.send(job, (error) => {
        if (error !== null && !isOver) fail(error.message);
      });
  });
}
