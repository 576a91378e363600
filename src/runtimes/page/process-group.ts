/** The processes of a browser, as Linux tells of them. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** What a group of processes does. */
interface GroupState {
  /** Whether any of them still runs: one that ended and that nobody has asked for, does not. */
  readonly runs: boolean;
  /** Processor time of all of them, in ticks: of 10 ms on all Linux. */
  readonly ticks: number;
}

/** Undefined where it is not told, as on other systems, and where there is no such group. */
function stateOf(group: number): GroupState | undefined {
  let names: string[];
  try {
    names = readdirSync("/proc");
  } catch {
    return undefined;
  }
  const members = names
    .filter((name) => /^\d+$/.test(name))
    .map(fieldsOf)
    .filter(([, , of]) => Number(of) === group);
  if (members.length === 0) return undefined;
  return {
    runs: members.some(([state]) => state !== "Z" && state !== "X"),
    ticks: members.reduce((sum, fields) => sum + Number(fields[11]) + Number(fields[12]), 0),
  };
}

/** What stands after a process's name (proc_pid_stat(5)): state, parent, group, …; nothing of one that is gone. */
function fieldsOf(pid: string): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

/** A browser that does less than this share of a core, for some looks one after the other, is quiet; it has so long to be. */
const QUIET = { share: 0.15, looks: 3, lookMs: 100, mostMs: 4000 };

/** Milliseconds of a tick. */
const TICK_MS = 10;

/** Waits until a group of processes does next to nothing, or for some seconds. At once where nothing tells what it does. */
export async function untilQuiet(group: number | undefined): Promise<void> {
  if (group === undefined) return;
  const until = Date.now() + QUIET.mostMs;
  let before = stateOf(group)?.ticks;
  for (let looks = 0; looks < QUIET.looks && before !== undefined && Date.now() < until; ) {
    await sleep(QUIET.lookMs);
    const now = stateOf(group)?.ticks;
    if (now === undefined) return;
    looks = (now - before) * TICK_MS <= QUIET.share * QUIET.lookMs ? looks + 1 : 0;
    before = now;
  }
}

/** How long processes that were killed may take to be gone, in milliseconds. */
const GONE_MS = 5000;

/**
 * Kills a group of processes, if there is one, and waits until none of them runs. In a container whose first process is no init,
 * those that have ended stay listed: for seconds, or for as long as it is there.
 */
export async function killGroup(group: number | undefined): Promise<void> {
  if (group === undefined) return;
  for (const until = Date.now() + GONE_MS; Date.now() < until; await sleep(10)) {
    try {
      process.kill(-group, "SIGKILL");
    } catch {
      // There is none left.
      return;
    }
    if (stateOf(group)?.runs === false) return;
  }
}
