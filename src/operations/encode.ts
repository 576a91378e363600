import type { Binding, Encoded } from "../model/codec.ts";
import { defineOperation } from "../model/operation.ts";
import { encodedProof } from "../model/proof.ts";
import type { Value } from "../model/value.ts";
import { callersMemory } from "../schema/into-memory.ts";

/** Bytes of the memory that a caller has at first. */
const CALLERS_BYTES = 65_536;

function encoder(binding: Binding): (value: Value) => Encoded {
  if (binding.into !== undefined) return intoMemory(binding, callersMemory(CALLERS_BYTES));
  return binding.direct.build
    ? (value) => binding.write(value)
    : (value) => binding.write(binding.build(value));
}

/** What a caller does who has memory of its own: it takes twice as much where a message has no room. */
function intoMemory(binding: Binding, memory: Uint8Array): (value: Value) => Encoded {
  let held = memory;
  return (value) => {
    for (;;) {
      const written = binding.into!(value, held);
      if (written !== undefined) return written;
      held = callersMemory(2 * held.length);
    }
  };
}

export default defineOperation<Value, Encoded>({
  summary: "a plain value to bytes: build and write",
  part: false,
  prepare: (context) => ({
    inputs: context.values,
    run: encoder(context.binding),
    makesBytes: true,
    ...encodedProof(context),
  }),
});
