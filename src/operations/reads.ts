import type { Encoded } from "../model/codec.ts";
import { UnsupportedError, UsageError } from "../model/errors.ts";
import { defineOperation, type OperationDefinition } from "../model/operation.ts";
import { expectChecksum } from "../model/proof.ts";
import { selectedRead } from "../schema/generate/visit.ts";
import { recordsOf } from "../schema/selection.ts";

const FORM = "STEP:FIELDS, as in reads:4:2 for the first 2 fields of every 4th record";

export default defineOperation<Encoded, number>({
  summary: "some fields of some records, as in reads:4:2",
  part: false,
  optional: true,
  argument: { form: FORM, with: readsOf },
  prepare: () => {
    throw new UsageError(`operation "reads": expected reads:${FORM}`);
  },
});

/** Reads every `step`th record, or the first alone with a step of 0, and the first fields of each. */
function readsOf(argument: string): OperationDefinition {
  const name = `reads:${argument}`;
  const [, step = "", count = ""] = /^(\d{1,9}):(\d{1,9})$/.exec(argument) ?? [];
  if (step === "") throw new UsageError(`operation "${name}": expected reads:${FORM}`);
  return defineOperation<Encoded, number>({
    summary: `the first ${count} fields of ${step === "0" ? "the first record" : `every ${step}. record`}, from bytes`,
    part: false,
    optional: true,
    prepare: ({ schema, binding, values, encoded }) => {
      const { path, message } = recordsOf(schema);
      if (Number(count) > message.fields.length) {
        throw new UnsupportedError(
          `${message.name}: expected at most its ${message.fields.length} fields, got ${count}`,
        );
      }
      const fields = message.fields.slice(0, Number(count)).map((field) => field.name);
      const selection = { path, first: 0, step: Number(step), fields };
      const { read, checksum } = selectedRead(schema, binding, selection);
      const expected = values.map(checksum);
      return {
        inputs: encoded,
        inPlace: binding.reader !== undefined && binding.readsWhole !== true,
        run: read,
        fold: (sum) => sum,
        check: (sum, index) => expectChecksum(name, expected[index], sum),
      };
    },
  });
}
