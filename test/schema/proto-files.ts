/** Files of .proto for a test. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Writes files into a folder of their own, and returns its path. */
export function tree(texts: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), "wirebench-"));
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}
