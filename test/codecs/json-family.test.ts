/** Libraries whose text is JSON: what they cannot carry, and hostile text. */
import { describe, expect, it } from "vitest";
import { Registry } from "../../src/catalog/registry.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { DecodeError, UnsupportedError } from "../../src/model/errors.ts";
import { encodeValue } from "../../src/schema/values/transcode.ts";
import { expectRoundTrips } from "../codec-contract.ts";
import { list, mapOf, messageType, of, ofMessage, schemaOf } from "../schema/schema-of.ts";

const registry = await Registry.open();

const schema = schemaOf(
  "p",
  [
    { type: of("bytes"), repetition: list },
    { type: of("int64"), repetition: list },
    { type: of("double"), repetition: list },
    { type: of("bytes"), repetition: mapOf("string") },
    { type: ofMessage("N"), repetition: list },
  ],
  { messages: [messageType("N", [{ type: of("bytes") }])] },
);
const dataset = (value: Dataset["values"][number]): Dataset => ({
  name: "d",
  schema,
  values: [value],
  int64: "bigint",
});
const EMPTY = { f1: [], f2: [], f3: [], f4: {}, f5: [] };

describe.each(["devalue", "superjson", "seroval", "fast-json-stringify"])("%s", (name) => {
  it("carries what JSON lacks, by any key", async () => {
    const codec = await registry.codec(name);
    const shared = Uint8Array.of(1, 2, 3);
    const value = {
      f1: [shared, shared, new Uint8Array(0), new Uint8Array(5000).fill(7)],
      f2: [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n)],
      f3: [0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 5e-324, 1.5],
      f4: { "": shared, "a.b": shared, "a\\.b\\": shared, "0": shared, "\u2028<": shared, '"': shared },
      f5: [{}, { f1: shared }, {}],
    };
    const own = dataset(value);
    expectRoundTrips(codec, await codec.bind(own), own);
  });
});

it.each([
  ["devalue", "__proto__"],
  ["superjson", "__proto__"],
  ["superjson", "constructor"],
  ["superjson", "prototype"],
])("%s refuses the key %s, which is said with its path", async (name, key) => {
  const codec = await registry.codec(name);
  const f4 = Object.fromEntries([[key, Uint8Array.of(1)]]);
  const bind = async () => codec.bind(dataset({ ...EMPTY, f4 }));
  await expect(bind()).rejects.toThrow(UnsupportedError);
  await expect(bind()).rejects.toThrow(`f4.${key}: ${name} refuses this key`);
});

