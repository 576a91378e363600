/**
 * A process that runs the loops of a published method: each as it was published, over one value and timed as a whole. What it
 * calls is proven after that. It takes one job by its channel, and ends.
 */
import { namedDataset } from "../../catalog/dataset.ts";
import { Registry } from "../../catalog/registry.ts";
import { BoundCodec } from "../../measure/bound-codec.ts";
import type { Encoded } from "../../model/codec.ts";
import { refusal, VerificationError } from "../../model/errors.ts";
import type { ClassicRun } from "../../model/records/classic.ts";
import { firstDifference } from "../../model/value.ts";
import { showStack } from "../../runtimes/launch/stacks.ts";
import { encodeValue } from "../../schema/values/transcode.ts";
import type { LoopAnswer, LoopEnd, LoopJob, LoopOperation } from "./loop-job.ts";

/** Where results go, so that no call can be left out. */
export let sink: unknown;

/** Milliseconds after which a loop that ends by the clock looks at it. */
const GLANCE_MS = 10;

/** A loop, timed as a whole. */
function timed(call: () => unknown, end: LoopEnd): ClassicRun {
  const from = performance.now();
  if (end.kind === "calls") {
    for (let i = 0; i < end.calls; i++) sink = call();
    return { calls: end.calls, milliseconds: performance.now() - from };
  }
  const until = from + end.seconds * 1000;
  let calls = 0;
  if (end.clock === "each call") {
    while (performance.now() < until) {
      sink = call();
      calls += 1;
    }
    return { calls, milliseconds: performance.now() - from };
  }
  let now = from;
  for (let batch = 1; now < until; ) {
    for (let i = 0; i < batch; i++) sink = call();
    calls += batch;
    const before = now;
    now = performance.now();
    if (now - before < GLANCE_MS / 2) batch *= 2;
  }
  return { calls, milliseconds: now - from };
}

/** An empty loop has a turn and no call. */
function timedEmpty(end: LoopEnd): ClassicRun {
  return timed(() => undefined, end);
}

async function run({ codec, dataset, operations, repeats, end }: LoopJob): Promise<void> {
  const registry = await Registry.open();
  const bound = await BoundCodec.of(await registry.codec(codec), await namedDataset(registry, dataset));
  const { binding, checksum } = bound;
  const value = bound.values[0]!;
  const encoded: Encoded = encodeValue(binding, value);
  send({ bytes: typeof encoded === "string" ? Buffer.byteLength(encoded) : encoded.length });
  const calls: Readonly<Record<Exclude<LoopOperation, "empty">, () => unknown>> = {
    encode: () => encodeValue(binding, value),
    decode: () => binding.plain(binding.read(encoded)),
    access: () => binding.access(encoded),
  };
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const operation of operations) {
      // Nobody listens any more.
      if (!process.connected) process.exit(1);
      const done = operation === "empty" ? timedEmpty(end) : timed(calls[operation], end);
      send({ operation, run: done });
    }
  }
  const difference = firstDifference(value, binding.plain(binding.read(encodeValue(binding, value))));
  if (difference !== undefined) throw new VerificationError(`round trip: ${difference}`);
  if (operations.includes("access") && binding.access(encoded) !== checksum(value))
    throw new VerificationError("access: it read other values");
}

function send(answer: LoopAnswer): void {
  process.send?.(answer);
}

process.once("message", (job) => {
  run(job as LoopJob).then(
    () => process.send?.({ done: true }, () => process.exit()),
    (error: unknown) => {
      showStack(error);
      process.send?.({ refused: refusal(error) }, () => process.exit());
    },
  );
});
// Ctrl-C reaches the whole group; the coordinator decides what happens to its children.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
