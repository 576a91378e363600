import type { Encoded } from "../model/codec.ts";
import { defineOperation } from "../model/operation.ts";
import { expectChecksum } from "../model/proof.ts";

export default defineOperation<Encoded, number>({
  summary: "visits every field from bytes without making the value",
  part: false,
  prepare: ({ binding, values, encoded, checksum }) => ({
    inputs: encoded,
    run: (bytes) => binding.access(bytes),
    fold: (sum) => sum,
    check: (sum, index) => {
      const value = values[index];
      expectChecksum("access", value === undefined ? undefined : checksum(value), sum);
    },
  }),
});
