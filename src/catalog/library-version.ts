import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { PluginError } from "../model/errors.ts";
import type { NamedCodec } from "./registry.ts";

/** This package's own version. */
export const OWN_VERSION: string = packageVersion(
  path.join(import.meta.dirname, "..", "..", "package.json"),
).version;

/**
 * Which library a codec measures, and its version. A result is about a version: a codec whose library's
 * version cannot be found is not measured. Throws PluginError.
 */
export function libraryOf(codec: Pick<NamedCodec, "name" | "library" | "file">): {
  readonly library: string;
  readonly version: string;
} {
  const { library } = codec;
  if (library === "node") return { library, version: process.versions.node };
  if (library === undefined) return { library: "wirebench", version: OWN_VERSION };
  try {
    const entry = createRequire(codec.file).resolve(library);
    // Packages may hide package.json behind `exports`, so it is looked for from the entry upwards.
    for (let folder = path.dirname(entry); ; folder = path.dirname(folder)) {
      const found = packageVersion(path.join(folder, "package.json"));
      if (found.name === library) return { library, version: found.version };
      if (path.dirname(folder) === folder) break;
    }
  } catch (error) {
    throw new PluginError(`${codec.name}: its library ${library} is not installed`, { cause: error });
  }
  throw new PluginError(`${codec.name}: the version of its library ${library} is not known`);
}

function packageVersion(file: string): { name: string; version: string } {
  if (!existsSync(file)) return { name: "", version: "" };
  return JSON.parse(readFileSync(file, "utf8")) as { name: string; version: string };
}
