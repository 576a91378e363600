/** What a record has beside time on a core: time by the clock, processor time of all threads, preemption, and slow cores. */
import type { Nanos } from "../model/records/run.ts";
import { mean, median } from "./statistics/location.ts";
import { between, type Levels } from "./statistics/modes.ts";

/** Median over processes of a figure that not all of them have; undefined where none has it. */
function middle(figures: readonly (number | null)[] | undefined): number | undefined {
  const known = figures?.filter((figure) => figure !== null) ?? [];
  return known.length === 0 ? undefined : median(known);
}

/** Nanoseconds of a call by the clock; undefined where that is what it is timed by. */
export function wallNanos({ wall }: Nanos): number | undefined {
  return middle(wall);
}

/** Nanoseconds of processor time that a call takes on all threads of the process; undefined where that is not told. */
export function allThreadsNanos({ allThreads }: Nanos): number | undefined {
  return middle(allThreads);
}

/** How much more all threads take than the calling one, from where on it is said. */
const NOTICEABLE = 1.15;

/** Whether the time per call was steady in half of the processes or more. */
export function isMostlySteady({ warmUp }: Nanos): boolean {
  return 2 * warmUp.filter((verdict) => verdict === "steady").length >= warmUp.length;
}

/**
 * What all threads take as a multiple of what the calling one takes, where that is noticeably more: above 1.15 in the median of the
 * processes, and in three quarters of them. Undefined for what is mostly not steady: V8 still compiles it, on other threads.
 */
export function threadsRatio(nanos: Nanos): number | undefined {
  const { allThreads, processes } = nanos;
  if (!isMostlySteady(nanos)) return undefined;
  const ratios = (allThreads ?? []).flatMap((all, i) => (all === null ? [] : [all / processes[i]!]));
  const above = ratios.filter((ratio) => ratio > NOTICEABLE).length;
  if (ratios.length === 0 || above < 0.75 * ratios.length) return undefined;
  const ratio = median(ratios);
  return ratio > NOTICEABLE ? ratio : undefined;
}

/** Share of the batches of a process from where on preemption is seen. */
const PREEMPTED = 0.05;

/** Whether the thread had to wait for a core in more than a twentieth of the batches of half of the processes. */
export function isPreempted({ preempted }: Nanos): boolean {
  return (middle(preempted) ?? 0) > PREEMPTED;
}

/** Share of the batches beside which the core was slow: the mean over processes; undefined where nothing tells it. */
export function slowedShare({ slowed }: Nanos): number | undefined {
  const known = slowed?.filter((share) => share !== null) ?? [];
  return known.length === 0 ? undefined : mean(known);
}

/**
 * Nanoseconds of a call by the middle batch: the median over processes of the medians of their batches. Of few batches it leaves out what happens
 * in them: that another process took the caches, and that garbage was collected.
 */
export function batchMedian({ batches, loops }: Nanos): number {
  return median(batches.map((of, process) => Math.max(median(of) - loops[process]!, 0)));
}

/** Nanoseconds per call of the other threads, at the lower level and at the upper one; undefined where that is not told. */
export function othersByLevel({
  allThreads,
  processes,
  levels,
}: Nanos): readonly [number, number] | undefined {
  if (allThreads === undefined || levels === undefined) return undefined;
  const bound = between(levels as Levels);
  const others = processes.flatMap((nanos, i) => {
    const all = allThreads[i];
    return all === null || all === undefined
      ? []
      : [{ isUpper: nanos > bound, others: Math.max(all - nanos, 0) }];
  });
  const at = (isUpper: boolean): number[] =>
    others.filter((one) => one.isUpper === isUpper).map((one) => one.others);
  const [lower, upper] = [at(false), at(true)];
  return lower.length === 0 || upper.length === 0 ? undefined : [mean(lower), mean(upper)];
}
