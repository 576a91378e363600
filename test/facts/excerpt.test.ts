/** Large data is cut to a value of the same schema. */
import { expect, it } from "vitest";
import { namedDataset } from "../../src/catalog/dataset.ts";
import { Registry } from "../../src/catalog/registry.ts";
import { excerptOf } from "../../src/facts/excerpt.ts";
import { walk } from "../../src/model/value.ts";
import { conform } from "../../src/schema/values/conform.ts";

const registry = await Registry.open([]);

it.each(["cloud:2000", "frame:100000", "speed-large", "tellist:3700"])("%s", async (name) => {
  const dataset = await namedDataset(registry, name);
  const { schema, values, int64, bounds } = excerptOf(dataset);
  expect(values).toHaveLength(1);
  expect(bounds).toBe(dataset.values);
  expect(conform(schema, values[0], { form: "plain", int64 }).value).toEqual(values[0]);
  let count = 0;
  walk(values[0]!, (value) => {
    count += 1;
    if (typeof value === "string" || value instanceof Uint8Array)
      expect(value.length).toBeLessThanOrEqual(4096);
  });
  expect(count).toBeLessThan(1000);
});

it("leaves a small value as it is", async () => {
  const dataset = await namedDataset(registry, "garden");
  expect(excerptOf(dataset).values[0]).toBe(dataset.values[0]);
});
