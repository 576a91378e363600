/** Reference programs: tests that compare with one are skipped where it is missing, unless they are required. */
import { execFileSync } from "node:child_process";
import { it } from "vitest";

const required = process.env["WIREBENCH_REQUIRE_REFERENCES"] === "1";

function isInstalled(program: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/**
 * `it`, for a test that runs these programs. Where one is missing the test is skipped and counted; with
 * WIREBENCH_REQUIRE_REFERENCES=1 it fails.
 */
export function itWith(...programs: string[]): typeof it | typeof it.skip {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length === 0) return it;
  if (!required) return it.skip;
  const fail = (name: string): void =>
    it(name, () => {
      throw new Error(`${missing.join(", ")}: required and not installed`);
    });
  return fail as unknown as typeof it;
}
