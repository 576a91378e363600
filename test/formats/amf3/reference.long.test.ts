import { execFileSync } from "node:child_process";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, encode } from "../../../src/formats/amf3/index.ts";
import { itWith, pythonWithAmf } from "../../references.ts";
import { runs, SEED } from "../../seed.ts";
import { allTypes, sharedTypes } from "./arbitrary-value.ts";
import { fromNotation, type Notation, notationOf } from "./notation.ts";

interface Work {
  readonly encode: readonly Notation[];
  readonly decode: readonly string[];
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** What Py3AMF makes of values and of bytes, in one process. */
function py3amf(program: string, work: Work): { encode: unknown[]; decode: unknown[] } {
  const script = path.join(import.meta.dirname, "py3amf.py");
  const input = JSON.stringify(work);
  const output = execFileSync(program, [script], { input, encoding: "utf8", maxBuffer: 2 ** 28 });
  return JSON.parse(output);
}

describe("amf3", () => {
  const reference = pythonWithAmf();

  itWith(reference)("writes what Py3AMF writes, and both read what the other wrote", () => {
    const values = fc.sample(sharedTypes(), { seed: SEED, numRuns: runs(10_000) });
    const notations = values.map((value) => notationOf(value));
    const ours = values.map((value) => hexOf(encode(value)));
    const theirs = py3amf(reference.program ?? "", { encode: notations, decode: ours });
    const differing = notations.flatMap((notation, i) => {
      const value = JSON.stringify(notation);
      const read = JSON.stringify(theirs.decode[i]);
      if (ours[i] !== theirs.encode[i]) return [`${value}: we write ${ours[i]}, Py3AMF ${theirs.encode[i]}`];
      return read === value ? [] : [`${ours[i]}: ${value} to us, and ${read} to Py3AMF`];
    });
    expect(differing).toEqual([]);
  });

  it("reads what it wrote, with every type, reference and cycle", () => {
    const property = fc.property(allTypes(), (value) => {
      const bytes = encode(value, { depth: 1000 });
      const again = decode(bytes, { depth: 1000 });
      expect(JSON.stringify(notationOf(again))).toBe(JSON.stringify(notationOf(value)));
      expect(hexOf(encode(again, { depth: 1000 }))).toBe(hexOf(bytes));
    });
    fc.assert(property, { seed: SEED, numRuns: runs(10_000) });
  });

  it("has a notation for tests that holds a value", () => {
    for (const value of fc.sample(allTypes(), { seed: SEED, numRuns: 500 })) {
      const notation = notationOf(value);
      expect(notationOf(fromNotation(notation))).toEqual(notation);
    }
  });
});
