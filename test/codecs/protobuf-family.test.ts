/** Libraries of protobuf read each other's bytes, which are the same where protobuf leaves no choice. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Registry } from "../../src/catalog/registry.ts";
import { type Binding, sameEncoded } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { UnsupportedError } from "../../src/model/errors.ts";
import { reachableMessages, type Schema } from "../../src/model/schema.ts";
import { firstDifference } from "../../src/model/value.ts";
import { decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { datasets } from "../arbitrary-schema.ts";
import { protoDatasets } from "../schema/arbitrary-proto.ts";
import { runs, SEED } from "../seed.ts";

const RUNS = runs(100);
const registry = await Registry.open();
const names = await registry.selectCodecs(["*"]);
const codecs = (await Promise.all(names.map((name) => registry.codec(name)))).filter(
  ({ format }) => format === "protobuf",
);

/** Whether pbf leaves zeros out that another reader waits for. */
function hasAlways(schema: Schema): boolean {
  return reachableMessages(schema).some(({ fields }) =>
    fields.some(({ repetition }) => repetition.kind === "one" && repetition.presence === "always"),
  );
}

async function bound(dataset: Dataset): Promise<Map<string, Binding>> {
  const bindings = new Map<string, Binding>();
  for (const codec of codecs) {
    try {
      bindings.set(codec.name, await codec.bind(dataset));
    } catch (error) {
      if (!(error instanceof UnsupportedError)) throw error;
    }
  }
  return bindings;
}

describe.each([
  ["any schema", datasets()],
  ["any schema of protobuf's", protoDatasets("family")],
])("of %s", (_, arbitrary) => {
  it("each library reads what each other writes", async () => {
    const pairs = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(arbitrary, async (dataset) => {
        const bindings = await bound(dataset);
        for (const [writer, from] of bindings) {
          const [value] = dataset.values;
          const bytes = encodeValue(from, value!);
          for (const [reader, to] of bindings) {
            if (writer === "pbf" && reader !== "pbf" && hasAlways(dataset.schema)) continue;
            const decoded = decodeUntrusted(reader, to, dataset, bytes);
            expect(firstDifference(value, decoded), `${reader} reads ${writer}`).toBeUndefined();
            pairs.set(`${writer} ${reader}`, (pairs.get(`${writer} ${reader}`) ?? 0) + 1);
          }
          const same = bindings.get("protobufjs");
          if (writer.startsWith("protobuf-es") && same !== undefined)
            expect(sameEncoded(bytes, encodeValue(same, value!)), writer).toBe(true);
        }
      }),
      { numRuns: RUNS, seed: SEED },
    );
    expect(pairs.get("protobufjs protobuf-es")).toBeGreaterThan(RUNS / 2);
    expect(pairs.get("protobufjs pbf")).toBeGreaterThan(0);
  });
});
