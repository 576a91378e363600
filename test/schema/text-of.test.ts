/** Where text ends that is no UTF-8, beside Node's own check of every beginning. */
import { isUtf8 } from "node:buffer";
import { expect, it } from "vitest";
import { seededRandom } from "../../src/model/random.ts";
import { lengthOfText, placeOfNoText } from "../../src/schema/read/text-of.ts";
import { cases, SEED } from "../seed.ts";

/** Bytes of characters of each size, a mark, what stands for bytes that are none, and what is never or not yet a character. */
const PARTS = [
  "61",
  "0a",
  "c3a9",
  "e282ac",
  "f09f9880",
  "efbbbf",
  "efbfbd",
  "c3",
  "e282",
  "f09f98",
  "80",
  "c0af",
  "eda080",
  "ff",
];

it.each([0, 1, 65_535, 65_536, 131_070])("is found behind %d bytes", (before) => {
  const random = seededRandom(SEED + before);
  const start = Buffer.alloc(before, "é\n");
  start.fill("x", before - (before % 3));
  for (let i = 0; i < cases(200); i++) {
    const tail = Array.from({ length: 12 }, () => PARTS[Math.floor(random() * PARTS.length)]!);
    const bytes = Buffer.concat([start, Buffer.from(tail.join(""), "hex")]);
    let expected = bytes.length;
    while (!isUtf8(bytes.subarray(0, expected))) expected -= 1;
    expect(lengthOfText(bytes), tail.join(" ")).toBe(expected);
    const lines = bytes
      .toString("utf8", 0, expected)
      .replace(/^\uFEFF/, "")
      .split("\n");
    expect(placeOfNoText(bytes)).toEqual({ line: lines.length, column: lines.at(-1)!.length + 1 });
  }
});
