import { execFileSync } from "node:child_process";
import path from "node:path";
import type { Reference } from "../../references.ts";

const SCRIPT = path.join(import.meta.dirname, "reference.py");

/** Runs reference.py once, and gives the words of each line that it prints. */
export function runReference(python: Reference, args: readonly string[], input = ""): string[][] {
  const output = execFileSync(python.program as string, [SCRIPT, ...args], {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  return output
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" "));
}

/** What CPython makes of pickles: see `load` of reference.py. */
export function loadByReference(
  python: Reference,
  pickles: readonly { readonly protocol: number; readonly bytes: Uint8Array }[],
): string[][] {
  const lines = pickles.map(({ protocol, bytes }) => `${protocol} ${Buffer.from(bytes).toString("hex")}\n`);
  return runReference(python, ["load"], lines.join(""));
}
