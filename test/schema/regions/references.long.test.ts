/** Codecs that write equal texts, keys or objects once, and refer to them. */
import { encode } from "flatbuffers/js/flexbuffers.js";
import { expect, it } from "vitest";
import tellist from "../../../src/datasets/tellist.ts";
import { flexbuffersRegions } from "../../../src/schema/regions/flexbuffers.ts";
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
