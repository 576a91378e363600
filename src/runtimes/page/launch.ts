/** How a browser is started for a job, and asked what it is. */
import type { ChildProcess } from "node:child_process";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { DescribedMessage, Job } from "../../measure/job.ts";
import { defined } from "../../model/defined.ts";
import { refusal } from "../../model/errors.ts";
import { ownModule } from "../../model/package-files.ts";
import { untilClosed } from "../launch/child-process.ts";
import { described } from "../launch/describe.ts";
import { versionOf } from "../launch/javascript.ts";
import { jobLine } from "../launch/job-line.ts";
import { messagesIn } from "../launch/messages.ts";
import { pinned } from "../launch/pinning.ts";
import type { Ending, Launched, RuntimeDefinition } from "../launch/runtime.ts";
import { CHANNEL, startedOrWaiting } from "../launch/waiting.ts";
import { expectEsbuild, scriptsFor } from "./scripts.ts";
import type { PageJob } from "./server.ts";

/** What is different from browser to browser. */
export interface BrowserCommand {
  /** What stands before the address; `{profile}` is the folder of its profile. @param flags of its engine */
  args(flags: readonly string[]): readonly string[];
  /** What is in its profile before it starts: texts by the names of files. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether it is told and asked by a pipe, in descriptors 3 and 4. One that is not says by its user agent which it is. */
  readonly pipe: boolean;
}

/** What a keeper is given, as a line of JSON. */
export interface Kept {
  readonly program: string;
  readonly args: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly pipe: boolean;
  readonly job: Pick<PageJob, "scripts" | "noEval"> & { readonly line: string };
}

/** How to start a browser for each job, and to ask it what it is. */
export function browser(command: BrowserCommand): Pick<RuntimeDefinition, "version" | "launch"> {
  const launch: RuntimeDefinition["launch"] = (program, job, cpuSeconds, flags = []) =>
    launched(program, command, job, cpuSeconds, flags);
  return {
    launch,
    version: async (program) => {
      await expectEsbuild();
      return versionOf(program, launch);
    },
  };
}

/** What a keeper passes on; nothing where it could not be started, which its end says. */
function linesFrom({ child }: { readonly child: ChildProcess }): AsyncIterable<string> {
  const channel = child.stdio[CHANNEL] as Readable | null | undefined;
  return untilClosed(channel ?? Readable.from([]));
}

/** How long a keeper may take to end its browser, in milliseconds. */
const END_MS = 10_000;

function launched(
  program: string,
  { args, files = {}, pipe }: BrowserCommand,
  job: Job,
  cpuSeconds: number,
  flags: readonly string[],
): Launched {
  const line = jobLine(job);
  let keeper: ChildProcess | undefined;
  let isKilled = false;
  const start = async (): Promise<{ readonly child: ChildProcess; readonly ended: Promise<Ending> }> => {
    const scripts = await scriptsFor(job);
    const [first = program, ...rest] = pinned(job.cores, [program, ...args(flags)]);
    const kept: Kept = {
      program: first,
      args: rest,
      files,
      pipe,
      job: { scripts, line, ...defined({ noEval: job.noEval }) },
    };
    const started = startedOrWaiting({
      command: [process.execPath, fileURLToPath(ownModule("runtimes/page/keeper"))],
      cpuSeconds,
      env: {},
    });
    keeper = started.child;
    keeper.stdin?.write(`${JSON.stringify(kept)}\n`);
    if (isKilled) keeper.stdin?.destroy();
    return started;
  };
  const started = start();
  return {
    messages: messagesOf(started.then(linesFrom), job),
    ended: started.then(
      ({ ended }) => ended,
      (error: Error) => ({ cannotStart: error.message }),
    ),
    kill: () => {
      isKilled = true;
      const child = keeper;
      if (child === undefined) return;
      // It ends its browser first.
      child.stdin?.destroy();
      const timer = setTimeout(() => child.kill("SIGKILL"), END_MS);
      child.once("exit", () => clearTimeout(timer));
    },
  };
}

/**
 * What a page says of a job, with what it cannot say found out of what it sent.
 * @param started settles with lines in chunks
 */
export async function* messagesOf(
  started: Promise<AsyncIterable<string>>,
  job: Job,
): AsyncGenerator<DescribedMessage> {
  let chunks: AsyncIterable<string>;
  try {
    chunks = await started;
  } catch (error) {
    // No page can have what cannot be bundled for one.
    const refused = refusal(error);
    yield { result: { members: job.members.map(() => ({ refused, bytes: 0, operations: [] })) } };
    return;
  }
  yield* described(messagesIn(chunks, job.members.length), job);
}
