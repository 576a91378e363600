import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { withCompiled } from "../compiled.ts";

interface Row {
  readonly name: string;
  readonly expected: string;
  readonly outcome: string;
  readonly steps: number;
  readonly grownKb: number;
}

/** What one input may cost: two steps for each of its bytes, and 16 MB and 64 times its own size. */
const MAX_STEPS = 2 * 65_536;
const MAX_GROWTH_KB = 16 * 1024 + 64 * 64;

describe("verifiers on hostile inputs of 64 KB, in a heap of 64 MB", () => {
  const rows = withCompiled("test/formats/hostile-program.ts", (program) => {
    const heap = ["--max-old-space-size=64", "--max-semi-space-size=1"];
    const output = execFileSync(process.execPath, [...heap, program], { encoding: "utf8" });
    return output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Row);
  });

  it.each(rows)("$name", ({ expected, outcome, steps, grownKb }) => {
    expect(outcome).toBe(expected);
    expect(steps).toBeGreaterThan(0);
    expect(steps).toBeLessThan(MAX_STEPS);
    expect(grownKb).toBeLessThan(MAX_GROWTH_KB);
  });
});
