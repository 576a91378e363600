/** Prints what becomes of text that starts with a byte order mark, in a process with or without native code. */
import { isNativeAccelerationEnabled } from "msgpackr";
import msgpackr from "../../src/codecs/msgpackr.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { firstDifference, type Value } from "../../src/model/value.ts";
import { decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { mapOf, of, schemaOf } from "../schema/schema-of.ts";

const schema = schemaOf("p", [{ type: of("string") }, { repetition: mapOf("string") }]);
const dataset: Dataset = { name: "marks", schema, values: [], int64: "number" };
const mark = "\ufeff";
const long = "a".repeat(70);

async function outcome(run: () => string | Promise<string>): Promise<string> {
  try {
    return await run();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function carried(value: Value): Promise<string> {
  return outcome(async () => {
    const binding = await msgpackr.bind({ ...dataset, values: [value] });
    const decoded = decodeUntrusted("msgpackr", binding, dataset, encodeValue(binding, value));
    return firstDifference({ f2: {}, ...(value as object) }, decoded) ?? "carried";
  });
}

const rows = {
  "short text": await carried({ f1: `${mark}${"a".repeat(61)}`, f2: {} }),
  "long text": await carried({ f1: mark + long, f2: {} }),
  "long text elsewhere": await carried({ f1: long + mark, f2: {} }),
  "a long key": await carried({ f2: { [mark + long]: 1 } }),
  "from outside": await outcome(async () => {
    const binding = await msgpackr.bind(dataset);
    const bytes = Buffer.concat([Buffer.from("81a26631d949", "hex"), Buffer.from(mark + long)]);
    const decoded = decodeUntrusted("msgpackr", binding, dataset, bytes);
    return firstDifference({ f1: mark + long, f2: {} }, decoded) ?? "carried";
  }),
};
process.stdout.write(JSON.stringify({ native: isNativeAccelerationEnabled, rows }));
