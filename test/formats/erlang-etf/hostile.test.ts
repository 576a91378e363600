import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binaryToTerm, type DecodeOptions, termToBinary } from "../../../src/formats/erlang-etf/index.ts";
import { withCompiled } from "../../compiled.ts";
import { expectSafe } from "../../hostile.ts";
import { mutants, SEED } from "../../seed.ts";
import { plainValues, typedTerms } from "./arbitrary-term.ts";
import { HOSTILE_INPUTS } from "./hostile-inputs.ts";
import { OLD_FORMS } from "./old-forms.ts";

const typed = fc.sample(typedTerms(), { numRuns: 300, seed: SEED });
const plain = fc.sample(plainValues(), { numRuns: 200, seed: SEED });
const vectors = [
  ...OLD_FORMS.map(({ bytes }) => bytes),
  ...typed.map((term, i) => termToBinary(term, { minorVersion: (i % 3) as 0 | 1 | 2 })),
  ...plain.map((value) => termToBinary(value)),
  ...plain.slice(0, 50).map((value) => termToBinary([value, value, value], { compressed: 6 })),
].filter(({ length }) => length <= 4096);

describe("damaged bytes", () => {
  it.each<DecodeOptions>([
    { terms: "typed", funs: "inert" },
    { maps: "Map", binaries: "auto", funs: "inert" },
    {},
  ])("are read with %o as a term that can be written, or refused", (options) => {
    const verdicts = expectSafe(
      {
        decode: (bytes) => binaryToTerm(bytes, options),
        encode: (value) => termToBinary(value),
        // What is written is in order; two terms are the same if they are written so.
        equal: (a, b) => Buffer.compare(termToBinary(a), termToBinary(b)) === 0,
        vectors,
      },
      { mutants: Math.ceil(mutants(100_000) / 3), seed: SEED },
    );
    expect(Math.min(verdicts.accepted, verdicts.refused)).toBeGreaterThan(1000);
  });
});

interface Row {
  readonly outcome: string;
  readonly grownKb: number;
}

/** What reading an input may take: 16 MB, and 64 times its own size. */
const MOST_KB = 16 * 1024 + 64 * 64;

/** Reads inputs in a process of 64 MB of heap. */
function readAlone(program: string, files: readonly string[]): Row[] {
  const flags = ["--max-old-space-size=64", "--max-semi-space-size=1", "--expose-gc"];
  const output = execFileSync(process.execPath, [...flags, program, ...files], { encoding: "utf8" });
  return output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
}

describe("the worst inputs of 64 KB, in a heap of 64 MB", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "wirebench-etf-"));
  const given = HOSTILE_INPUTS.map(([, bytes, options = {}], i) => {
    const file = path.join(folder, String(i));
    writeFileSync(file, bytes);
    return { file, options: JSON.stringify(options), isCompressed: bytes[1] === 80 };
  });
  const rows = withCompiled("test/formats/erlang-etf/hostile-program.ts", (program) => {
    const argumentsOf = ({ file, options }: { file: string; options: string }): string[] => [file, options];
    const together = readAlone(program, given.filter((one) => !one.isCompressed).flatMap(argumentsOf));
    // Each of these may take all that is allowed: memory that one leaves behind is not another's.
    const alone = given
      .filter((one) => one.isCompressed)
      .map((one) => readAlone(program, argumentsOf(one))[0]!);
    return given.map(({ isCompressed }) => (isCompressed ? alone.shift()! : together.shift()!));
  });
  rmSync(folder, { recursive: true });

  it.each(
    HOSTILE_INPUTS.map(([name, bytes, , expected = "read"], i) => ({ name, bytes, expected, ...rows[i]! })),
  )("$name", ({ bytes, expected, outcome, grownKb }) => {
    expect(bytes.length).toBeLessThanOrEqual(66_000);
    expect(outcome).toBe(expected);
    expect(grownKb).toBeLessThan(MOST_KB);
  });
});
