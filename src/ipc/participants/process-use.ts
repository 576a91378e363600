import { PerformanceObserver } from "node:perf_hooks";
import { memoryUsage, resourceUsage } from "node:process";
import type { ProcessUse } from "../exchange/job.ts";

/** Samples of the resident memory that are kept, in all. */
const SAMPLES = 100;

/** Meters what this process uses: processor time, memory and garbage collection. */
export class UseMeter {
  readonly #every: number;
  readonly #cpu = process.cpuUsage();
  readonly #start = memoryUsage.rss();
  readonly #samples: { messages: number; bytes: number }[] = [];
  readonly #gc = { count: 0, totalMs: 0, longestMs: 0 };
  readonly #observer: PerformanceObserver;

  /** @param messages that will be handled */
  constructor(messages: number) {
    this.#every = Math.ceil(messages / SAMPLES);
    this.#observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) this.#collected(duration);
    });
    this.#observer.observe({ entryTypes: ["gc"] });
  }

  /** To be called with each message that was handled, and how many they are now. */
  handled(messages: number): void {
    if (messages % this.#every === 0) this.#samples.push({ messages, bytes: memoryUsage.rss() });
  }

  /** Ends the watch. */
  async stop(): Promise<ProcessUse> {
    const { user, system } = process.cpuUsage(this.#cpu);
    const end = memoryUsage.rss();
    // The last collections are reported in a later turn.
    await new Promise((resolve) => setTimeout(resolve, 0));
    for (const { duration } of this.#observer.takeRecords()) this.#collected(duration);
    this.#observer.disconnect();
    return {
      cpuMs: { user: user / 1000, system: system / 1000 },
      rssBytes: { start: this.#start, end, peak: resourceUsage().maxRSS * 1024 },
      rssSamples: this.#samples,
      gc: this.#gc,
    };
  }

  #collected(milliseconds: number): void {
    this.#gc.count += 1;
    this.#gc.totalMs += milliseconds;
    this.#gc.longestMs = Math.max(this.#gc.longestMs, milliseconds);
  }
}
