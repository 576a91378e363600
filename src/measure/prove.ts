import type { CodecVariant } from "../model/codec.ts";
import { sameEncoded } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { VerificationError } from "../model/errors.ts";
import type { Task } from "../model/operation.ts";
import { firstDifference, type Value } from "../model/value.ts";
import { callersMemory } from "../schema/into-memory.ts";
import { decodeTrusted } from "../schema/values/transcode.ts";
import { type BindOptions, BoundCodec } from "./bound-codec.ts";
import { proveNoCache, ROOM } from "./caches.ts";

/**
 * Proves a codec on every value: what comes back equals what went in, `access` reads every field, and no result, encoded
 * or decoded, is overwritten by a later call. Comes after all timing, for it calls everything.
 * Throws UnsupportedError for what the codec says that it cannot carry, and VerificationError for data lost or changed.
 * @param onStep is called between steps
 */
export function prove(codec: BoundCodec, onStep: () => void): void {
  const { binding, values, encoded, kept, checksum } = codec;
  if (!encoded.every((message, index) => sameEncoded(message, kept[index]!))) {
    throw new VerificationError("an encoded message was overwritten by a later call");
  }
  const decoded = encoded.map((message, index) => {
    const result = decodeTrusted(binding, message);
    onStep();
    expectEqual("round trip", values[index], result);
    onStep();
    const sum = binding.access(message);
    const expected = checksum(values[index]!);
    if (sum !== expected)
      throw new VerificationError(`access: expected the checksum ${expected}, got ${sum}`);
    onStep();
    return result;
  });
  decoded.forEach((result, index) => {
    onStep();
    expectEqual("a decoded value was overwritten by a later call", values[index], result);
  });
  proveInto(codec, onStep);
}

/** Bytes that no message is full of. */
const WRITTEN_OVER = [0x00, 0xff];

/** Proves that a codec which writes into memory of its caller's writes all of a message there, whatever was there before. */
function proveInto({ binding, values, encoded }: BoundCodec, onStep: () => void): void {
  const { into } = binding;
  if (into === undefined) return;
  for (const [index, value] of values.entries()) {
    const message = encoded[index] as Uint8Array;
    const memory = callersMemory(2 * message.length + ROOM);
    for (const byte of WRITTEN_OVER) {
      const written = into(value, memory.fill(byte));
      onStep();
      if (written === undefined || written.buffer !== memory.buffer)
        throw new VerificationError("into: expected the message in the memory that it was given");
      if (!sameEncoded(written, message)) throw new VerificationError("into: it writes another message");
    }
  }
}

/**
 * Binds a codec and proves it at once, where nothing is timed in the same process. Throws as {@link prove} and
 * {@link proveNoCache} do.
 */
export async function provenBinding(
  codec: Pick<CodecVariant, "bind" | "schemaless">,
  dataset: Dataset,
  options: Pick<BindOptions, "most"> = {},
): Promise<BoundCodec> {
  const bound = await BoundCodec.of(codec, dataset, options);
  prove(bound, () => {});
  proveNoCache(bound, () => {});
  return bound;
}

/**
 * Calls a task again on each of its inputs, once everything is timed: the results are right, and fold to what those of
 * the timed calls were held against. Throws VerificationError.
 * @param folds those of the task's first results; undefined where it has none
 */
export function proveTimed(task: Task, folds: Int32Array | undefined, onStep: () => void): void {
  for (const [index, input] of task.inputs.entries()) {
    const result = task.run(input);
    onStep();
    task.check(result, index);
    const fold = task.fold(result) | 0;
    if (folds !== undefined && fold !== folds[index]) {
      throw new VerificationError(`the timed calls' results fold to ${folds[index]}, a right one to ${fold}`);
    }
    onStep();
  }
}

/** Passes on calls, one a second at most. */
export function everySecond(now: () => number, call: () => void): () => void {
  let last = now();
  return () => {
    if (now() - last < 1000) return;
    last = now();
    call();
  };
}

function expectEqual(what: string, expected: Value | undefined, result: Value): void {
  const difference = firstDifference(expected, result);
  if (difference !== undefined) throw new VerificationError(`${what}: ${difference}`);
}
