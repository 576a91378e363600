import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { PluginError } from "../model/errors.ts";
import type { NamedCodec } from "./registry.ts";

/** This package's own version. */
export const OWN_VERSION: string = versionIn(path.join(import.meta.dirname, "..", "..", "package.json"));

/**
 * Which library a codec measures, and its version. A result is about a version: a codec whose library is not
 * installed is not measured. Throws PluginError.
 */
export function libraryOf(codec: Pick<NamedCodec, "name" | "library" | "file">): {
  readonly library: string;
  readonly version: string;
} {
  const { name, library, file } = codec;
  if (library === undefined) return { library: "wirebench", version: OWN_VERSION };
  if (library === "node") return { library, version: process.versions.node };
  return { library, version: versionIn(path.join(installedFolder({ name, file }, library), "package.json")) };
}

/** Where the copy of a library is that a codec loads. Throws PluginError. */
export function installedFolder({ name, file }: Pick<NamedCodec, "name" | "file">, library: string): string {
  // Not by import.meta.resolve: packages may hide package.json, and some have no entry for require.
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const found = path.join(folder, "node_modules", library);
    if (existsSync(path.join(found, "package.json"))) return found;
    if (path.dirname(folder) === folder)
      throw new PluginError(`${name}: its library ${library} is not installed`);
  }
}

function versionIn(file: string): string {
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
