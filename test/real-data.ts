/** Real messages that are used in place and never copied into this repository. */
import { existsSync } from "node:fs";
import path from "node:path";
import { it } from "vitest";

const folder = path.resolve(
  process.env["WIREBENCH_TEST_DATA"] ?? path.join(import.meta.dirname, "../../shared/data"),
);

/** Path of a file of real data. */
export function realData(name: string): string {
  return path.join(folder, name);
}

const present = existsSync(realData("messages.proto"));
const required = process.env["WIREBENCH_REQUIRE_REFERENCES"] === "1";
if (!present) {
  process.stderr.write(
    `\nNO REAL DATA: ${folder} is missing, so tests on real messages are ${required ? "failing" : "skipped"}.\n\n`,
  );
}

/** `it`, for a test on real data. */
export const itWithRealData: typeof it | typeof it.skip = present || required ? it : it.skip;
