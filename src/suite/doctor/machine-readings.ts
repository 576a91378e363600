import { url as inspectorUrl } from "node:inspector";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../../analysis/statistics/location.ts";
import { ownRuntime, type RuntimeIdentity } from "../../model/runtime.ts";
import { systemText } from "../../runtimes/node/system-file.ts";
import { environment } from "../environment.ts";

/** What a machine says of itself before anything is measured; null is what this system does not tell. */
export interface MachineReadings {
  readonly cores: number;
  /** Share of all cores' time that others take while this process waits. */
  readonly busy: number;
  readonly governor: string | null;
  readonly turbo: "on" | "off" | null;
  /** Whether two threads share a core. */
  readonly smt: "on" | "off" | null;
  readonly clocksource: string | null;
  /** Smallest step of the clock that was seen, and what a reading of it costs, in nanoseconds. */
  readonly clockStep: number;
  readonly clockCall: number;
  /** Share of the memory that is taken. */
  readonly memoryTaken: number;
  /** Cores' worth of time that the control group may use; "none" where it is not limited. */
  readonly quota: number | "none" | null;
  /** What wirebench and its measuring processes run in. */
  readonly runtime: RuntimeIdentity;
  readonly debugBuild: boolean;
  /** What slows this process down: a debugger, coverage, flags. */
  readonly slowing: readonly string[];
}

/** Reads all of it; takes a second. */
export async function machineReadings(): Promise<MachineReadings> {
  const { cpu, clocksource } = environment();
  return {
    cores: cpu.cores,
    busy: await busyShare(BUSY_MS),
    governor: cpu.governor,
    turbo: turbo(),
    smt: onOff(textOf("/sys/devices/system/cpu/smt/active"), "1"),
    clocksource,
    ...clock(),
    memoryTaken: 1 - os.freemem() / os.totalmem(),
    quota: quota(),
    runtime: ownRuntime(),
    debugBuild: process.features.debug,
    slowing: slowing(process.execArgv, process.env, inspectorUrl() !== undefined),
  };
}

/** Pages that were swapped in or out since the machine was started; null where the system does not say. */
export function pagesSwapped(): number | null {
  const counts = textOf("/proc/vmstat")?.matchAll(/^pswp(?:in|out) (\d+)$/gm);
  const pages = [...(counts ?? [])].map(([, count]) => Number(count));
  return pages.length === 0 ? null : pages.reduce((sum, count) => sum + count, 0);
}

/** Flags that make all code slower, or stop it now and then. */
const SLOW_FLAGS =
  /^--(?:inspect|cpu-prof|heap-prof|prof|trace|jitless|no-opt|max-lazy|single-threaded|predictable|always-sparkplug|interpreted-frames-native-stack)\b/;

/** What of a process's flags and variables slows it down. */
export function slowing(
  execArgv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  debugged: boolean,
): string[] {
  const variables = ["NODE_OPTIONS", "NODE_V8_COVERAGE"].filter((name) => (env[name] ?? "") !== "");
  const flags = execArgv.filter((flag) => SLOW_FLAGS.test(flag));
  const inspected = debugged && !flags.some((flag) => flag.startsWith("--inspect")) ? ["a debugger"] : [];
  return [...flags, ...variables, ...inspected];
}

const BUSY_MS = 1000;

/** Share of all cores' time that others take while this process waits for so many milliseconds. */
export async function busyShare(ms: number): Promise<number> {
  const before = coreTimes();
  await sleep(ms);
  const after = coreTimes();
  const all = after.all - before.all;
  return all > 0 ? Math.max(0, 1 - (after.idle - before.idle) / all) : 0;
}

function coreTimes(): { readonly idle: number; readonly all: number } {
  const times = os.cpus().map((core) => core.times);
  const all = times.flatMap((core) => Object.values(core)).reduce((sum, one) => sum + one, 0);
  return { idle: times.reduce((sum, { idle }) => sum + idle, 0), all };
}

function clock(): { readonly clockStep: number; readonly clockCall: number } {
  const [readings, rounds] = [20_000, 9];
  const calls: number[] = [];
  let step = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const from = performance.now();
    let last = from;
    for (let i = 0; i < readings; i++) {
      const now = performance.now();
      if (now > last) step = Math.min(step, now - last);
      last = now;
    }
    calls.push((last - from) / readings);
  }
  return { clockStep: tenth(step * 1e6), clockCall: tenth(median(calls) * 1e6) };
}

/** Intel's own driver has it in one place, all others in another. */
function turbo(): "on" | "off" | null {
  const off = textOf("/sys/devices/system/cpu/intel_pstate/no_turbo");
  if (off !== undefined) return onOff(off, "0");
  return onOff(textOf("/sys/devices/system/cpu/cpufreq/boost"), "1");
}

function onOff(text: string | undefined, on: string): "on" | "off" | null {
  return text === undefined ? null : text === on ? "on" : "off";
}

const GROUPS = "/sys/fs/cgroup";

/** The narrowest quota of this process's control group (version 2) and of those around it: `200000 100000` is 2 cores. */
function quota(): number | "none" | null {
  const own = textOf("/proc/self/cgroup")?.match(/^0::(\/.*)$/m)?.[1] ?? "/";
  let isKnown = false;
  let least = Number.POSITIVE_INFINITY;
  for (let group = path.join(GROUPS, own); group.startsWith(GROUPS); group = path.dirname(group)) {
    const [time, period] = (textOf(path.join(group, "cpu.max")) ?? "").split(" ");
    if (period === undefined) continue;
    isKnown = true;
    if (time !== "max") least = Math.min(least, Number(time) / Number(period));
  }
  if (Number.isFinite(least)) return least;
  return isKnown ? "none" : null;
}

function textOf(file: string): string | undefined {
  return systemText(file)?.trim();
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
