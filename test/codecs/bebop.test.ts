/** Bebop's messages: bytes by the specification (docs.bebop.sh, "Wire format"), and the library's own reader of them. */
import { BebopView } from "bebop";
import { describe, expect, it } from "vitest";
import codec from "../../src/codecs/bebop/index.ts";
import type { Binding, CodecDefinition } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { decodeTrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { enumType, list, mapOf, messageType, of, ofEnum, ofMessage, schemaOf } from "../schema/schema-of.ts";
import { expectCarried, hardDataset, refusalOf } from "./carried.ts";
import { datasetOf } from "./dataset.ts";

const loaded: CodecDefinition = {
  ...codec,
  bind: (dataset) => (codec as unknown as CodecDefinition<object>).bind(dataset, { BebopView }),
};
const bytesOf = async (dataset: Dataset): Promise<string> =>
  Buffer.from(
    encodeValue((await loaded.bind(dataset)) as Binding, dataset.values[0]!) as Uint8Array,
  ).toString("hex");

const all = schemaOf(
  "p",
  [
    { name: "flag", type: of("bool") },
    { name: "small", type: of("int8") },
    { name: "long", type: of("uint64") },
    { name: "text", type: of("string") },
    { name: "data", type: of("bytes") },
    { name: "list", type: of("int16"), repetition: list },
    { name: "map", type: of("string"), repetition: mapOf("uint32") },
    { name: "kind", type: ofEnum("p.E") },
    { name: "inner", type: ofMessage("p.N") },
  ],
  {
    enums: [enumType("p.E", { A: 0, B: -1 })],
    messages: [messageType("p.N", [{ name: "x", type: of("float") }])],
  },
);

describe("bebop", () => {
  it("has the bytes of the specification", async () => {
    const value = {
      flag: true,
      small: -2,
      long: 258,
      text: "hé",
      data: new Uint8Array([7]),
      list: [1, -1],
      map: { 5: "a" },
      kind: -1,
      inner: { x: 0.5 },
    };
    const fields = [
      "01 01",
      "02 feff",
      "03 0201000000000000",
      "04 03000000 68c3a9",
      "05 01000000 07",
      "06 02000000 0100 ffff",
      "07 01000000 05000000 01000000 61",
      "08 ffffffff",
      "09 06000000 01 0000003f 00",
      "00",
    ]
      .join("")
      .replaceAll(" ", "");
    const length = Buffer.alloc(4);
    length.writeUInt32LE(fields.length / 2);
    expect(await bytesOf(datasetOf(all, [value]))).toBe(length.toString("hex") + fields);
  });

  it("carries what formats find hard, with bigints and numbers", async () => {
    await expectCarried(loaded, hardDataset({ constructor: 1, "": 2, a: 3 }));
    const maps = schemaOf("p", [
      { name: "b", repetition: mapOf("bool") },
      { name: "i", repetition: mapOf("int64"), type: of("int64") },
      { name: "u", repetition: mapOf("uint64"), type: of("string") },
    ]);
    const value = {
      b: { true: 1, false: 2 },
      i: { "-9223372036854775808": 5 },
      u: { "18446744073709551615": "x" },
    };
    for (const int64 of ["number", "bigint"] as const)
      await expectCarried(loaded, datasetOf(maps, [value], int64));
  });

  it("keeps what it gave when it writes and reads the next", async () => {
    const dataset = datasetOf(all, [
      { text: "first", list: [], map: {} },
      { text: "other", list: [], map: {} },
    ]);
    const binding = (await loaded.bind(dataset)) as Binding;
    const [first, other] = dataset.values.map((value) => encodeValue(binding, value));
    expect(decodeTrusted(binding, first!)).toEqual(dataset.values[0]);
    expect(decodeTrusted(binding, other!)).toEqual(dataset.values[1]);
  });

  it("indexes fields by their places where a number is beyond 255, and refuses more of them", async () => {
    const far = schemaOf("p", [
      { name: "a", number: 1000 },
      { name: "b", number: 3 },
    ]);
    expect(await bytesOf(datasetOf(far, [{ a: 1, b: 2 }]))).toBe("0b00000001010000000202000000" + "00");
    const many = schemaOf(
      "p",
      Array.from({ length: 256 }, (_, i) => ({ name: `f${i}`, number: i + 1 })),
    );
    expect(() => loaded.bind(datasetOf(many, []))).toThrow("at most 255 fields");
  });

  it.each([
    ["", "expected 4 more bytes"],
    ["0100000000ff", "1 byte after the end"],
    ["0200000000", "expected 2 more bytes"],
    ["020000000000", "ends elsewhere"],
    ["030000000a0000", "unknown field 10"],
    ["03000000010200", "expected 0 or 1 for a bool"],
    ["0500000001000101" + "00", "stands twice"],
    ["0700000004020000" + "00c328" + "00", "not valid UTF-8"],
    ["0700000004ffffff7f" + "0000", "more bytes"],
    ["0600000006ffffffff00", "more bytes"],
    ["16000000070200000005000000" + "0000000005000000" + "0000000000", "a key of a map stands twice"],
    ["0a00000003ffffffffffffffff00", "beyond 2^53"],
    ["0600000008070000" + "0000", "p.E"],
  ])("refuses %s", async (hex, reason) => {
    expect(await refusalOf(loaded, datasetOf(all, []), Buffer.from(hex, "hex"))).toContain(reason);
  });

  it("refuses long text with a mark that the library takes off", async () => {
    const marked = datasetOf(all, [{ text: `\ufeff${"x".repeat(300)}` }]);
    expect(() => loaded.bind(marked)).toThrow("text: bebop takes the byte order mark off long text");
    await expectCarried(loaded, datasetOf(all, [{ text: "\ufeffshort", list: [], map: {} }]));
    const text = Buffer.from(`\ufeff${"x".repeat(300)}`);
    const bytes = Buffer.concat([Buffer.alloc(9), text, Buffer.alloc(1)]);
    bytes.writeUInt32LE(text.length + 6, 0);
    bytes.writeUInt8(4, 4);
    bytes.writeUInt32LE(text.length, 5);
    expect(await refusalOf(loaded, datasetOf(all, []), bytes)).toContain("byte order mark");
  });
});
