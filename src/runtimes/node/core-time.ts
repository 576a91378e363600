import { openSync, readSync } from "node:fs";
import type { CoreTime } from "../../measure/clock.ts";

/** Nanoseconds of processor time of all threads of this process. */
function allThreads(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

/** Two numbers of at most 20 digits, a third, and what stands between them. */
const LINE_BYTES = 96;

/**
 * Linux's own account of the thread (Documentation/scheduler/sched-stats.rst): nanoseconds on a core, and nanoseconds that it was ready and
 * waited for one. By itself the first is as old as the last tick; the system call for the process's times brings it up to date
 * (measured: back-to-back readings differ by 1.25 to 2 µs, which is what they cost, and never by a tick). Undefined where
 * the kernel has no such file.
 */
export function schedstat(): CoreTime | undefined {
  let file: number;
  try {
    file = openSync("/proc/thread-self/schedstat", "r");
  } catch {
    return undefined;
  }
  const line = Buffer.alloc(LINE_BYTES);
  let at = 0;
  /** The next number of the line: parsed without a string, since garbage of readings would be the codec's. */
  const next = (): number => {
    let value = 0;
    for (let digit = line[at++]! - 48; digit >= 0; digit = line[at++]! - 48) value = value * 10 + digit;
    return value;
  };
  let waitedNanos = 0;
  return {
    source: "schedstat",
    onCore: () => {
      process.cpuUsage();
      readSync(file, line, 0, LINE_BYTES, 0);
      at = 0;
      const nanos = next();
      waitedNanos = next();
      return nanos;
    },
    waited: () => waitedNanos,
    allThreads,
  };
}

/**
 * `process.threadCpuUsage()` of Node 22.15 and later, in microseconds; undefined in an older one. On Linux it too is as old
 * as the last tick, unless the process's times were asked for before.
 */
export function threadCpu(): CoreTime | undefined {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => NodeJS.CpuUsage };
  if (threadCpuUsage === undefined) return undefined;
  return {
    source: "thread-cpu",
    onCore: () => {
      process.cpuUsage();
      const { user, system } = threadCpuUsage();
      return (user + system) * 1000;
    },
    allThreads,
  };
}
