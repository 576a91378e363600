import { describe, expect, it } from "vitest";
import codec from "../../src/codecs/python-pickle.ts";
import tellist from "../../src/datasets/tellist.ts";
import { decodePickle, Tuple } from "../../src/formats/python-pickle/index.ts";
import type { Binding } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { DecodeError } from "../../src/model/errors.ts";
import { decodeTrusted, decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";

const LIST = { kind: "list", packed: false } as const;
const ONE = { kind: "one", presence: "always" } as const;

/** A message that has a list of itself, and a 64-bit integer. */
const tree: Dataset = {
  name: "tree",
  schema: {
    package: "t",
    root: "t.Node",
    messages: new Map([
      [
        "t.Node",
        {
          name: "t.Node",
          fields: [
            { name: "n", number: 1, type: { kind: "scalar", scalar: "int64" }, repetition: ONE },
            { name: "in", number: 2, type: { kind: "message", name: "t.Node" }, repetition: LIST },
          ],
        },
      ],
    ]),
    enums: new Map(),
  },
  values: [],
  int64: "bigint",
};

async function bound(dataset: Dataset, variant?: string): Promise<Binding> {
  const definition = variant === undefined ? codec : codec.variants?.[variant];
  return await definition!.bind(dataset);
}

describe("python-pickle", () => {
  it.each([
    [undefined, 4],
    ["1", undefined],
    ["2", 2],
    ["5", 5],
  ])("variant %s writes protocol %s", async (variant, protocol) => {
    const book: Dataset = { ...tree, schema: tellist.schema, values: [tellist.make(3, 0)], int64: "number" };
    const binding = await bound(book, variant);
    const bytes = encodeValue(binding, book.values[0]!) as Uint8Array;
    if (protocol === undefined) expect(bytes[0]).toBe("}".charCodeAt(0));
    else expect([...bytes.subarray(0, 2)]).toEqual([0x80, protocol]);
    expect(decodePickle(bytes)).toEqual(book.values[0]);
    expect(binding.direct).toEqual({ build: true, plain: true });
  });

  it("holds 64-bit integers as the dataset does", async () => {
    const value = { n: 5n, in: [{ n: 2n ** 63n - 1n, in: [] }] };
    const binding = await bound(tree);
    expect(decodeTrusted(binding, encodeValue(binding, value))).toEqual(value);
    expect(binding.direct.plain).toBe(false);
    const numbers = await bound({ ...tree, int64: "number" });
    expect(decodeTrusted(numbers, encodeValue(binding, { n: 5n, in: [] }))).toEqual({ n: 5, in: [] });
  });

  it.each<[string, string]>([
    ["contains itself", "}q\0(X\x01\0\0\0nK\x01X\x02\0\0\0in]h\0au."],
    ["is the text of a number", "}(X\x01\0\0\0nX\x01\0\0\x005X\x02\0\0\0in]u."],
    ["is none", "N."],
    ["is empty", "}."],
    ["has another", "}(X\x01\0\0\0nK\x01X\x02\0\0\0in]X\x01\0\0\0xNu."],
  ])("refuses a message that %s", async (_, pickle) => {
    const binding = await bound(tree);
    const bytes = Buffer.from(pickle, "latin1");
    expect(() => binding.verify(bytes)).toThrow(DecodeError);
    expect(() => decodeUntrusted("python-pickle", binding, tree, bytes)).toThrow(DecodeError);
  });

  it("reads what lacks a list, as of an older version, as an empty one", async () => {
    const binding = await bound(tree);
    const pickle = Buffer.from("}X\x01\0\0\0nK\x01s.", "latin1");
    expect(decodeUntrusted("python-pickle", binding, tree, pickle)).toEqual({ n: 1n, in: [] });
  });

  it("takes a tuple for a list", async () => {
    const binding = await bound(tree);
    const pickle = Buffer.from("}(X\x01\0\0\0nK\x01X\x02\0\0\0in)u.", "latin1");
    expect(decodePickle(pickle)).toEqual({ n: 1, in: Tuple.of() });
    expect(decodeUntrusted("python-pickle", binding, tree, pickle)).toEqual({ n: 1n, in: [] });
  });

  it("refuses a few references that stand for very many messages", async () => {
    const level = "}(X\x01\0\0\0nK\x01X\x02\0\0\0in](h\0h\0eurQ\0\0\0\x000";
    const levels = Array.from({ length: 60 }, (_, i) =>
      level
        .replaceAll("h\0", `h${String.fromCharCode(i)}`)
        .replace("rQ\0\0\0\x000", `q${String.fromCharCode(i + 1)}0`),
    );
    const leaf = "}(X\x01\0\0\0nK\x01X\x02\0\0\0in]uq\x000";
    const pickle = Buffer.from(`${leaf}${levels.join("")}h\x3c.`, "latin1");
    const binding = await bound(tree);
    expect(() => decodeUntrusted("python-pickle", binding, tree, pickle)).toThrow(/more than \d+ values/);
  });
});
