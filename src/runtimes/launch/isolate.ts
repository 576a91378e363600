import type { Job, JobResult } from "../../measure/job.ts";
import type { Refusal } from "../../model/errors.ts";
import { endingReason, lastSaid } from "./child-process.ts";
import { MessageError } from "./messages.ts";
import type { Launched } from "./runtime.ts";

/**
 * Runs a job in a process of its own. A child that crashes, hangs or runs out of memory is an answer like any
 * other: what it says is the reason. One that fails after everything was timed loses the survey only, and says why.
 * @param launch starts the process
 * @param timeoutSeconds without a sign that it gets on, after which the child is killed: a sign comes with each
 *   operation, and with each second of calls
 * @param signal kills the child; the promise then rejects with the signal's reason
 * @param listeners.onTimed is called with the result without memory, where that is to be surveyed, once all that started ahead
 *   have loaded what they need; the survey begins when what it returns has settled
 * @param listeners.following how many jobs follow, whose processes may start while this one times nothing any more
 */
export async function isolate(
  job: Job,
  launch: (job: Job, cpuSeconds: number) => Launched,
  timeoutSeconds: number,
  signal?: AbortSignal,
  { onTimed, following = 0 }: IsolateListeners = {},
): Promise<JobResult> {
  signal?.throwIfAborted();
  let child: Launched;
  try {
    child = launch(job, timeoutSeconds * CPU_PER_SECOND * stepsOf(job));
  } catch (error) {
    return failed(job, `its data cannot be sent to a process: ${(error as Error).message}`);
  }
  const watchdog = new Watchdog(timeoutSeconds, child.kill);
  signal?.addEventListener("abort", child.kill, { once: true });
  let next: Promise<void> | undefined;
  const { result, timed, wrong } = await collectResult(child, watchdog, {
    onTimed: async (timed) => {
      watchdog.stop();
      await next;
      await onTimed?.(timed);
      watchdog.sees("its memory was about to be surveyed");
      child.goOn?.();
    },
    onTimedAll: () => {
      if (following > 0) next = child.startNext?.(following);
    },
  });
  const ending = await child.ended;
  await next;
  watchdog.stop();
  signal?.removeEventListener("abort", child.kill);
  // A signal to the whole group reaches the child first; the coordinator is to hear of it before it judges.
  if ("killedBy" in ending && (ending.killedBy === "SIGTERM" || ending.killedBy === "SIGINT"))
    await new Promise((resolve) => setTimeout(resolve, GROUP_SIGNAL_MS));
  signal?.throwIfAborted();
  if (result !== undefined) return result;
  const told = watchdog.reason ?? wrong;
  const reason =
    (told === undefined ? endingReason(ending) : told + lastSaid(ending)) +
    (watchdog.reason === undefined ? where(job, watchdog.last) : "");
  return timed === undefined ? failed(job, reason) : { ...timed, unsurveyed: reason };
}

/** As {@link isolate} calls them. */
interface IsolateListeners {
  onTimed?(timed: JobResult): void | Promise<void>;
  readonly following?: number;
}

const GROUP_SIGNAL_MS = 200;

/** A runtime uses other cores too, to compile and to collect garbage. */
const CPU_PER_SECOND = 4;

/** What may take as long as the timeout: to make each member ready, each of its operations, to prove and to survey it. */
function stepsOf(job: Job): number {
  return job.members.reduce((steps, { operations }) => steps + 3 + operations.length, 1);
}

/** Ends a process that gives no sign for too long. */
class Watchdog {
  readonly #seconds: number;
  readonly #end: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** What the process has done last. */
  last = "";
  /** Why it was ended; undefined while it was not. */
  reason: string | undefined;

  constructor(seconds: number, end: () => void) {
    this.#seconds = seconds;
    this.#end = end;
    this.#start();
  }

  #start(): void {
    this.#timer = setTimeout(() => {
      const since = this.last === "" ? "" : `, counted from when ${this.last}`;
      this.reason = `hung: no result after ${this.#seconds} s${since}`;
      this.#end();
    }, this.#seconds * 1000);
  }

  /** The process gets on. */
  sees(after: string): void {
    this.last = after;
    if (this.#timer === undefined) this.#start();
    else this.#timer.refresh();
  }

  /** Nothing is expected of the process. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** What a process has said until it ended. */
interface Collected {
  /** All that was asked for. */
  result?: JobResult;
  /** What was timed before it ended in the survey. */
  timed?: JobResult;
  /** What it said that is no message: it is then killed. */
  wrong?: string;
}

async function collectResult(
  { messages, kill }: Launched,
  watchdog: Watchdog,
  { onTimed, onTimedAll }: { onTimed(timed: JobResult): Promise<void>; onTimedAll(): void },
): Promise<Collected> {
  const collected: Collected = {};
  try {
    for await (const message of messages) {
      if ("after" in message) watchdog.sees(message.after);
      else if ("timedAll" in message) onTimedAll();
      else if ("timed" in message) {
        collected.timed = message.timed;
        await onTimed(message.timed);
      } else collected.result = message.result;
    }
  } catch (error) {
    if (!(error instanceof MessageError)) throw error;
    collected.wrong = error.message;
    kill();
  }
  return collected;
}

/** Of several members it is not plain which one it was. */
function where({ members }: Job, last: string): string {
  return members.length > 1 && last !== "" ? `, after ${last}` : "";
}

function failed(job: Job, reason: string): JobResult {
  const refused: Refusal = { status: "failed", reason };
  return { members: job.members.map(() => ({ refused, bytes: 0, operations: [] })) };
}
