import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { withCompiled } from "../compiled.ts";

interface Row {
  readonly name: string;
  readonly expected: string;
  readonly outcome: string;
  readonly grownKb: number;
  readonly heldKb: number;
}

/** What one input may cost: 16 MB and 64 times its own size. */
const MAX_GROWTH_KB = 16 * 1024 + 64 * 64;

describe("structs of 64 KB, in a heap of 64 MB", () => {
  const rows = withCompiled("test/codecs/python-struct-memory-program.ts", (program) => {
    const heap = ["--expose-gc", "--max-old-space-size=64", "--max-semi-space-size=1"];
    const output = execFileSync(process.execPath, [...heap, program], { encoding: "utf8" });
    return output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Row);
  });

  it.each(rows)("$name", ({ expected, outcome, grownKb, heldKb }) => {
    expect(outcome).toBe(expected);
    expect(grownKb).toBeLessThan(MAX_GROWTH_KB);
    expect(heldKb).toBeLessThan(MAX_GROWTH_KB);
  });
});
