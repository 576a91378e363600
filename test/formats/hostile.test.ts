import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { withCompiled } from "../compiled.ts";

interface Row {
  readonly name: string;
  readonly expected: string;
  readonly outcome: string;
  readonly ms: number;
  readonly grownKb: number;
}

/** What one input may cost: 50 ms, and 16 MB and 64 times its own size. */
const MAX_MS = 50;
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

  it.each(rows)("$name", ({ expected, outcome, ms, grownKb }) => {
    expect(outcome).toBe(expected);
    expect(ms).toBeLessThan(MAX_MS);
    expect(grownKb).toBeLessThan(MAX_GROWTH_KB);
  });
});
