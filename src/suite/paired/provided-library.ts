import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { installedFolder } from "../../catalog/library-version.ts";
import type { NamedCodec } from "../../catalog/registry.ts";
import type { LibraryCopy } from "../../measure/host.ts";
import { defined } from "../../model/defined.ts";
import { UsageError } from "../../model/errors.ts";
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
 * @param codec one that uses the library, of which the installed copy is taken
 */
export async function providedLibrary(
  source: Exclude<ComparedSource, { kind: "plugin" }>,
  folder: string,
  codec: (name: string) => NamedCodec,
  signal?: AbortSignal,
): Promise<ProvidedLibrary> {
  // Asked before npm is: a package that no codec uses need not be fetched.
  if (source.kind === "package") {
    const installed = installedFolder(codec(source.name), source.name);
    if (source.version === undefined) return linked(source.name, installed, folder);
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

/** There npm is a script of the shell, to which the spaces of a path and the signs of a range mean something. */
const WINDOWS = process.platform === "win32";

/** A slow line and a large package take a minute. */
const TIMEOUT_SECONDS = 300;

/**
 * Installs a package with npm into a folder of its own, which is made, without running its scripts. Throws UsageError with
 * what npm says, and the signal's reason when it is aborted.
 * @param spec `name@version`, or the path of a packed package
 */
function npmInstall(spec: string, folder: string, signal?: AbortSignal): Promise<void> {
  mkdirSync(folder);
  // Without one, npm would look for a project in the folders above.
  writeFileSync(path.join(folder, "package.json"), '{ "private": true }\n');
  const args = [
    "install",
    "--prefix",
    folder,
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    "--",
    spec,
  ];
  const options = {
    cwd: folder,
    timeout: TIMEOUT_SECONDS * 1000,
    shell: WINDOWS,
    ...defined({ signal }),
  };
  return new Promise((resolve, reject) => {
    execFile("npm", WINDOWS ? args.map((arg) => `"${arg}"`) : args, options, (error, _, stderr) => {
      if (signal?.aborted) reject(signal.reason);
      else if (error === null) resolve();
      else reject(new UsageError(`npm install ${spec}: ${reasonOf(error, stderr)}`, { cause: error }));
    });
  });
}

function reasonOf(error: Error & { readonly killed?: boolean }, stderr: string): string {
  if ((error as NodeJS.ErrnoException).code === "ENOENT")
    return "npm is not installed: expected it in the PATH";
  if (error.killed === true) return `no end after ${TIMEOUT_SECONDS} s`;
  const said = stderr
    .split("\n")
    .flatMap(
      (line) =>
        /^npm (?:error|ERR!)\s(?:(?:[A-Z0-9]{2,}|notarget|network) )?(.*)$/.exec(line)?.[1]?.trim() || [],
    )
    .filter((line) => !/^(?:code |errno |syscall |In most cases |A complete log|npm )/.test(line));
  return said.slice(0, 2).join("; ") || error.message.split("\n")[0] || "it failed";
}
