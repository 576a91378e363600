import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { inferDataset } from "../../src/catalog/infer-dataset.ts";
import { Registry } from "../../src/catalog/registry.ts";
import { UnsupportedError } from "../../src/model/errors.ts";
import type { Field } from "../../src/model/schema.ts";
import { firstDifference } from "../../src/model/value.ts";
import { emitAvro } from "../../src/schema/emit/avro.ts";
import { decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { itWith, pythonWithPeers } from "../references.ts";
import { enumType, list, mapOf, of, ofEnum, schemaOf, single } from "../schema/schema-of.ts";
import { datasetOf } from "./dataset.ts";

const codec = await (await Registry.open()).codec("avsc");

async function expectBack(
  fields: readonly Partial<Field>[],
  value: object,
  int64: "number" | "bigint" = "number",
) {
  const dataset = datasetOf(
    schemaOf("a", fields, { enums: [enumType("a.E", { A: 0, "B-1": 5 }, false)] }),
    [value],
    int64,
  );
  const binding = await codec.bind(dataset);
  const bytes = encodeValue(binding, dataset.values[0]!);
  expect(
    firstDifference(dataset.values[0], decodeUntrusted("avsc", binding, dataset, bytes)),
  ).toBeUndefined();
  return Buffer.from(bytes as Uint8Array).toString("hex");
}

describe("avsc", () => {
  it.each([-(2 ** 52), -(2 ** 52) - 1, 1 - 2 ** 53, 2 ** 53 - 2, 2 ** 53 - 1])(
    "carries %i, of which its own longs lose some",
    async (number) => {
      await expectBack(
        [
          { name: "n", type: of("int64") },
          { name: "u", type: of("uint32") },
        ],
        { n: number, u: 4294967295 },
      );
    },
  );

  it("writes absent fields as null, enums as indexes, and integers without a sign as longs", async () => {
    const fields = [
      { name: "e", type: ofEnum("a.E"), repetition: single("always") },
      { name: "u", type: of("uint64"), repetition: single("always") },
      { name: "o", type: of("bytes") },
    ];
    expect(await expectBack(fields, { e: 5, u: 3 })).toBe("020600");
    expect(await expectBack(fields, { e: 0, u: 3n, o: new Uint8Array([255]) }, "bigint")).toBe("00060202ff");
  });

  it.each<[reason: string, fields: readonly Partial<Field>[], value: object, int64?: "bigint"]>([
    ["avsc: field a.M.a-b: a name in Avro has letters, digits and underscores only", [{ name: "a-b" }], {}],
    [
      "avsc: field a.M.toString: where it is absent, avsc writes what every object inherits",
      [{ name: "toString" }],
      {},
    ],
    [
      "u: 9223372036854775808n is outside Avro's long",
      [{ name: "u", type: of("uint64"), repetition: single("always") }],
      { u: 2n ** 63n },
      "bigint",
    ],
    [
      "o: 9223372036854775808n is outside Avro's long",
      [{ name: "o", type: of("uint64") }],
      { o: 2n ** 63n },
      "bigint",
    ],
    [
      "l[1]: 9223372036854775808n is outside Avro's long",
      [{ name: "l", type: of("uint64"), repetition: list }],
      { l: [1n, 2n ** 63n] },
      "bigint",
    ],
    ["o: 4 has no name, and Avro's enums have names only", [{ name: "o", type: ofEnum("a.E") }], { o: 4 }],
    [
      "e: 4 has no name, and Avro's enums have names only",
      [{ name: "e", type: ofEnum("a.E"), repetition: single("always") }],
      { e: 4 },
    ],
    [
      "m.__proto__: avsc would set a prototype by this key",
      [{ name: "m", repetition: mapOf("string") }],
      { m: { ["__proto__"]: 1 } },
    ],
  ])("%s", async (reason, fields, value, int64) => {
    await expect(expectBack(fields, value, int64)).rejects.toThrow(new UnsupportedError(reason));
  });

  it("writes more than its buffer of 1 KiB", async () => {
    await expectBack([{ name: "l", type: of("string"), repetition: list }], {
      l: Array.from({ length: 500 }, (_, i) => `text ${i}`),
    });
  });
});

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-avro-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const READ = `
import fastavro, io, json, sys
job = json.load(sys.stdin)
data = io.BytesIO(bytes.fromhex(job["hex"]))
value = fastavro.schemaless_reader(data, fastavro.parse_schema(job["schema"]))
print(json.dumps({"value": value, "rest": len(data.read())}))`;

const python = pythonWithPeers();

/** Documents, and what the printed schema reads where that is another value: which kind it is, and null where it is none. */
const DOCUMENTS: readonly [what: string, document: unknown, read?: unknown][] = [
  ["lists in lists", { a: [[1, 2], [3]], b: [[["x"]], [[]]] }],
  ["a root that is a list", [{ a: 1 }, { a: 2 }]],
  ["nulls in lists", { a: [1, null], b: [[null, "x"], [null]] }],
  ["integers without a sign", { a: [1, 2 ** 32], b: 2 ** 53 - 1 }],
  [
    "several kinds",
    { a: [1, "x", { k: 1 }], b: [{ c: true }, { c: "y" }] },
    {
      a: [
        { number: 1, text: null, object: null },
        { number: null, text: "x", object: null },
        { number: null, text: null, object: { k: 1 } },
      ],
      b: [{ c: { bool_value: true, text: null } }, { c: { bool_value: null, text: "y" } }],
    },
  ],
  ["a tree of lists", [[[1]], [[2], []]]],
  ["maps", { m: { 1: [[1]], 2: [] } }],
];

itWith(python).each(DOCUMENTS)(
  "the printed schema is that of its bytes: %s",
  async (what, document, read = document) => {
    const file = path.join(folder, `${what}.json`);
    writeFileSync(file, JSON.stringify(document));
    const dataset = await inferDataset({ data: file, as: "one" });
    const bytes = encodeValue(await codec.bind(dataset), dataset.values[0]!);
    const job = {
      schema: JSON.parse(emitAvro(dataset.schema)),
      hex: Buffer.from(bytes as Uint8Array).toString("hex"),
    };
    const output = execFileSync(python.program!, ["-c", READ], {
      input: JSON.stringify(job),
      encoding: "utf8",
    });
    expect(JSON.parse(output)).toEqual({ value: read, rest: 0 });
  },
);
