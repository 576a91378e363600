import { serialize } from "node:v8";
import { describe, expect, it } from "vitest";
import v8 from "../../src/codecs/v8.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { firstDifference, type Value } from "../../src/model/value.ts";
import { decodeTrusted, decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { list, mapOf, of, ofMessage, schemaOf, single } from "../schema/schema-of.ts";
import { expectCarried as carried, hardDataset, refusalOf } from "./carried.ts";
import { datasetOf } from "./dataset.ts";

const expectCarried = (dataset: Dataset): Promise<void> => carried(v8, dataset);
const failure = (dataset: Dataset, bytes: Uint8Array): Promise<string> => refusalOf(v8, dataset, bytes);

describe("v8", () => {
  it("carries what other formats find hard", async () => {
    await expectCarried(hardDataset(JSON.parse('{"__proto__": 1, "": 2, "10": 3}')));
  });

  it("carries 64-bit integers as bigints", async () => {
    const schema = schemaOf("p", [
      { type: of("uint64"), repetition: list },
      { type: of("int64"), repetition: list },
    ]);
    const values = { f1: [0n, 1n, 2n ** 64n - 1n], f2: [-1n, -(2n ** 63n)] };
    await expectCarried(datasetOf(schema, [values], "bigint"));
  });

  it("carries an object that is in a value twice, and lists that could be sparse", async () => {
    const schema = schemaOf("p", [{ type: ofMessage("p.M"), repetition: list }, { repetition: list }]);
    const holey = new Array<number>(3).fill(7);
    const shared: Value = { f1: [], f2: [1] };
    const values: Value[] = [{ f1: [shared, shared, { f1: [shared], f2: holey }], f2: holey }];
    await expectCarried({ name: "shared", schema, values, int64: "number" });
  });

  it("carries messages as deep as any codec", async () => {
    const schema = schemaOf("p", [
      { type: ofMessage("p.M"), repetition: list },
      { repetition: mapOf("string") },
    ]);
    let value: unknown = { f2: { a: 1 } };
    for (let level = 1; level < 100; level++) value = { f1: [value] };
    await expectCarried(datasetOf(schema, [value]));
  });

  it("may write one value in two ways, by how V8 holds its numbers", async () => {
    const dataset = datasetOf(schemaOf("p", [{ type: of("double"), repetition: list }]), []);
    const binding = await v8.bind(dataset);
    const doubles = [0.5, 2, 3];
    const boxed = [0.5, 2, 3, "x"];
    boxed.pop();
    const [one, other] = [{ f1: doubles }, { f1: boxed }].map((value) =>
      encodeValue(binding, value as Value),
    );
    expect(one!.length).toBeGreaterThan(other!.length);
    expect(decodeTrusted(binding, one!)).toEqual(decodeTrusted(binding, other!));
    expect(binding.varies).toBe(true);
  });

  it("gives bytes that a later call does not overwrite", async () => {
    const dataset = datasetOf(schemaOf("p", [{ type: of("bytes") }]), [{ f1: new Uint8Array([1, 2, 3]) }]);
    const binding = await v8.bind(dataset);
    const bytes = encodeValue(binding, dataset.values[0]!);
    const decoded = decodeTrusted(binding, bytes);
    for (let i = 0; i < 1000; i++) encodeValue(binding, { f1: new Uint8Array(50).fill(i) });
    expect(firstDifference(dataset.values[0], decoded)).toBeUndefined();
  });

  describe("on bytes from outside", () => {
    const dataset = datasetOf(schemaOf("p", [{}, { repetition: list }, { type: of("int64") }]), []);

    it.each<[string, unknown, string]>([
      ["a Map", { f2: new Map() }, "v8 at byte 7: a Map is not allowed"],
      ["an unknown field", { f9: 1 }, 'v8 at byte 3: unknown key "f9"'],
      ["an index where there are no maps", { f2: [{ 1000: 1 }] }, 'v8 at byte 10: unknown key "1000"'],
      ["another type", { f1: "a" }, 'v8 at f1: expected an integer (int32), got "a"'],
      [
        "a number that is too large",
        { f1: 2 ** 31 },
        "v8 at f1: 2147483648 is outside int32, expected -2147483648 to 2147483647",
      ],
      [
        "a bigint beyond 2^53",
        { f3: 2n ** 53n },
        "v8 at f3: 9007199254740992 is beyond 2^53, expected a safe integer or bigints",
      ],
      ["a list at the top", [1], "v8: expected an object (p.M), got a list of 1"],
      ["null for a list", { f2: null }, "v8 at f2: expected a list, got null"],
      ["undefined", { f1: undefined }, "v8 at byte 7: undefined is not allowed"],
    ])("refuses %s", async (_, value, says) => {
      expect(await failure(dataset, serialize(value))).toBe(says);
    });

    it("refuses few bytes that stand for very many values", async () => {
      const schema = schemaOf("p", [{ type: ofMessage("p.M"), repetition: list }]);
      let value: Value = { f1: [] };
      for (let i = 0; i < 30; i++) value = { f1: [value, value] };
      expect(await failure(datasetOf(schema, []), serialize(value))).toMatch(
        /^v8 at byte \d+: more than \d+ values$/,
      );
    });

    it("reads a part of a larger buffer", async () => {
      const bytes = Buffer.concat([Buffer.alloc(3), serialize({ f1: 5 }), Buffer.alloc(3)]).subarray(3, -3);
      expect(decodeUntrusted("v8", await v8.bind(dataset), dataset, bytes)).toEqual({ f1: 5, f2: [] });
      expect(decodeUntrusted("v8", await v8.bind(dataset), dataset, new Uint8Array(bytes))).toEqual({
        f1: 5,
        f2: [],
      });
    });
  });

  it("fills in what is implicit and absent", async () => {
    const dataset = datasetOf(schemaOf("p", [{ repetition: single("implicit") }]), []);
    expect(decodeUntrusted("v8", await v8.bind(dataset), dataset, serialize({}))).toEqual({ f1: 0 });
  });
});
