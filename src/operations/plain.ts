import { UnsupportedError } from "../model/errors.ts";
import { defineOperation } from "../model/operation.ts";
import { expectValue } from "../model/proof.ts";
import type { Value } from "../model/value.ts";

export default defineOperation<unknown, Value>({
  summary: "the library's message to a plain value with every field",
  part: true,
  prepare: ({ binding, values, encoded, probe }) => {
    if (binding.direct.plain)
      throw new UnsupportedError("the library gives plain values: decode is all read");
    return {
      inputs: encoded.map((bytes) => binding.read(bytes)),
      run: (message) => binding.plain(message),
      fold: probe,
      check: (value, index) => expectValue(values[index], value),
    };
  },
});
