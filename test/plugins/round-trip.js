// An operation of the user's own: a value to bytes and back.
import { defineOperation, firstDifference, VerificationError } from "wirebench";

export default defineOperation({
  summary: "a plain value to bytes and back",
  part: false,
  prepare: ({ binding, values, probe }) => ({
    inputs: values,
    run: (value) => binding.plain(binding.read(binding.write(binding.build(value)))),
    fold: probe,
    check: (result, index) => {
      const difference = firstDifference(values[index], result);
      if (difference !== undefined) throw new VerificationError(difference);
    },
  }),
});
