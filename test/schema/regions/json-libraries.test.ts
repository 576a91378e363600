/** Regions of libraries whose text is JSON: values that JSON lacks, shared ones, and text that no library writes. */
import { describe, expect, it } from "vitest";
import { Registry } from "../../../src/catalog/registry.ts";
import { bytesOf } from "../../../src/model/codec.ts";
import type { Dataset } from "../../../src/model/dataset.ts";
import { regionReader } from "../../../src/schema/regions/index.ts";
import { encodeValue } from "../../../src/schema/values/transcode.ts";
import { list, mapOf, messageType, of, ofMessage, schemaOf } from "../schema-of.ts";
import { expectTiles, expectWhole } from "./tiling.ts";

const registry = await Registry.open();
const schema = schemaOf(
  "p",
  [
    { type: of("bytes"), repetition: list },
    { type: of("int64"), repetition: list },
    { type: of("double"), repetition: list },
    { type: of("bytes"), repetition: mapOf("string") },
    { type: ofMessage("N"), repetition: list },
    { type: of("string"), repetition: list },
  ],
  { messages: [messageType("N", [{ type: of("bytes") }])] },
);
const datasetOf = (values: Dataset["values"]): Dataset => ({ name: "d", schema, values, int64: "bigint" });

async function regionsOf(name: string, bytes: Uint8Array) {
  const read = regionReader(await registry.codec(name));
  if (typeof read === "string") throw new Error(read);
  const anatomy = read(bytes, datasetOf([]));
  expectTiles(bytes, anatomy);
  return anatomy;
}

describe.each(["superjson", "devalue", "seroval"])("%s", (name) => {
  it("has what JSON lacks at its place, also what stands once and is named elsewhere", async () => {
    const shared = Uint8Array.of(1, 2, 3);
    const value = {
      f1: [shared, shared, new Uint8Array(0)],
      f2: [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 0n],
      f3: [0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 5e-324, 1.5, 1.5],
      f4: { "": shared, "a.b": shared, "a\\.b\\": shared, "0": shared, "\u2028<": shared, '"': shared },
      f5: [{}, { f1: shared }, {}],
      f6: ["", "name", "name", '<"\\\n\u2028\u0001\\x3C', "\\u2028"],
    };
    const binding = await (await registry.codec(name)).bind(datasetOf([value]));
    const bytes = bytesOf(encodeValue(binding, value), name);
    expectWhole(bytes, await regionsOf(name, bytes), value);
  });

  it("stops at what is nested too deeply, and reads what is nearly as deep", async () => {
    for (const [depth, isRead] of [
      [999, true],
      [1001, false],
      [100_000, false],
    ] as const) {
      const text = {
        superjson: `{"json":${"[".repeat(depth)}0${"]".repeat(depth)}}`,
        devalue: `[${Array.from({ length: depth }, (_, i) => `[${i + 1}]`).join()},0]`,
        seroval: `{"t":${'{"t":9,"i":0,"a":['.repeat(depth)}{"t":0,"s":0}${"]}".repeat(depth)},"f":127,"m":[]}`,
      }[name]!;
      const { problem } = await regionsOf(name, Buffer.from(text));
      expect(problem?.code).toBe(isRead ? undefined : "limit");
    }
  });
});

it.each([
  [
    "superjson",
    "notes before the value",
    '{"meta":{"values":{"f2.0":["bigint"]},"v":1},"json":{"f2":["5"]}}',
    "f2[0] 5",
  ],
  ["superjson", "space", ' { "json" : { "f6" : [ "a" ] } , "meta" : { "v" : 1 } } ', "f6[0] a"],
  [
    "superjson",
    "members and notes of no meaning",
    '{"json":{"f6":["a"]},"z":[1],"meta":{"z":{"f6":1},"v":1}}',
    "f6[0] a",
  ],
  ["devalue", "entries in another order", '[{"f6":2},"a",[1]]', "f6[0] a"],
  ["devalue", "space", ' [ { "f6" : 1 } , [ 2 ] , "a" ] ', "f6[0] a"],
  ["seroval", "space", ' { "t" : { "t" : 1 , "s" : "a" } , "f" : 1 , "m" : [ ] } ', " a"],
])("%s: reads %s", async (name, _, text, leaf) => {
  const { problem, regions } = await regionsOf(name, Buffer.from(text));
  expect(problem).toBeUndefined();
  const leaves = [...regions].filter((region) => region.leaf === true);
  expect(leaves.map(({ place, value }) => `${place.path} ${value}`)).toEqual([leaf]);
});

it.each([
  [
    "superjson",
    "an object said to be another",
    '{"json":{"f1":[[1]],"f5":[[2]]},"meta":{"referentialEqualities":{"f1":["f5"]},"v":1}}',
    "written otherwise",
  ],
  [
    "superjson",
    "a note on nothing",
    '{"json":{"f2":[]},"meta":{"values":{"f2.0":["bigint"]},"v":1}}',
    "not there",
  ],
  [
    "superjson",
    "bytes of a number",
    '{"json":{"f1":[4e9]},"meta":{"values":{"f1.0":[["typed-array","Uint8Array"]]},"v":1}}',
    "not what it is noted to be",
  ],
  [
    "superjson",
    "a type of a thousand lists",
    `{"json":1,"meta":{"values":[${"[".repeat(1e5)}${"]".repeat(1e5)}],"v":1}}`,
    "of this type",
  ],
  [
    "superjson",
    "paths of a million steps",
    `{"json":1,"meta":{"values":${`{"${"a.".repeat(900)}":`.repeat(1000)}1${"}".repeat(1000)},"v":1}}`,
    "steps",
  ],
  ["superjson", "damage in the value", '{"json":{"f2":[x]},"meta":', "expected a value"],
  ["devalue", "an index beyond", '[{"f1":9}]', "no entry has this index"],
  ["devalue", "a hole", '[{"f1":1},[-2]]', "no entry has this index"],
  [
    "devalue",
    "two views of one memory",
    '[[1,2],["Uint8Array",3],["Uint8Array",3],["ArrayBuffer","AQ=="]]',
    "two values",
  ],
  ["devalue", "memory that is a value", '[{"f1":1},["ArrayBuffer","AQ=="]]', "of this type"],
  ["devalue", "nothing", "[]", "expected a list"],
  ["seroval", "a type behind the value", '{"t":{"s":5,"t":0},"f":1,"m":[]}', "stands first"],
  [
    "seroval",
    "part of a memory",
    '{"t":{"t":15,"i":0,"c":"Uint8Array","f":{"t":19,"i":1,"s":"AQI="},"b":0,"l":1},"f":1,"m":[]}',
    "expected 2",
  ],
  ["seroval", "what is not known", '{"t":{"t":4,"i":7},"f":1,"m":[]}', "no node before"],
  [
    "seroval",
    "a key without a value",
    '{"t":{"t":10,"i":0,"p":{"k":["f1"],"v":[]},"o":0},"f":1,"m":[]}',
    "without a value",
  ],
  ["seroval", "a node of nothing", '{"t":{"t":1},"f":1,"m":[]}', "of nothing"],
])("%s: says what is wrong with %s", async (name, _, text, problem) => {
  expect((await regionsOf(name, Buffer.from(text))).problem?.message).toContain(problem);
});

it("devalue: a list in itself, and one of 2^60 lists, are read once", async () => {
  const lists = Array.from({ length: 60 }, (_, i) => `[${i + 2},${i + 2}]`).join();
  for (const text of ['[{"f1":1},[1]]', `[{"f5":1},${lists},[]]`])
    expect((await regionsOf("devalue", Buffer.from(text))).problem).toBeUndefined();
});
