/** The same data in three forms, of which none loses anything. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { makePlan } from "../../dist/suite/plan.js";
import { namedDataset } from "../../src/catalog/dataset.ts";
import { loadSchema } from "../../src/catalog/load-dataset.ts";
import { Registry } from "../../src/catalog/registry.ts";
import flatbuffers from "../../src/codecs/flatbuffers/index.ts";
import rawStruct from "../../src/codecs/raw-struct/index.ts";
import { UsageError } from "../../src/model/errors.ts";
import { messageOf } from "../../src/model/schema.ts";
import { always, field, list, optional, packedList, schemaOf, textMap } from "../../src/schema/declare.ts";
import { conform } from "../../src/schema/values/conform.ts";
import { int64Forms } from "../../src/suite/int64-forms.ts";
import { expectCarried } from "../codecs/carried.ts";

const inner = {
  name: "t.Inner",
  fields: [field(1, "at", "sfixed64", optional), field(2, "n", "int32", always)],
};
const root = {
  name: "t.Root",
  fields: [
    field(1, "id", "uint64", always),
    field(2, "ids", "int64", packedList),
    field(3, "by", "sint64", textMap),
    field(4, "inner", inner, list),
    field(5, "name", "string", always),
  ],
};
const schema = schemaOf("t", [root, inner]);
const value = { id: 1, ids: [-1, 2], by: { a: 0, __x: 5 }, inner: [{ at: 7, n: 1 }, { n: 2 }], name: "n" };
const dataset = (given: object, int64: "number" | "bigint") => ({
  name: "own",
  schema,
  values: [conform(schema, given, { form: "plain", int64 }).value],
  int64,
});

describe("forms of 64-bit integers", () => {
  it("are numbers, bigints and text, in fields of every kind", () => {
    const [number, bigint, text] = int64Forms(dataset(value, "number"));
    expect(number?.values).toEqual([value]);
    expect(bigint?.values).toEqual([
      { ...value, id: 1n, ids: [-1n, 2n], by: { a: 0n, __x: 5n }, inner: [{ at: 7n, n: 1 }, { n: 2 }] },
    ]);
    expect(text?.values).toEqual([
      { ...value, id: "1", ids: ["-1", "2"], by: { a: "0", __x: "5" }, inner: [{ at: "7", n: 1 }, { n: 2 }] },
    ]);
    for (const form of [number!, bigint!, text!]) {
      for (const one of form.values)
        expect(conform(form.schema, one, { form: "plain", int64: form.int64 }).value).toEqual(one);
    }
    expect([number, bigint, text].map((form) => form?.name)).toEqual([
      "own as number",
      "own as bigint",
      "own as text",
    ]);
  });

  it("keep a default, as text, and how many elements a list has", () => {
    const fields = [
      { ...field(1, "id", "int64", optional), default: 5n },
      field(2, "ids", "int64", { kind: "list", packed: true, length: 2 }),
    ];
    const own = schemaOf("t", [{ name: "t.M", fields }]);
    const [text] = int64Forms({ name: "own", schema: own, values: [{ ids: [1, 2] }], int64: "number" }).slice(
      -1,
    );
    expect(messageOf(text!.schema, "t.M").fields).toMatchObject([
      { type: { scalar: "string" }, default: "5" },
      { type: { scalar: "string" }, repetition: { kind: "list", packed: false, length: 2 } },
    ]);
  });

  it.each([
    [
      "a C header",
      "own.h",
      "#include <stdint.h>\nstruct own { int64_t ids[2]; };",
      { ids: [1, 2] },
      rawStruct,
    ],
    [
      "FlatBuffers",
      "own.fbs",
      "struct P { x:long; } table own { p:P; } root_type own;",
      { p: { x: 1 } },
      flatbuffers,
    ],
  ])("as text are laid out anew where %s prescribes a layout", async (_, name, source, given, codec) => {
    const folder = mkdtempSync(path.join(tmpdir(), "wirebench-int64-"));
    const file = path.join(folder, name);
    writeFileSync(file, source);
    const own = loadSchema(file);
    rmSync(folder, { recursive: true });
    const values = [conform(own, given, { form: "plain", int64: "number" }).value];
    for (const form of int64Forms({ name: "own", schema: own, values, int64: "number" }))
      await expectCarried(codec, form);
  });

  it("lack numbers where one is not safe", () => {
    const large = dataset({ ...value, id: 2n ** 63n }, "bigint");
    expect(int64Forms(large).map(({ name }) => name)).toEqual(["own as bigint", "own as text"]);
  });

  it("are refused for data without any", async () => {
    const registry = await Registry.open([]);
    const garden = await namedDataset(registry, "packet");
    const other = {
      ...garden,
      schema: schemaOf("t", [{ name: "t.M", fields: [field(1, "a", "int32", always)] }]),
    };
    expect(() => int64Forms(other)).toThrow(UsageError);
  });

  it("are what a study measures", async () => {
    const plan = await makePlan({ study: "int64", datasets: ["speed-small"], codecs: ["json"] });
    expect([...new Set(plan.pairs.map(({ dataset: { name } }) => name))]).toEqual([
      "speed-small as bigint",
      "speed-small as text",
    ]);
    const twice = makePlan({ study: "int64", datasets: ["speed-small"], int64: "bigint" });
    await expect(twice).rejects.toThrow("it has 64-bit integers of every type");
  });
});
