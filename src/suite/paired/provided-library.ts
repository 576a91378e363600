import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { chosenFolder } from "../../catalog/library-version.ts";
import type { NamedCodec } from "../../catalog/registry.ts";
import type { LibraryCopy } from "../../model/codec.ts";
import { UsageError } from "../../model/errors.ts";
import { npmInstall } from "../npm-install.ts";
import { type ComparedSource, packageIn } from "./compared-side.ts";

/** A copy of a library that a measuring process can load, and its version. */
export interface ProvidedLibrary {
  readonly copy: LibraryCopy;
  readonly version: string;
}

/**
 * Makes a folder with a copy of a library in its `node_modules`: installed by npm, or linked. What is installed already is
 * linked too, so that both sides of a comparison are loaded in the same way. Throws UsageError.
 * @param folder is made
 * @param codec one that uses the library, of which a run's copy is taken
 */
export async function providedLibrary(
  source: Exclude<ComparedSource, { kind: "plugin" }>,
  folder: string,
  codec: (name: string) => NamedCodec,
  signal?: AbortSignal,
): Promise<ProvidedLibrary> {
  // Asked before npm is: a package that no codec uses need not be fetched.
  if (source.kind === "package") {
    const known = codec(source.name);
    if (source.version === undefined) return linked(source.name, chosenFolder(known, source.name), folder);
    await npmInstall(`${source.name}@${source.version}`, folder, signal);
    return provided(source.name, folder);
  }
  if (source.kind === "folder") {
    codec(source.name);
    return linked(source.name, source.folder, folder);
  }
  await npmInstall(source.file, folder, signal);
  const name = onlyDependency(folder);
  codec(name);
  return provided(name, folder);
}

function linked(name: string, target: string, folder: string): ProvidedLibrary {
  const link = path.join(folder, "node_modules", name);
  mkdirSync(path.dirname(link), { recursive: true });
  symlinkSync(target, link, "junction");
  return provided(name, folder);
}

function provided(name: string, folder: string): ProvidedLibrary {
  const { version } = packageIn(path.join(folder, "node_modules", name));
  return { copy: { name, folder }, version };
}

/** What npm wrote down as installed. */
function onlyDependency(folder: string): string {
  const { dependencies = {} } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as {
    dependencies?: Record<string, string>;
  };
  const [name] = Object.keys(dependencies);
  if (name === undefined) throw new UsageError("npm install: it installed nothing");
  return name;
}
