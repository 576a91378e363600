import os from "node:os";
import type { Conditions, Meter } from "../../measure/host.ts";
import type { Disturbance } from "../../model/records/run.ts";
import { systemText } from "./system-file.ts";

/**
 * From where on a measurement counts as disturbed: fixed before anything is measured, and never a reason to leave it
 * out. On a quiet two-core machine codecs that make little garbage had 0.97 to 1.00 of the clock's time on their core and
 * up to 100 switches a second; those that make much were kept from it by V8's own collecting threads for up to a tenth
 * of the time, with some hundreds of switches.
 */
export const DISTURBED = {
  /** Processor time below this share of the clock's: it waited for a core. */
  cpuShare: 0.9,
  switchesPerSecond: 500,
  pressure: 0.1,
  steal: 0.02,
} as const;

/** Whether all threads of the process share one core. */
const SINGLE_CORE = os.availableParallelism() === 1;

/** Watches this process during its measured phases only. */
export class ConditionsMeter implements Meter {
  #from: Reading | undefined;
  readonly #sum = { wall: 0, cpu: 0, switches: 0 };
  readonly #optional = {
    pressure: 0 as number | null,
    steal: [0, 0] as number[] | null,
    throttled: 0 as number | null,
  };

  /** A measured phase begins. */
  start(): void {
    this.#from = reading();
  }

  /** It has ended. */
  stop(): void {
    const from = this.#from;
    if (from === undefined) return;
    const to = reading();
    this.#from = undefined;
    this.#sum.wall += to.wall - from.wall;
    this.#sum.cpu += to.cpu - from.cpu;
    this.#sum.switches += to.switches - from.switches;
    const optional = this.#optional;
    optional.pressure = added(optional.pressure, from.waited, to.waited);
    optional.throttled = added(optional.throttled, from.throttled, to.throttled);
    optional.steal =
      optional.steal === null || from.ticks === null || to.ticks === null
        ? null
        : optional.steal.map((sum, i) => sum + (to.ticks?.[i] ?? 0) - (from.ticks?.[i] ?? 0));
  }

  conditions(): Conditions {
    const { wall, cpu, switches } = this.#sum;
    const { pressure: waited, steal, throttled } = this.#optional;
    const pressure = waited === null || wall === 0 ? null : share(waited / wall);
    const stolen = steal === null || !(steal[1]! > 0) ? null : share(steal[0]! / steal[1]!);
    const disturbedBy: Disturbance[] = [];
    if (wall > 0) {
      if (cpu / wall < DISTURBED.cpuShare) disturbedBy.push("waiting");
      if (switches / wall > DISTURBED.switchesPerSecond) disturbedBy.push("switches");
    }
    if (pressure !== null && pressure > DISTURBED.pressure) disturbedBy.push("pressure");
    if (stolen !== null && stolen > DISTURBED.steal) disturbedBy.push("steal");
    if (throttled !== null && throttled > 0) disturbedBy.push("throttling");
    return {
      wallSeconds: share(wall),
      cpuSeconds: share(cpu),
      involuntarySwitches: switches,
      pressure,
      steal: stolen,
      throttled,
      disturbedBy,
      peakBytes: process.resourceUsage().maxRSS * 1024,
    };
  }
}

/** The counters of one moment; all of them only grow. Null is what this system does not tell. */
interface Reading {
  /** Seconds. */
  readonly wall: number;
  readonly cpu: number;
  readonly switches: number;
  /** Seconds in which some process of the machine waited for a core. */
  readonly waited: number | null;
  /** Ticks of all cores: stolen ones, and all. */
  readonly ticks: readonly [number, number] | null;
  readonly throttled: number | null;
}

function reading(): Reading {
  const { userCPUTime, systemCPUTime, involuntaryContextSwitches } = process.resourceUsage();
  return {
    wall: performance.now() / 1000,
    // Linux has both for the main thread alone. Those that collect garbage beside it are taken off their cores often. On
    // a single core they take it from the main thread, and nobody else does.
    cpu:
      (SINGLE_CORE ? null : matched("/proc/self/schedstat", /^(\d+) /, 1e-9)) ??
      (userCPUTime + systemCPUTime) / 1e6,
    switches:
      matched("/proc/self/status", /^nonvoluntary_ctxt_switches:\s+(\d+)/m, 1) ?? involuntaryContextSwitches,
    waited: matched("/proc/pressure/cpu", /^some .*total=(\d+)/m, 1e-6),
    ticks: ticks(),
    throttled: matched("/sys/fs/cgroup/cpu.stat", /^nr_throttled (\d+)/m, 1),
  };
}

/** `cpu user nice system idle iowait irq softirq steal …` (proc_stat(5)). */
function ticks(): [number, number] | null {
  const line = systemText("/proc/stat")?.split("\n", 1)[0];
  const fields = line?.trim().split(/\s+/).slice(1, 9).map(Number);
  if (fields?.length !== 8 || fields.some(Number.isNaN)) return null;
  return [fields[7]!, fields.reduce((sum, field) => sum + field, 0)];
}

function matched(file: string, pattern: RegExp, unit: number): number | null {
  const found = systemText(file)?.match(pattern)?.[1];
  return found === undefined ? null : Number(found) * unit;
}

function added(sum: number | null, from: number | null, to: number | null): number | null {
  return sum === null || from === null || to === null ? null : sum + to - from;
}

function share(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
