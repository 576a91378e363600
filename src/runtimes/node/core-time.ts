import { openSync, readSync } from "node:fs";
import type { CoreTime } from "../../measure/clock.ts";

/** Nanoseconds of processor time of all threads of this process. */
function allThreads(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

/** Three numbers of at most 20 digits, and what stands between them. */
const LINE_BYTES = 96;

/**
 * Linux's own account of the thread (Documentation/scheduler/sched-stats.rst): nanoseconds on a core, nanoseconds that it was ready
 * and waited for one, and how many times it came onto one. By itself the first is as old as the last tick; the system call
 * for the process's times brings it up to date, and takes three times as long as to read the file (measured: 62 and 23 ms
 * of a measuring process). A thread that has not come onto a core since has never left its own: then the clock tells how
 * much longer it is there. Undefined where the kernel has no such file.
 * @param account its file
 */
export function schedstat(account = "/proc/thread-self/schedstat"): CoreTime | undefined {
  let file: number;
  try {
    file = openSync(account, "r");
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
  let [coreNanos, waitedNanos, arrivals] = [0, 0, 0];
  const read = (): void => {
    readSync(file, line, 0, LINE_BYTES, 0);
    at = 0;
    coreNanos = next();
    waitedNanos = next();
    arrivals = next();
  };
  /** When the account was brought up to date: what it said, the clock in ms, and how many times the thread had come onto a core. */
  let [exactNanos, exactMs, exactArrivals] = [0, 0, Number.NaN];
  /** What the last reading said, and the same of the clock and of the time waited. */
  let [lastNanos, lastMs, lastWaited] = [0, 0, 0];
  /** Added to the account, where the clock has counted more than that; below zero where it has counted less. */
  let aheadNanos = 0;
  return {
    source: "schedstat",
    onCore: () => {
      // Before the account is read: on its way back from there the thread may wait for a core, and the clock goes on.
      const ms = performance.now();
      read();
      if (arrivals === exactArrivals) {
        lastMs = ms;
        lastWaited = waitedNanos;
        lastNanos = exactNanos + (ms - exactMs) * 1e6;
        return lastNanos;
      }
      do {
        exactArrivals = arrivals;
        process.cpuUsage();
        exactMs = performance.now();
        read();
        // It may have left its core between the two.
      } while (arrivals !== exactArrivals);
      exactNanos = coreNanos + aheadNanos;
      const mostNanos = lastNanos + (exactMs - lastMs) * 1e6;
      if (exactNanos > mostNanos) {
        // What passed between the account's last update and the look at the clock then: readings since have lacked it.
        aheadNanos -= exactNanos - mostNanos;
        exactNanos = mostNanos;
      }
      if (exactNanos < lastNanos) {
        // The host of a virtual machine had its core meanwhile, which only the clock has seen.
        const sinceNanos = Math.max(0, (exactMs - lastMs) * 1e6 - (waitedNanos - lastWaited));
        aheadNanos += lastNanos + sinceNanos - exactNanos;
        exactNanos = lastNanos + sinceNanos;
      }
      [lastNanos, lastMs, lastWaited] = [exactNanos, exactMs, waitedNanos];
      return exactNanos;
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
