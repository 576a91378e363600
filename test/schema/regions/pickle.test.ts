/** Regions of pickles that are written in few other programs than CPython, and of hostile ones. */
import { describe, expect, it } from "vitest";
import { decodePickle } from "../../../src/formats/python-pickle/index.ts";
import type { Value } from "../../../src/model/value.ts";
import { pickleRegions } from "../../../src/schema/regions/pickle.ts";
import { datasetOf } from "../../codecs/dataset.ts";
import { schemaOf } from "../schema-of.ts";
import { expectTiles, expectWhole } from "./tiling.ts";

const dataset = datasetOf(schemaOf("", [{}]), []);
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(" ", ""), "hex");

/** The regions hold what the decoder reads. */
function expectDecoded(bytes: Buffer, value: Value): void {
  expect(decodePickle(bytes)).toEqual(value);
  expectWhole(bytes, pickleRegions(bytes, dataset), value, true);
}

describe("opcodes that CPython seldom writes", () => {
  it.each<[string, string, Value]>([
    ["SHORT_BINSTRING", "7d 5501 61 5501 78 73 2e", { a: "x" }],
    ["BINSTRING", "7d 5401000000 61 5400000000 73 2e", { a: "" }],
    ["STRING", "28 5327 61 270a 5327 78 5c7834 31 270a 64 2e", { a: "xA" }],
    ["POP", "7d 4b01 30 5801000000 61 5801000000 78 73 2e", { a: "x" }],
    ["POP of a mark", "7d 28 30 5801000000 61 5801000000 78 73 2e", { a: "x" }],
    ["POP_MARK", "7d 28 4b01 5d 31 5801000000 61 5801000000 78 73 2e", { a: "x" }],
    ["DUP", "7d 5801000000 61 32 73 2e", { a: "a" }],
    ["BINGET of a dict that only the memo has", "7d 5801000000 61 4b01 73 7100 30 6800 2e", { a: 1 }],
    ["BINGET of a text that only the memo has", "5801000000 61 7100 30 7d 6800 4b01 73 2e", { a: 1 }],
  ])("%s", (_, bytes, value) => expectDecoded(hex(bytes), value));
});

describe("bytes", () => {
  // `pickle.dumps({"a": b, "b": b}, protocol)` of CPython 3.11, with b = b"\0\xff".
  it.each([
    [
      0,
      "286470300a56610a70310a635f636f646563730a656e636f64650a70320a28565c7530303030ff0a70330a56" +
        "6c6174696e310a70340a7470350a5270360a7356620a70370a67360a732e",
    ],
    [3, "80037d7100285801000000617101430200ff710258010000006271036802752e"],
  ])("that stand twice in protocol %i", (_, bytes) => {
    const value = new Uint8Array([0, 255]);
    expectDecoded(hex(bytes), { a: value, b: value });
  });

  // `pickle.dumps({"a": bytearray(b"hi")}, protocol)`.
  it.each([
    [
      3,
      "80037d71005801000000617101636275696c74696e730a6279746561727261790a71024302686971038571045271" +
        "05732e",
    ],
    [
      4,
      "8004952a000000000000007d948c0161948c086275696c74696e73948c09627974656172726179949394430268" +
        "699485945294732e",
    ],
  ])("of a bytearray in protocol %i", (_, bytes) => {
    const anatomy = pickleRegions(hex(bytes), dataset);
    expectWhole(hex(bytes), anatomy, { a: new Uint8Array(Buffer.from("hi")) });
  });
});

it.each<[string, string, string]>([
  ["a str of Python 2 that is not ASCII", "7d 5501 61 5501 ff 73 2e", "is not ASCII"],
  [
    "a call that is no data",
    `63${Buffer.from("os\nsystem\n").toString("hex")} 29 52 2e`,
    "os.system is not data",
  ],
  ["a set", `63${Buffer.from("builtins\nset\n").toString("hex")} 5d 85 52 2e`, "builtins.set is not data"],
  ["a change of what stands elsewhere", "5d 7100 5d 6800 4b01 61 61 2e", "a list that stands elsewhere"],
])("%s is not supported", (_, bytes, says) => {
  const anatomy = pickleRegions(hex(bytes), dataset);
  expectTiles(hex(bytes), anatomy);
  expect(anatomy.problem).toMatchObject({ code: "unsupported", message: expect.stringContaining(says) });
});

describe("limits", () => {
  const lists = (levels: number) =>
    Buffer.concat([Buffer.alloc(levels, 0x5d), Buffer.alloc(levels - 1, 0x61), hex("2e")]);

  it("of depth are those of other formats, and of the decoder", () => {
    expectWhole(
      lists(1000),
      pickleRegions(lists(1000), dataset),
      decodePickle(lists(1000), { depth: 1000 }) as Value,
    );
    const tuples = Buffer.concat([hex("5d"), Buffer.alloc(3000, 0x85), hex("2e")]);
    const twice = Buffer.concat([hex("7d 4b00"), lists(20_000).subarray(0, -1), hex("73 4b00 4b01 73 2e")]);
    for (const bytes of [lists(1001), tuples, twice]) {
      const anatomy = pickleRegions(bytes, dataset);
      expectTiles(bytes, anatomy);
      expect(anatomy.problem).toMatchObject({
        code: "limit",
        message: expect.stringContaining("nested deeper than 1000 levels"),
      });
    }
  });

  it("of integers are those of the decoder", () => {
    const long = (size: number): Buffer => {
      const bytes = Buffer.alloc(5 + size, 0x81);
      bytes[0] = 0x8b;
      bytes.writeUInt32LE(size, 1);
      return Buffer.concat([bytes, hex("2e")]);
    };
    expectDecoded(long(1786), decodePickle(long(1786)) as Value);
    for (const bytes of [long(1_000_000), Buffer.from(`L${"1".repeat(1_000_000)}L\n.`)])
      expect(pickleRegions(bytes, dataset).problem?.code).toBe("limit");
  });
});
