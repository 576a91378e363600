/** Which copy of a library a codec measures: that of the user's project, else wirebench's own, else one that it has installed itself. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { LibraryCopy } from "../model/codec.ts";
import { defined } from "../model/defined.ts";
import { NotInstalledError } from "../model/errors.ts";
import { ownFile } from "../model/package-files.ts";
import { cacheFolder } from "./cache-folder.ts";
import { type NamedCodec, notInstalled } from "./registry.ts";

/** This package's own version. */
export const OWN_VERSION: string = versionIn(fileURLToPath(ownFile("")));

/** A library as a result names it. */
export interface LibraryIdentity {
  readonly library: string;
  readonly version: string;
}

/** The copy that a codec measures. */
export interface ChosenLibrary extends LibraryIdentity {
  /** What leads a measuring process to it; absent for the copy that the codec's file imports by itself. */
  readonly copy?: LibraryCopy;
  /** The version that the codec was tried with, where that is another major one. */
  readonly tried?: string;
}

/** What is asked of a codec here. */
export type LibraryUser = Pick<NamedCodec, "name" | "library" | "file" | "tried">;

/**
 * The copy that a codec's own file imports. A result is about a version: a codec whose library is not installed is not measured.
 * Throws PluginError.
 */
export function libraryOf(codec: LibraryUser): LibraryIdentity {
  const { library } = codec;
  if (library === undefined) return { library: "wirebench", version: OWN_VERSION };
  if (library === "node") return { library, version: process.versions.node };
  return { library, version: versionIn(installedFolder(codec, library)) };
}

/** Where the copy is that a codec's own file imports. Throws PluginError. */
export function installedFolder(codec: LibraryUser, library: string): string {
  const found = installedAbove(path.dirname(codec.file), library);
  if (found === undefined) throw notInstalled(codec);
  return found;
}

/**
 * The copy that a run measures: of the project in whose folder wirebench was started, since that is what its user runs;
 * else the one that comes with wirebench; else the one that `--install` has put into the cache. Throws PluginError.
 */
export function chosenLibrary(codec: LibraryUser): ChosenLibrary {
  const { library } = codec;
  if (library === undefined || library === "node") return libraryOf(codec);
  const own = installedAbove(path.dirname(codec.file), library);
  const found = installedAbove(process.cwd(), library) ?? own ?? installedAbove(cachedFolder(codec), library);
  if (found === undefined) throw notInstalled(codec);
  const version = versionIn(found);
  const tried = triedVersion(codec);
  const isOwn = own !== undefined && realpathSync(own) === realpathSync(found);
  const copy = { name: library, folder: parentOfModules(found, library) };
  return {
    library,
    version,
    ...(isOwn ? {} : { copy: copyOf(copy, version, tried) }),
    ...defined({ tried: otherMajor(version, tried) }),
  };
}

/** The folder of the package that a run measures. Throws PluginError. */
export function chosenFolder(codec: LibraryUser, library: string): string {
  const { copy } = chosenLibrary(codec);
  return copy === undefined
    ? installedFolder(codec, library)
    : path.join(copy.folder, "node_modules", library);
}

/** The copies that the user's project has of the libraries that come with wirebench, where they are others than those. */
export function projectCopies(): LibraryCopy[] {
  const here = fileURLToPath(ownFile(""));
  const manifest = JSON.parse(readFileSync(path.join(here, "package.json"), "utf8")) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  return Object.keys(manifest.dependencies ?? {}).flatMap((name) => {
    return chosenCopy({ name, library: name, file: path.join(here, "package.json") }) ?? [];
  });
}

/** The copy that a process has to be led to, as {@link ChosenLibrary.copy}; undefined also where the library is nowhere. */
export function chosenCopy(codec: LibraryUser): LibraryCopy | undefined {
  try {
    return chosenLibrary(codec).copy;
  } catch (error) {
    if (error instanceof NotInstalledError) return undefined;
    throw error;
  }
}

/** The version of its library that a codec was tried with; undefined for what is built in, or nowhere. */
export function triedVersion({ library, tried, file }: LibraryUser): string | undefined {
  if (tried !== undefined || library === undefined || library === "node") return tried;
  const own = installedAbove(path.dirname(file), library);
  return own && versionIn(own);
}

/** A copy of a library that says so where its codec was tried with another version. */
export function copyOf(copy: LibraryCopy, version: string, tried: string | undefined): LibraryCopy {
  return tried === undefined || tried === version ? copy : { ...copy, untried: { version, tried } };
}

/** The version that a codec was tried with, where it is another major one. */
export function otherMajor(version: string, tried: string | undefined): string | undefined {
  return tried !== undefined && major(tried) !== major(version) ? tried : undefined;
}

/** Whether a codec's library comes with wirebench, or is what the user's project depends on: its package.json says so. */
export function isAtHand({ library, tried }: LibraryUser, dependencies: ReadonlySet<string>): boolean {
  return tried === undefined || dependencies.has(library ?? "");
}

/** The names of the packages that the project depends on in whose folder wirebench was started. */
export function projectDependencies(): ReadonlySet<string> {
  for (let folder = process.cwd(); ; folder = path.dirname(folder)) {
    try {
      const text = readFileSync(path.join(folder, "package.json"), "utf8");
      return new Set(Object.keys((JSON.parse(text) as { dependencies?: object }).dependencies ?? {}));
    } catch {
      // There is none here, or none that can be read.
    }
    if (path.dirname(folder) === folder) return new Set();
  }
}

/** The folder in which `--install` puts the version of a library that its codec was tried with. */
export function cachedFolder({ library = "", tried = "" }: LibraryUser): string {
  return cachedVersionFolder(library, tried);
}

/** The folder in which any version of a library is kept. */
export function cachedVersionFolder(library: string, version: string): string {
  return path.join(cacheFolder("libraries"), `${library.replace("/", "+")}@${version}`);
}

/** The folder of a package as an import in a folder finds it. */
function installedAbove(from: string, library: string): string | undefined {
  // Not by import.meta.resolve: packages may hide package.json, and some have no entry for require.
  for (let folder = from; ; folder = path.dirname(folder)) {
    const found = path.join(folder, "node_modules", library);
    if (existsSync(path.join(found, "package.json"))) return found;
    if (path.dirname(folder) === folder) return undefined;
  }
}

/** The folder in whose `node_modules` a package is. */
function parentOfModules(found: string, library: string): string {
  return path.resolve(found, ...library.split("/").map(() => ".."), "..");
}

function major(version: string): string {
  const [first = "", second = ""] = version.split(".");
  // Before 1.0 every minor version may break what the one before it promised.
  return first === "0" ? `${first}.${second}` : first;
}

function versionIn(folder: string): string {
  return (JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as { version: string }).version;
}