const HOSTILE: readonly (readonly [string, string, string])[] = [
  ["devalue", "nothing", "[]"],
  ["devalue", "a number that stands for nothing", "-1"],
  ["devalue", "an index beyond", '[{"f1":9}]'],
  ["devalue", "an absent value", '[{"f1":-1}]'],
  ["devalue", "a hole", '[{"f1":1},[-2]]'],
  ["devalue", "a list of 2^32 holes", '[{"f3":1},[-7,4294967295]]'],
  ["devalue", "a list in itself", '[{"f1":1},[1]]'],
  ["devalue", "a message in itself", '[{"f5":1},[2],{"f1":0}]'],
  ["devalue", "a bigint of 10^6 digits", `[{"f2":1},[2],["BigInt","${"9".repeat(1e6)}"]]`],
  ["devalue", "a date", '[["Date","2020-01-01"]]'],
  ["devalue", "a regular expression", '[["RegExp","(a+)+$"]]'],
  ["devalue", "bytes of no memory", '[{"f1":1},[2],["Uint8Array",1]]'],
  [
    "devalue",
    "two views of one memory",
    '[{"f1":1},[2,3],["Uint8Array",4],["Uint8Array",4],["ArrayBuffer","AQ=="]]',
  ],
  ["devalue", "memory that is a value", '[{"f1":1},[2],["ArrayBuffer","AQ=="]]'],
  ["devalue", "__proto__", '[{"__proto__":1},{"f1":2},[]]'],
  [
    "devalue",
    "100,000 lists in each other",
    `[${Array.from({ length: 1e5 }, (_, i) => `[${i + 1}]`).join()},[]]`,
  ],
  [
    "devalue",
    "2^60 empty lists",
    `[{"f5":1},${Array.from({ length: 60 }, (_, i) => `[${i + 2},${i + 2}]`).join()},[]]`,
  ],
  ["superjson", "no value", "{}"],
  ["superjson", "notes of another version", '{"json":{},"meta":{"values":{},"v":0}}'],
  [
    "superjson",
    "bytes of a number",
    '{"json":{"f1":[4e9]},"meta":{"values":{"f1.0":[["typed-array","Uint8Array"]]},"v":1}}',
  ],
  ["superjson", "a date", '{"json":{"f1":["2020"]},"meta":{"values":{"f1.0":["Date"]},"v":1}}'],
  ["superjson", "an absent value", '{"json":{"f1":[null]},"meta":{"values":{"f1.0":["undefined"]},"v":1}}'],
  ["superjson", "a note on a prototype", '{"json":{},"meta":{"values":{"__proto__.x":["number"]},"v":1}}'],
  ["superjson", "a note on nothing", '{"json":{},"meta":{"values":{"f2.0":["bigint"]},"v":1}}'],
  [
    "superjson",
    "a value in itself",
    '{"json":{"f5":[{}]},"meta":{"referentialEqualities":[["f5.0"]],"v":1}}',
  ],
  [
    "superjson",
    "a list in itself",
    '{"json":{"f5":[{}]},"meta":{"referentialEqualities":{"f5":["f5.0"]},"v":1}}',
  ],
  [
    "superjson",
    "a path of a million steps",
    `{"json":{},"meta":{"values":{"${"a.".repeat(5e5)}":["bigint"]},"v":1}}`,
  ],
  [
    "superjson",
    "paths in paths",
    `{"json":{},"meta":{"values":${'{"a":'.repeat(5e4)}0${"}".repeat(5e4)},"v":1}}`,
  ],
  ["superjson", "a bad path", '{"json":{"\\\\x":1},"meta":{"values":{"\\\\x":["bigint"]},"v":1}}'],
  ["seroval", "no tree", '{"t":1,"f":127,"m":[]}'],
  ["seroval", "marks that are none", '{"t":{"t":0,"s":1},"f":127,"m":{}}'],
  ["seroval", "a promise", '{"t":{"t":12,"i":0,"s":1,"f":{"t":0,"s":1}},"f":127,"m":[]}'],
  ["seroval", "a frozen message", '{"t":{"t":10,"i":0,"p":{"k":[],"v":[]},"o":3},"f":127,"m":[]}'],
  [
    "seroval",
    "a key that stands twice",
    '{"t":{"t":10,"i":0,"p":{"k":["f3","f3"],"v":[{"t":9,"i":1,"a":[],"o":0},{"t":9,"i":2,"a":[],"o":0}]},"o":0},"f":127,"m":[]}',
  ],
  [
    "seroval",
    "a message in itself",
    '{"t":{"t":10,"i":0,"p":{"k":["f5"],"v":[{"t":9,"i":1,"a":[{"t":4,"i":0}],"o":0}]},"o":0},"f":127,"m":[0]}',
  ],
  ["seroval", "what is not known", '{"t":{"t":4,"i":7},"f":127,"m":[]}'],
  [
    "seroval",
    "100,000 lists in each other",
    `{"t":${'{"t":9,"i":0,"a":['.repeat(1e5)}${"]}".repeat(1e5)},"f":127,"m":[]}`,
  ],
  [
    "seroval",
    "bytes beyond their memory",
    '{"t":{"t":10,"i":0,"p":{"k":["f1"],"v":[{"t":9,"i":1,"a":[{"t":15,"i":2,"c":"Uint8Array","f":{"t":19,"i":3,"s":"AQI="},"b":0,"l":4000000000}],"o":0}]},"o":0},"f":127,"m":[]}',
  ],
];

it.each(HOSTILE)("%s: %s is a DecodeError of verify", async (name, _, text) => {
  const codec = await registry.codec(name);
  const binding = await codec.bind(dataset(EMPTY));
  // It takes what it writes.
  binding.verify(encodeValue(binding, EMPTY));
  expect(() => binding.verify(Buffer.from(text))).toThrow(DecodeError);
});
