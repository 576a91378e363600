import type { Encoded } from "../model/codec.ts";
import { defineOperation } from "../model/operation.ts";
import { expectChecksum } from "../model/proof.ts";
import { selectedRead } from "../schema/generate/visit.ts";
import { pickSelection } from "../schema/selection.ts";

export default defineOperation<Encoded, number>({
  summary: "one field of one record: in place, or by decoding everything",
  part: false,
  optional: true,
  prepare: ({ schema, binding, values, canonical = values, encoded }) => {
    const { read, checksum } = selectedRead(schema, binding, pickSelection(schema, canonical));
    const expected = values.map(checksum);
    return {
      inputs: encoded,
      run: read,
      fold: (sum) => sum,
      check: (sum, index) => expectChecksum("pick", expected[index], sum),
    };
  },
});
