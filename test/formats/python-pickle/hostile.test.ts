/** Bytes that are made to hurt: every one is a value or a DecodeError, and costs no more than it may. */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { decodePickle, encodePickle } from "../../../src/formats/python-pickle/index.ts";
import { withCompiled } from "../../compiled.ts";
import { expectSafe } from "../../hostile.ts";
import { mutants, SEED } from "../../seed.ts";
import { canonical } from "./canonical.ts";
import { vectors } from "./vectors.ts";

const EXACT = { wholeFloats: "PyFloat" } as const;

describe("mutants of the golden vectors", () => {
  // Small ones find more than large ones do, and each is met in every protocol.
  const small = vectors.filter(({ bytes }) => bytes.length <= 300).map(({ bytes }) => bytes);

  it("decode to a value that can be written and read again, or are refused", () => {
    const verdicts = expectSafe(
      {
        decode: (bytes) => decodePickle(bytes, EXACT),
        encode: encodePickle,
        equal: (a, b) => canonical(decodePickle(encodePickle(a), EXACT)) === canonical(b),
        vectors: small,
      },
      { mutants: mutants(100_000), seed: SEED },
    );
    expect(verdicts.accepted).toBeGreaterThan(mutants(100_000) / 100);
    expect(verdicts.refused).toBeGreaterThan(mutants(100_000) / 2);
  });
});

interface Row {
  readonly name: string;
  readonly expected: string;
  readonly outcome: string;
  readonly grownKb: number;
}

/** What one input of 64 KB may cost: 16 MB, and 64 times its own size. */
const MAX_GROWTH_KB = 16 * 1024 + 64 * 64;

describe("inputs of 64 KB, in a heap of 64 MB", () => {
  const rows = withCompiled("test/formats/python-pickle/hostile-program.ts", (program) => {
    const heap = ["--max-old-space-size=64", "--max-semi-space-size=1", "--expose-gc"];
    const output = execFileSync(process.execPath, [...heap, program], { encoding: "utf8" });
    return output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Row);
  });

  it.each(rows)("$name", ({ expected, outcome, grownKb }) => {
    expect(outcome).toBe(expected);
    expect(grownKb).toBeLessThan(MAX_GROWTH_KB);
  });
});
