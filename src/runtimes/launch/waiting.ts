/**
 * Measuring processes that were started ahead and wait for a job. To start one takes 100 ms, of which nothing is measured: a third
 * of what a process of the profile quick takes. They start while the process before them times nothing any more,
 * two at once, and are loaded before the next job is given out: no start is beside a timing.
 */
import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { endingOf, startCommand } from "./child-process.ts";
import type { Ending } from "./runtime.ts";

/** The file descriptor that messages come by: what a codec prints goes elsewhere. */
export const CHANNEL = 3;

/** How a measuring process is started. */
export interface Command {
  readonly command: readonly string[];
  readonly cpuSeconds: number;
  readonly env: Readonly<Record<string, string>>;
}

/** A measuring process without a job. */
export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ending>;
}

/** How many start at once: as many as use two cores. */
const AT_ONCE = 2;

/** How long a process may load, in ms: on a busy machine Node takes a second. */
const LOAD_LIMIT_MS = 20_000;

const waiting = new Map<string, Started[]>();

/** A process that has waited, or one that starts now. */
export function startedOrWaiting(command: Command): Started {
  const all = waiting.get(keyOf(command));
  for (let one = all?.shift(); one !== undefined; one = all?.shift()) if (isAlive(one.child)) return one;
  return started(command);
}

/**
 * Sees to it that a process of a command waits for its job, and that all that start have loaded what they need, or have ended.
 * @param most how many jobs there are for them
 * @param limitMs how long each may load
 */
export async function startAhead(command: Command, most: number, limitMs = LOAD_LIMIT_MS): Promise<void> {
  const all = (waiting.get(keyOf(command)) ?? []).filter(({ child }) => isAlive(child));
  if (all.length > 0) return;
  const begun = Array.from({ length: Math.min(AT_ONCE, most) }, () => started(command));
  waiting.set(keyOf(command), begun);
  await Promise.all(begun.map((one) => loaded(one, limitMs)));
}

/** Ends the processes that wait: no job will come. */
export function endWaiting(): void {
  for (const { child } of [...waiting.values()].flat()) child.kill("SIGKILL");
  waiting.clear();
}

function keyOf(command: Command): string {
  return JSON.stringify(command);
}

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** A first message says so. A process that says nothing in time is ended: nobody waits for it, and no job is given to it. */
async function loaded({ child, ended }: Started, limitMs: number): Promise<void> {
  const channel = child.stdio[CHANNEL] as Readable | null | undefined;
  const limit = setTimeout(() => child.kill("SIGKILL"), limitMs);
  await Promise.race([ended, new Promise((resolve) => channel?.once("readable", resolve))]);
  clearTimeout(limit);
  // Its channel may close before it is known to have ended.
  if (child.killed) await ended;
}

function started({ command, cpuSeconds, env }: Command): Started {
  const child = startCommand(command, cpuSeconds, { stdio: ["pipe", "ignore", "pipe", "pipe"], env });
  // A child that is already gone cannot take its job; how it ended says why.
  child.stdin?.on("error", () => {});
  return { child, ended: endingOf(child) };
}
