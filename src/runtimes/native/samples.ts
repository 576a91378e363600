/** From what a reference program says of an operation to what any measuring process says of it. */
import { median, stretchesOf } from "../../analysis/statistics/location.ts";
import { steadyTime, warmUpVerdict } from "../../analysis/statistics/warm-up.ts";
import { areEnough, fullSpeedOf, slowdownBetween } from "../../measure/core-speed.ts";
import type { Measured } from "../../measure/job.ts";
import type { Samples } from "../../measure/sampler.ts";
import { VerificationError } from "../../model/errors.ts";
import type { NativeMeasured } from "./conversation.ts";

/**
 * Throws VerificationError where figures are missing, and where the sum of all timed calls is not what the first results
 * fold to.
 * @param inputs of the ring
 */
export function expectSound(measured: NativeMeasured, inputs: number): void {
  const { operation, core, wall, probes, folds, calls, sum, batchCalls, warmUp } = measured;
  const expect = (what: string, holds: boolean): void => {
    if (!holds) throw new VerificationError(`${operation}: ${what}`);
  };
  expect("expected batches, got none", core.length > 0 && batchCalls >= 1);
  expect("expected a time of each batch by both clocks", core.length === wall.length);
  expect(
    "expected a probe before the first batch and after each",
    (probes ?? core).length - core.length === (probes ? 1 : 0),
  );
  expect(
    "expected times above 0",
    [...core, ...wall, ...(probes ?? []), ...warmUp.core].every((nanos) => nanos > 0),
  );
  expect("expected the calls of each batch of the warm-up", warmUp.calls.length === warmUp.core.length);
  const timed = core.length * batchCalls + warmUp.calls.reduce((total, count) => total + count, 0);
  expect(`expected ${timed} calls in its batches, got ${calls}`, timed === calls);
  expect(`expected ${inputs} folds, got ${folds.length}`, folds.length === inputs);
  const rounds = Math.floor(calls / inputs);
  const whole = folds.reduce((total, fold) => (total + Math.imul(fold, rounds)) | 0, 0);
  const expected = folds.slice(0, calls % inputs).reduce((total, fold) => (total + fold) | 0, whole);
  expect(`checksum: the timed calls' results fold to ${sum}, expected ${expected}`, sum === expected);
}

/** Nanoseconds of a turn of its fixed work at the full speed that it saw; undefined where it has none. */
export function turnNanosOf({ probes, turns }: NativeMeasured): number | undefined {
  return probes === undefined || turns === undefined ? undefined : fullSpeedOf(probes) / turns;
}

/**
 * The figures of an operation. Batches beside which the core was slow are left out, or all are scaled where too few others are left.
 * @param usual nanoseconds of a turn at full speed, as processes before it found
 * @param startNanos what it took until the program said hello
 */
export function measuredBy(
  measured: NativeMeasured,
  usual: number | undefined,
  startNanos: number,
): Measured {
  const { batchCalls, core, wall, probes, turns, loop, first, warmUp } = measured;
  const turn = usual ?? turnNanosOf(measured);
  const slowdowns = core.map((_, i) =>
    probes === undefined || turn === undefined || turns === undefined
      ? undefined
      : slowdownBetween(probes[i]!, probes[i + 1]!, turn * turns),
  );
  const all = core.map((nanos, i) => ({ nanos, wall: wall[i]!, slowdown: slowdowns[i] }));
  const fast = all.filter(({ slowdown }) => slowdown === undefined);
  const scaled = !areEnough(
    fast.map(({ nanos }) => nanos / 1e6),
    all.length,
  );
  const counted = scaled ? all : fast;
  const batches = counted.map(({ nanos, slowdown = 1 }) => perCall(nanos / slowdown, batchCalls));
  const byClock = counted.map((batch) => batch.wall / batchCalls);
  const samples: Samples = {
    batches,
    batchCalls,
    loop,
    wall: Math.round(median(stretchesOf(byClock, loop)) * 100) / 100,
    ...(probes === undefined ? {} : { slowed: Math.round((1 - fast.length / all.length) * 1e4) / 1e4 }),
    ...(scaled ? { scaled: true as const } : {}),
  };
  const warm = warmUp.core.map((nanos, i) => ({ elapsedMs: nanos / 1e6, nanos: nanos / warmUp.calls[i]! }));
  return {
    samples,
    warmUp: warmUpVerdict(batches),
    start: {
      importNanos: Math.round(startNanos),
      bindNanos: 0,
      firstCallNanos: Math.round(first),
      steadyNanos: steadyTime(warm, median(batches)),
    },
  };
}

function perCall(nanos: number, calls: number): number {
  return Math.round((nanos / calls) * 100) / 100;
}
