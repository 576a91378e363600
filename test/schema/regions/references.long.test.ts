/** Codecs that write equal texts, keys or objects once, and refer to them. */
import { encode } from "flatbuffers/js/flexbuffers.js";
import { expect, it, vi } from "vitest";
import tellist from "../../../src/datasets/tellist.ts";
import { flexbuffersRegions } from "../../../src/schema/regions/flexbuffers.ts";
import { pickleRegions } from "../../../src/schema/regions/pickle.ts";
import { describeRegions } from "./suite.ts";

for (const name of ["python-pickle", "python-pickle:1", "python-pickle:2", "python-pickle:5"])
  describeRegions(name, true);

// Its library gives few messages back.
describeRegions("flexbuffers", true, ["packet"]);

it("FlexBuffers: a list without a length that begins where an empty one ends is a list of its own", () => {
  for (const value of [
    [[], [1, 2]],
    [{}, [1, 2]],
  ]) {
    const { schema } = tellist;
    const { regions } = flexbuffersRegions(encode(value), {
      name: "lists",
      schema,
      values: [],
      int64: "number",
    });
    const leaves = [...regions].filter(({ leaf }) => leaf === true);
    expect(leaves.map(({ place, value: held }) => `${place.path} ${held}`)).toEqual(["[1][0] 1", "[1][1] 2"]);
  }
});

it("python-pickle: makes a text once, however often it is referred to", () => {
  const text = "x".repeat(300);
  // A list with the text, which the memo keeps, and references to it: EMPTY_LIST, MARK, BINUNICODE, MEMOIZE, BINGET..., APPENDS.
  const head = Buffer.from("80045d9428582c010000", "hex");
  const references = Buffer.from("6801".repeat(1000), "hex");
  const bytes = Buffer.concat([
    head,
    Buffer.from(text),
    Buffer.from("94", "hex"),
    references,
    Buffer.from("652e", "hex"),
  ]);
  const { schema } = tellist;
  const made = vi.spyOn(Buffer, "from");
  const { regions, problem } = pickleRegions(bytes, { name: "texts", schema, values: [], int64: "number" });
  const calls = made.mock.calls.length;
  made.mockRestore();
  expect(problem).toBeUndefined();
  expect(calls).toBeLessThan(10);
  const held = [...regions].filter(({ leaf }) => leaf === true).map(({ value }) => value);
  expect(held).toEqual(Array(1001).fill(text));
});
