import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { withCompiled } from "../../compiled.ts";

/** What decoding 64 KB may take: 16 MB, and 64 times as much as there is. */
const MAX_GROWTH_KB = 16 * 1024 + 64 * 64;

describe("amf3 on hostile inputs of 64 KB, in a heap of 64 MB", () => {
  const rows = withCompiled("test/formats/amf3/memory-program.ts", (program) => {
    const heap = ["--max-old-space-size=64", "--max-semi-space-size=1"];
    const output = execFileSync(process.execPath, [...heap, program], { encoding: "utf8" });
    return output
      .trim()
      .split("\n")
      .map(
        (line) => JSON.parse(line) as { name: string; expected: string; outcome: string; grownKb: number },
      );
  });

  it.each(rows)("$name", ({ expected, outcome, grownKb }) => {
    expect(outcome).toBe(expected);
    expect(grownKb).toBeLessThan(MAX_GROWTH_KB);
  });
});
