import type { Encoded } from "../model/codec.ts";
import { defineOperation } from "../model/operation.ts";
import { expectValue } from "../model/proof.ts";

export default defineOperation<Encoded, unknown>({
  summary: "bytes to the library's message",
  part: true,
  prepare: ({ binding, values, encoded }) => ({
    inputs: encoded,
    run: (bytes) => binding.read(bytes),
    fold: () => 1,
    check: (message, index) => expectValue(values[index], binding.plain(message)),
  }),
});
