/** Copies of installed libraries, for tests of what loads them. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

const MODULES = path.join(import.meta.dirname, "../../node_modules");

/** Makes what copied libraries depend on available in a folder. */
export function withDependencies(folder: string): void {
  symlinkSync(MODULES, path.join(folder, "node_modules"));
}

/** The version of an installed library. */
export function installedVersion(library: string): string {
  return (
    JSON.parse(readFileSync(path.join(MODULES, library, "package.json"), "utf8")) as { version: string }
  ).version;
}

/**
 * Copies an installed library into a folder and gives it another version.
 * @param broken a file of it that throws when it is loaded
 */
export function copied(folder: string, library: string, version: string, broken?: string): string {
  const copy = path.join(folder, `${library}-${version}`);
  cpSync(path.join(MODULES, library), copy, { recursive: true });
  const manifest = path.join(copy, "package.json");
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, "utf8")), version }));
  if (broken !== undefined) {
    const file = path.join(copy, broken);
    writeFileSync(file, `throw new Error("this is the copy");\n${readFileSync(file, "utf8")}`);
  }
  return copy;
}
