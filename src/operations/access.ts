import type { Encoded } from "../model/codec.ts";
import { VerificationError } from "../model/errors.ts";
import { defineOperation } from "../model/operation.ts";

export default defineOperation<Encoded, number>({
  summary: "visits every field from bytes without making the value",
  part: false,
  prepare: ({ binding, values, encoded, checksum }) => ({
    inputs: encoded,
    run: (bytes) => binding.access(bytes),
    fold: (sum) => sum,
    check: (sum, index) => {
      const value = values[index];
      const expected = value === undefined ? undefined : checksum(value);
      if (sum !== expected) {
        throw new VerificationError(`access: expected the checksum ${expected}, got ${sum}`);
      }
    },
  }),
});
