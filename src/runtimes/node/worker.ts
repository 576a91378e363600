/**
 * A measuring process: takes one job, tells how it gets on, answers once, and ends. Started by `isolate.ts`; nothing else of the
 * tool runs in it, so that what it measures is its codec alone, or all of them together.
 */

import type { Job, JobResult, WorkerMessage } from "../../measure/job.ts";
import { runJob } from "../../measure/run-job.ts";
import { nodeHost } from "./host.ts";

process.once("message", (job: Job) => {
  const send = (message: WorkerMessage, sent = (): void => {}): void => {
    process.send?.(message, sent);
  };
  const onStep = (after: string): void => send({ after });
  const onTimed = (timed: JobResult): void => send({ timed });
  runJob(job, nodeHost(), { onStep, onTimed }).then(
    // A codec may have left a timer or a socket open: what it keeps alive is no reason to wait.
    (result) => send({ result }, () => process.exit()),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
      process.exit(1);
    },
  );
});
// Ctrl-C and `kill` reach the whole group; the coordinator decides what happens to its children.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
process.on("disconnect", () => process.exit(1));
