/** The golden vectors that CPython made. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { decodePickle, encodePickle, type Protocol } from "../../../src/formats/python-pickle/index.ts";
import { canonical } from "./canonical.ts";
import { vectors } from "./vectors.ts";

const EXACT = { wholeFloats: "PyFloat" } as const;

function asRecorded(text: string): string {
  return text.length < 300 ? text : `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

describe("golden vectors", () => {
  it.each(vectors)(
    "$name, protocol $protocol of CPython $python, is the value that it was",
    ({ bytes, value }) => {
      expect(asRecorded(canonical(decodePickle(bytes, EXACT)))).toBe(value);
    },
  );

  // What is one object in CPython and several here, has another order, or is made of equal texts that are not one.
  const others = ["sets", "bytes", "bytearrays", "beyond the short memo"];
  const same = vectors.filter(
    ({ python, name, protocol }) =>
      python.startsWith("3.11") && [1, 2, 4, 5].includes(protocol) && !others.includes(name),
  );
  it.each(same)("$name, protocol $protocol, is written as the same bytes", ({ name, protocol, bytes }) => {
    const value = decodePickle(bytes, { ...EXACT, dicts: name === "dicts" ? "Map" : "auto" });
    const again = encodePickle(value, { protocol: protocol as Protocol });
    expect(Buffer.from(again).toString("hex")).toBe(Buffer.from(bytes).toString("hex"));
  });
});
