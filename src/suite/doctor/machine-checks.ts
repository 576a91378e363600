import type { DoctorCheck, DoctorDisturbances, DoctorTrial } from "../../model/records/doctor.ts";
import type { RuntimeIdentity } from "../../model/runtime.ts";
import type { MachineReadings } from "./machine-readings.ts";

/** Up to where a number is well, and beyond where it is bad; between them it is a warning. */
export interface Limit {
  readonly most: number;
  readonly bad: number;
}

/** Fixed before anything is measured. docs/doctor.md has them as a table. */
export const MACHINE_LIMITS = {
  /** A program on one of four cores already shares caches and heat with what is measured. */
  busy: { most: 0.05, bad: 0.25 },
  /** A thousandth and a hundredth of a batch of 100 µs. */
  clockStep: { most: 100, bad: 1000 },
  clockCall: { most: 100, bad: 1000 },
  memoryTaken: { most: 0.9, bad: 0.97 },
  swapped: { most: 0, bad: 1000 },
  /** A fast and a slow half of a run are no matter for complete blocks; ten per cent are another machine. */
  speed: { most: 0.02, bad: 0.1 },
  /** Share of the measuring processes. Those of one that is quiet exceed no limit of `DISTURBED`, but now and then. */
  disturbed: { most: 0.1, bad: 0.5 },
} as const satisfies Readonly<Record<string, Limit>>;

/** Clocks that are read without asking the kernel. */
const FAST_CLOCKS: readonly string[] = [
  "tsc",
  "arch_sys_counter",
  "kvm-clock",
  "hyperv_clocksource_tsc_page",
];

/** What is well, what is not, and what to do about it, from what the machine says and what disturbed the trials. */
export function machineChecks(
  readings: MachineReadings,
  trials: readonly DoctorTrial[],
  swapped: number | null,
): DoctorCheck[] {
  const { quota, runtime, debugBuild, slowing } = readings;
  return [
    numberCheck("busy before", readings.busy, "share", MACHINE_LIMITS.busy, QUIET),
    {
      name: "cores",
      value: readings.cores,
      unit: "count",
      least: 2,
      ...(readings.cores < 2
        ? { verdict: "warning", advice: "the compiler and the garbage collector share the only core" }
        : { verdict: "ok" }),
    },
    wordCheck("CPU quota", quota, "none", "the control group is stopped when it is used up: lift the limit"),
    wordCheck("governor", readings.governor, "performance", "set the governor to performance"),
    wordCheck(
      "turbo",
      readings.turbo,
      "off",
      "switch turbo off: the clock speed depends on heat and neighbours",
    ),
    wordCheck(
      "SMT",
      readings.smt,
      "off",
      "switch SMT off, or leave the machine alone: two threads share a core",
    ),
    wordCheck("clock source", readings.clocksource, FAST_CLOCKS, "use tsc: other clocks ask the kernel"),
    numberCheck("clock step", readings.clockStep, "nanoseconds", MACHINE_LIMITS.clockStep, COARSE),
    numberCheck("clock call", readings.clockCall, "nanoseconds", MACHINE_LIMITS.clockCall, COARSE),
    numberCheck("memory taken", readings.memoryTaken, "share", MACHINE_LIMITS.memoryTaken, MEMORY),
    numberCheck("pages swapped", swapped, "count", MACHINE_LIMITS.swapped, MEMORY),
    {
      name: properName(runtime),
      value: runtime.version,
      ...(debugBuild
        ? { verdict: "bad", advice: `use a release build of ${properName(runtime)}` }
        : { verdict: "ok" }),
    },
    wordCheck(
      "slowed by",
      slowing.join(", ") || "nothing",
      "nothing",
      "leave them out: measuring processes run without them, this one does not",
    ),
    ...(trials.length === 0 ? [] : duringChecks(trials)),
  ];
}

/** `Node`. */
function properName({ name }: RuntimeIdentity): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

const QUIET = "close other programs, or wait until they are done";
const COARSE =
  "use another clock source: batches are too short for this one (--profile thorough has longer ones)";
const MEMORY = "free memory: what is swapped out is slow to come back";

/** What disturbed the measuring processes of all trials together. */
function duringChecks(trials: readonly DoctorTrial[]): DoctorCheck[] {
  const costs = trials.flatMap(({ nanosPerTurn }) => nanosPerTurn);
  const speed = Math.max(...costs) / Math.min(...costs) - 1;
  const processes = trials.reduce((sum, { disturbed }) => sum + disturbed.processes, 0);
  const disturbed = (
    name: string,
    by: Exclude<keyof DoctorDisturbances, "processes">,
    advice: string,
  ): DoctorCheck => {
    const counts = trials.map((trial) => trial.disturbed[by]);
    const isKnown = counts.every((count) => count !== null) && processes > 0;
    const share = isKnown ? counts.reduce<number>((sum, count) => sum + (count ?? 0), 0) / processes : null;
    return numberCheck(name, share, "share", MACHINE_LIMITS.disturbed, advice);
  };
  return [
    numberCheck(
      "speed over time",
      speed,
      "share",
      MACHINE_LIMITS.speed,
      "fix the clock speed, and keep the machine quiet",
    ),
    disturbed("waited for a core", "waiting", QUIET),
    disturbed("switched off its core", "switches", QUIET),
    disturbed("pressure on the cores", "pressure", QUIET),
    disturbed("stolen by the host", "steal", "use a machine, or a virtual one, with cores of its own"),
    disturbed("stopped by a quota", "throttling", "lift the CPU limit of the container"),
  ];
}

/** A check of a number of which less is better. */
export function numberCheck(
  name: string,
  value: number | null,
  unit: NonNullable<DoctorCheck["unit"]>,
  { most, bad }: Limit,
  advice: string,
): DoctorCheck {
  const base = { name, value: value === null ? null : rounded(value), unit, most };
  if (value === null) return { ...base, verdict: "unknown" };
  if (value <= most) return { ...base, verdict: "ok" };
  return { ...base, verdict: value <= bad ? "warning" : "bad", advice };
}

function wordCheck(
  name: string,
  value: string | number | null,
  well: string | readonly string[],
  advice: string,
): DoctorCheck {
  if (value === null) return { name, value, verdict: "unknown" };
  const isWell = typeof value === "string" && (well === value || well.includes(value));
  return isWell ? { name, value, verdict: "ok" } : { name, value, verdict: "warning", advice };
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
