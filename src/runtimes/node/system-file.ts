import { readFileSync } from "node:fs";

/** The text of a file in which the system says something; undefined where it does not say it. */
export function systemText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
