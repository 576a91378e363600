/** Tests that work grows no faster than what it is done for: steps are counted, and nothing is timed. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { withCompiled } from "../../compiled.ts";
import type { Work } from "./steps.ts";

const STEPS = "test/formats/linear-work/steps.js";

/** What the program's families took. @param program its path from the repository's root */
export function workReportedBy(program: string): readonly Work[] {
  return withCompiled(program, (file) => {
    const root = file.slice(0, -program.length);
    const flags = ["--no-opt", "--sampling-heap-profiler-suppress-randomness"];
    const first = ["--import", path.join(root, STEPS)];
    const output = execFileSync(process.execPath, [...flags, ...first, file], { encoding: "utf8" });
    return output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Work);
  });
}

/**
 * What four times the size may take, as a multiple: 4 is linear, 16 quadratic. Tables that grow by doubling, and a
 * logarithm, take a part of what is between.
 */
const MOST = 5;

/** Steps that do not depend on the size. */
const CONSTANT = 5_000;

/** The steps of each size, and the most that the largest may have. */
export function growthOf({ blocks, native, words }: Work): { steps: number[]; most: number } {
  const steps = blocks.map((count, i) => count + native[i]! + words[i]!);
  return { steps, most: MOST * steps[0]! + CONSTANT };
}

/**
 * Makes a test of each family that a program reports.
 * @param program its path from the repository's root
 * @param refused names of families that end in a DecodeError, a ValueError or a SchemaError
 */
export function describeLinearWork(
  program: string,
  { refused = [] }: { readonly refused?: readonly string[] } = {},
): void {
  const rows = workReportedBy(program);

  describe("work is linear", () => {
    it.each(rows)("$name", (work) => {
      const { steps, most } = growthOf(work);
      expect(work.outcome).toMatch(refused.includes(work.name) ? /^(Decode|Value|Schema)Error$/ : "done");
      expect(work.blocks[0]).toBeGreaterThan(0);
      expect(steps[1], JSON.stringify(work)).toBeLessThanOrEqual(most);
    });

    it("for every family that is named as refused", () => {
      expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining([...refused]));
    });
  });
}
