/**
 * A measuring process: takes one job by standard input, says how it gets on, answers once, and ends. A second line lets it
 * survey its memory, once it has said what it timed. Nothing else of the tool runs in it, so that what it measures is its codec
 * alone, or all of them together.
 */
import { writeSync } from "node:fs";
import { touchMemory } from "../../measure/collector.ts";
import type { WorkerMessage } from "../../measure/job.ts";
import { runJob } from "../../measure/run-job.ts";
import { isToldElsewhere } from "../../model/errors.ts";
import { errorLine } from "../../model/one-line.ts";
import { ownRuntime } from "../../model/runtime.ts";
import { parsedJob } from "../launch/job-line.ts";
import { showStack } from "../launch/stacks.ts";
import { nodeHost } from "./host.ts";

/** Messages have a file descriptor of their own: whatever a codec prints is none. */
const CHANNEL = 3;

/** Written at once: no turn of an event loop comes while calls are timed. */
function send(message: WorkerMessage): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(CHANNEL, bytes, written);
    } catch (error) {
      if ((error as { code?: string }).code === "EAGAIN") continue;
      throw new Error(
        `file descriptor ${CHANNEL}, for messages, cannot be written to: it was closed, or the runtime was started by a script that does not pass it on`,
        { cause: error },
      );
    }
  }
}

/** @param mayGoOn settles when memory may be surveyed */
async function start(line: string, mayGoOn: Promise<void>): Promise<void> {
  try {
    const job = parsedJob(line);
    const result = await runJob(job, await nodeHost(job), {
      onStep: (after) => send({ after }),
      onTimedAll: () => send({ timedAll: true }),
      onMessage: (sent) => send({ sent }),
      onTimed: (timed) => {
        send({ timed });
        return mayGoOn;
      },
    });
    send({ result });
    // A codec may have left a timer or a socket open: what it keeps alive is no reason to wait.
    process.exit();
  } catch (error) {
    fail(error);
  }
}

/** Ends with a line that is the reason. */
function fail(error: unknown): never {
  showStack(error);
  process.stderr.write(`error: ${errorLine(error)}\n`);
  process.exit(1);
}

// What a codec leaves behind, such as a promise that nobody waits for.
process.on("uncaughtException", fail);
process.on("unhandledRejection", (reason) => isToldElsewhere(reason) || fail(reason));

/** What comes until a line ends. */
const received: string[] = [];
let onLine = (line: string): void => {
  const mayGoOn = new Promise<void>((resolve) => {
    onLine = () => resolve();
  });
  void start(line, mayGoOn);
};
process.stdin.setEncoding("utf8").on("data", (chunk: string) => {
  received.push(chunk);
  if (chunk.endsWith("\n")) onLine(received.splice(0).join(""));
});
// 40 ms, before it says that it is ready: it may have been started ahead.
if (ownRuntime().name !== "bun") touchMemory();
try {
  send({ after: "its modules were loaded" });
} catch (error) {
  fail(error);
}
// The coordinator is gone.
process.stdin.on("end", () => process.exit(1));
// Ctrl-C and `kill` reach the whole group; the coordinator decides what happens to its children.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
