import type { Encoded } from "../model/codec.ts";
import { UnsupportedError } from "../model/errors.ts";
import { defineOperation } from "../model/operation.ts";
import { expectValue } from "../model/proof.ts";
import type { Value } from "../model/value.ts";

/** A message that is sent away and comes back. */
interface Sent {
  message: Encoded;
}

/**
 * Transfer of the bytes to a worker thread, and structured clone of the value back. The time on a core is what the thread that sends and
 * receives is busy for; that by the clock is the round trip.
 */
export default defineOperation<Sent, Value>({
  summary: "decode by a worker",
  part: false,
  optional: true,
  prepare: ({ thread, values, encoded, probe }) => {
    if (thread === undefined) throw new UnsupportedError("this runtime has no worker that can be waited for");
    const worker = thread();
    return {
      inputs: encoded.map((message) => ({ message: alone(message) })),
      run: (sent) => {
        const { value, message } = worker.decode(sent.message);
        sent.message = message;
        return value;
      },
      fold: probe,
      check: (result, index) => expectValue(values[index], result),
    };
  },
});

/** In a buffer of its own, which can be transferred. */
function alone(message: Encoded): Encoded {
  return typeof message === "string" ? message : new Uint8Array(message);
}
