/** Libraries that do not come with wirebench, or in other versions: what is fetched for a run, and kept for the next. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import {
  cachedFolder,
  cachedVersionFolder,
  chosenLibrary,
  type LibraryIdentity,
} from "../catalog/library-version.ts";
import type { NamedCodec } from "../catalog/registry.ts";
import type { LibraryCopy } from "../model/codec.ts";
import { NotInstalledError, UsageError } from "../model/errors.ts";
import { npmInstall } from "./npm-install.ts";
import { comparedSource, packageIn } from "./paired/compared-side.ts";

/**
 * Installs the libraries of codecs that are nowhere, in the versions that the codecs were tried with, without running their scripts.
 * Throws UsageError with what npm says.
 */
export async function installMissing(codecs: readonly NamedCodec[], signal?: AbortSignal): Promise<void> {
  const missing = new Map(
    codecs.filter(isMissing).map((codec) => [`${codec.library}@${codec.tried}`, cachedFolder(codec)]),
  );
  for (const [spec, folder] of missing) await installInto(folder, spec, signal);
}

function isMissing(codec: NamedCodec): boolean {
  try {
    chosenLibrary(codec);
    return false;
  } catch (error) {
    if (error instanceof NotInstalledError) return true;
    throw error;
  }
}

/** A version of a library that is measured beside the one that is there. */
export interface UsedVersion extends LibraryIdentity {
  readonly copy: LibraryCopy;
}

/**
 * The version of a library that `--use` names, as `avsc@5.7.9`, which is fetched where the cache does not have it. Throws
 * UsageError.
 */
export async function usedVersion(spec: string, signal?: AbortSignal): Promise<UsedVersion> {
  const source = comparedSource(spec);
  if (source.kind !== "package" || source.version === undefined)
    throw new UsageError(`${spec}: expected a package with a version, as avsc@5.7.9`);
  const { name } = source;
  const folder = cachedVersionFolder(name, source.version);
  if (!existsSync(folder)) await installInto(folder, spec, signal);
  const { version } = packageIn(path.join(folder, "node_modules", name));
  return { library: name, version, copy: { name, folder } };
}

/** All of it or nothing: what is half installed, because npm failed or was ended, is in another folder, and goes. */
async function installInto(folder: string, spec: string, signal: AbortSignal | undefined): Promise<void> {
  const parent = path.dirname(folder);
  mkdirSync(parent, { recursive: true });
  const made = mkdtempSync(path.join(parent, "new-"));
  try {
    const inner = path.join(made, "installed");
    await npmInstall(spec, inner, signal);
    // Another run may have been faster.
    if (!existsSync(folder)) renameSync(inner, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
