import { describe, expect, it } from "vitest";
import { Registry } from "../../src/catalog/registry.ts";
import { UnsupportedError } from "../../src/model/errors.ts";
import type { Field } from "../../src/model/schema.ts";
import { firstDifference } from "../../src/model/value.ts";
import { decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";
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
      "u: 9223372036854775808n is no abstract:long in Avro",
      [{ name: "u", type: of("uint64"), repetition: single("always") }],
      { u: 2n ** 63n },
      "bigint",
    ],
    [
      "e: nothing is no enum in Avro",
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
