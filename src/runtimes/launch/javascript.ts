/** What the runtimes share that have Node's modules: they run one worker, each by a command of its own. */
import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Job, WorkerMessage } from "../../measure/job.ts";
import { PROFILES } from "../../measure/profiles.ts";
import { UsageError } from "../../model/errors.ts";
import { ownModule } from "../../model/package-files.ts";
import type { RuntimeIdentity } from "../../model/runtime.ts";
import { endingReason, untilClosed } from "./child-process.ts";
import { described } from "./describe.ts";
import { jobLine } from "./job-line.ts";
import { MessageError, messagesIn } from "./messages.ts";
import { pinned } from "./pinning.ts";
import type { Ending, Launched, RuntimeDefinition } from "./runtime.ts";
import { CHANNEL, startAhead, startedOrWaiting } from "./waiting.ts";

/** What is different from runtime to runtime. */
export interface JavaScriptCommand {
  /** What stands between the program and the worker's file. */
  readonly args: readonly string[];
  /** Variables that it needs. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Variables as a shell has them before a command. */
export function assignments(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).map(([name, value]) => `${name}=${value}`);
}

/** How to start a measuring process of such a runtime, and to ask it what it is. */
export function javascript(command: JavaScriptCommand): Pick<RuntimeDefinition, "version" | "launch"> {
  const launch: RuntimeDefinition["launch"] = (program, job, cpuSeconds, flags = []) =>
    launched(program, { ...command, args: [...command.args, ...flags] }, job, cpuSeconds);
  return { launch, version: (program) => versionOf(program, launch) };
}

function launched(
  program: string,
  { args, env = {} }: JavaScriptCommand,
  job: Job,
  cpuSeconds: number,
): Launched {
  const line = jobLine(job);
  const command = { command: pinned(job.cores, [program, ...args, workerFile()]), cpuSeconds, env };
  const { child, ended } = startedOrWaiting(command);
  // It stays open: a worker ends when its coordinator does.
  child.stdin?.write(line);
  return {
    messages: described(messagesOf(child, ended, job.members.length), job),
    ended,
    kill: () => void child.kill("SIGKILL"),
    goOn: () => void child.stdin?.write("\n"),
    startNext: (most) => startAhead(command, most),
  };
}

async function* messagesOf(
  child: ChildProcess,
  ended: Promise<Ending>,
  members: number,
): AsyncGenerator<WorkerMessage> {
  const channel = child.stdio[CHANNEL] as Readable | null | undefined;
  if (channel === null || channel === undefined) {
    await ended;
    return;
  }
  yield* messagesIn(untilClosed(channel), members);
}

const VERSION_SECONDS = 20;

/** A job without anything to measure: its answer says what the runtime is. */
export const NOTHING: Job = { members: [], int64: undefined, profile: PROFILES.quick, others: [] };

/** A worker without anything to measure says what it is. Throws UsageError where it does not. */
export async function versionOf(
  program: string,
  launch: RuntimeDefinition["launch"],
): Promise<RuntimeIdentity> {
  const { messages, ended, kill } = launch(program, NOTHING, VERSION_SECONDS);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, VERSION_SECONDS * 1000);
  try {
    for await (const message of messages) {
      if (!("result" in message) || message.result.runtime === undefined) continue;
      const { name, version, engine } = message.result.runtime;
      return { name, version, engine };
    }
    throw new UsageError(isLate ? `no answer in ${VERSION_SECONDS} s` : endingReason(await ended));
  } catch (error) {
    if (!(error instanceof MessageError)) throw error;
    throw new UsageError(error.message, { cause: error });
  } finally {
    clearTimeout(timer);
    kill();
  }
}

/** The worker: a built .js, or the .ts that it is made of. */
function workerFile(): string {
  return fileURLToPath(ownModule("runtimes/node/worker"));
}
