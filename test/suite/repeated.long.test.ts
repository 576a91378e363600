/** The same data in larger and larger messages, of which each is right for every codec. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makePlan } from "../../dist/suite/plan.js";
import { runPlan } from "../../dist/suite/run.js";
import { namedDataset, ownDataset } from "../../src/catalog/dataset.ts";
import { inferDataset } from "../../src/catalog/infer-dataset.ts";
import { loadSchema } from "../../src/catalog/load-dataset.ts";
import { Registry } from "../../src/catalog/registry.ts";
import { provenBinding } from "../../src/measure/prove.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { renderMarkdown } from "../../src/reports/run/markdown.ts";
import { renderText } from "../../src/reports/run/text.ts";
import { field, list, optional, schemaOf } from "../../src/schema/declare.ts";
import { conformAll } from "../../src/schema/values/conform.ts";
import type { Plan } from "../../src/suite/plan.ts";
import { MOST_JSON, repeatedDatasets } from "../../src/suite/repeated.ts";
import type { Selection } from "../../src/suite/selection.ts";

const root = { name: "t.Root", fields: [field(1, "text", "string", optional)] };
const own = (values: Dataset["values"], schema = schemaOf("t", [root])): Dataset => ({
  name: "own",
  schema,
  values,
  int64: "number",
});
const text = (length: number) => ({ text: "x".repeat(length) });

describe("repeated data", () => {
  it.each([
    ["short values", 90, [1, 8, 64, 512, 4096, 39_603]],
    ["one that is large already", 3_000_000, [1]],
    ["one beyond the limit", 2 * MOST_JSON, [1]],
  ])("is in messages of more and more values: %s", (_, length, counts) => {
    const datasets = repeatedDatasets(own([text(length)]));
    expect(datasets.map(({ name }) => name)).toEqual(counts.map((count) => `own x ${count}`));
    for (const [i, { schema, values }] of datasets.entries()) {
      expect(values).toHaveLength(1);
      expect((values[0] as { values: unknown[] }).values).toHaveLength(counts[i]!);
      expect(conformAll(schema, values, { form: "plain", int64: "number" }).values).toEqual(values);
    }
  });

  it("has its values in turns, none of them twice the same object", () => {
    const [, second] = repeatedDatasets(own([text(1), text(2), text(3)]));
    const { values } = second!.values[0] as { values: { text: string }[] };
    expect(values.map((one) => one.text.length)).toEqual([1, 2, 3, 1, 2, 3, 1, 2]);
    expect(new Set(values).size).toBe(values.length);
  });

  it("has a root that no type of the schema is called", () => {
    const taken = { name: "t.Values", fields: [field(1, "values", "string", list)] };
    const [first] = repeatedDatasets(own([{ values: ["a"] }], schemaOf("t", [taken])));
    expect(first!.schema.root).toBe("t.Values_");
    expect(first!.values).toEqual([{ values: [{ values: ["a"] }] }]);
  });
});

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-repeated-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("repeated data of every kind", () => {
  const registry = Registry.open();

  it.each(["garden", "schemas/packet-small.fbs", "schemas/packet-small.capnp", "schemas/packet-small.h"])(
    "is carried by the codecs that carry the data: %s",
    async (name) => {
      const file = name.includes("/");
      const base = await namedDataset(await registry, file ? "packet-small" : name);
      const { schema, values } = file ? { ...base, schema: loadSchema(name) } : base;
      const dataset = ownDataset({ name, schema, values: values.slice(0, 2), int64: base.int64 });
      const repeated = repeatedDatasets(dataset)[1]!;
      for (const codec of await (await registry).selectCodecs(["*"])) {
        const loaded = await (await registry).codec(codec);
        const carries = await provenBinding(loaded, dataset).then(
          () => true,
          () => false,
        );
        if (carries) await expect(provenBinding(loaded, repeated), codec).resolves.toBeDefined();
      }
    },
  );

  it.each<[string, readonly unknown[]]>([
    [
      "objects",
      [
        { id: 1, tags: ["a"] },
        { id: 2, when: null },
      ],
    ],
    ["lists", [[1, 2], [3]]],
    ["objects without anything", [{}, {}]],
  ])("is documents where the data is: %s", async (_, documents) => {
    const data = path.join(folder, "own.ndjson");
    writeFileSync(data, documents.map((document) => `${JSON.stringify(document)}\n`).join(""));
    const inferred = await inferDataset({ data });
    for (const dataset of repeatedDatasets(inferred).slice(0, 2))
      expect(() => ownDataset(dataset)).not.toThrow();
  });
});

/** One short process of each pair: only the shape is looked at. */
async function shortPlan(selection: Selection): Promise<Plan> {
  const plan = await makePlan({ ...selection, study: "stall", profile: "quick" });
  const pairs = plan.pairs.filter(
    ({ twinOf, dataset }) => twinOf === undefined && / x [18]$/.test(dataset.name),
  );
  return { ...plan, pairs, profile: { ...plan.profile, processes: 1, warmupMs: 2, measureMs: 2 } };
}

describe("a study of stalls", () => {
  it.each<Selection>([{ operations: ["decode"] }, { parts: true }])("refuses %j", async (selection) => {
    await expect(makePlan({ ...selection, study: "stall" })).rejects.toThrow("it has operations of its own");
  });

  it("runs, in a worker too, and its report has the answer", async () => {
    // Text, views on the bytes, Buffers, a codec without a page, and one that generates code.
    const codecs = ["json", "json:string", "msgpackr", "protobufjs", "v8"];
    const record = await runPlan(await shortPlan({ codecs, datasets: ["packet-small"] }), {});
    expect(record.cells.map(({ status, reason }) => reason ?? status)).toEqual(
      record.cells.map(() => "measured"),
    );
    expect([...new Set(record.cells.map(({ operation }) => operation))]).toEqual([
      "decode",
      "clone",
      "worker",
    ]);
    expect(renderMarkdown(record)).toContain("## Stalls");
    expect(renderText(record)).toContain(
      "packet-small: from which size a worker keeps the main thread less busy",
    );
  });

  it("says of a codec that fails in the worker what it fails with", async () => {
    const plan = await shortPlan({
      codecs: ["main-thread-only"],
      datasets: ["packet-small"],
      plugins: ["test/plugins/main-thread-only.js"],
    });
    const record = await runPlan(plan, {});
    const reasons = record.cells.map(({ operation, reason }) => [operation, reason]);
    expect(reasons).toContainEqual(["decode", undefined]);
    expect(reasons).toContainEqual(["worker", "in a worker thread: Error: it is of the main thread"]);
  });
});
