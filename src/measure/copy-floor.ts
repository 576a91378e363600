import { median } from "../analysis/statistics/location.ts";
import { VerificationError } from "../model/errors.ts";
import { inBytes } from "../model/in-bytes.ts";
import type { Task } from "../model/operation.ts";
import type { Clock } from "./clock.ts";
import type { CoreSpeed } from "./core-speed.ts";
import type { Samples } from "./sampler.ts";

/** Bytes below which the call of a copy costs more than its bytes. */
const LEAST_BYTES = 256;

/**
 * Batches of copies, each of about so many bytes, and of so many steps of the clock where that is more; the fastest one counts, for
 * a neighbour only ever adds time.
 */
const BATCHES = { count: 20, bytes: 2 ** 18, steps: 200 };

/** Nanoseconds that a copy takes at least: those of its call, and those of a byte in the first cache. */
const LEAST_NANOS = { call: 20, byte: 0.01 };

/**
 * Proves that calls which make messages took as long, at least, as to copy the bytes that they gave. What is faster has
 * not written them. Throws VerificationError.
 * @param speed of the core, which may be slow now and was not beside the batches
 */
export function proveSlowerThanCopy(
  task: Task,
  { batches, loop }: Samples,
  clock: Clock,
  speed: CoreSpeed,
): void {
  if (task.makesBytes !== true) return;
  const message = task.run(task.inputs[0]);
  if (!(message instanceof Uint8Array) || message.length < LEAST_BYTES) return;
  const nanos = median(batches) - loop;
  const floor = copyNanos(message, clock, speed, nanos);
  if (nanos >= floor) return;
  throw new VerificationError(
    `${nanos.toFixed(1)} ns for ${inBytes(message.length)}: to copy them takes ${floor.toFixed(1)} ns, so they are not made anew`,
  );
}

/**
 * Least mean nanoseconds, at the core's full speed, of copying bytes to a place that is there already.
 * @param enough ends the search: a copy was as fast as that
 */
function copyNanos(bytes: Uint8Array, { now, stepNanos }: Clock, speed: CoreSpeed, enough: number): number {
  const to = new Uint8Array(bytes.length);
  const copy = Math.max(LEAST_NANOS.call, LEAST_NANOS.byte * bytes.length);
  const calls = Math.ceil(Math.max(BATCHES.bytes / bytes.length, (BATCHES.steps * stepNanos) / copy));
  let least = Number.POSITIVE_INFINITY;
  for (let batch = 0; batch < BATCHES.count && least > enough; batch++) {
    const from = now();
    for (let i = 0; i < calls; i++) to.set(bytes);
    const ms = now() - from;
    least = Math.min(least, ((ms / (speed.slowdown() ?? 1)) * 1e6) / calls);
  }
  return least;
}
