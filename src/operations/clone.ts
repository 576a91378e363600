import { defineOperation } from "../model/operation.ts";
import { expectValue } from "../model/proof.ts";
import type { Value } from "../model/value.ts";

/**
 * What sending a value in place of bytes takes: both halves of what a message port does, without the port, in one thread. Any runtime
 * has it, and no other thread is waited for.
 */
export default defineOperation<Value, Value>({
  summary: "structuredClone of a value",
  part: false,
  optional: true,
  prepare: ({ binding, values, encoded, probe }) => ({
    inputs: encoded.map((bytes) => binding.plain(binding.read(bytes))),
    run: (value) => structuredClone(value),
    fold: probe,
    check: (result, index) => expectValue(values[index], result),
  }),
});
