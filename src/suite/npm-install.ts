import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { defined } from "../model/defined.ts";
import { UsageError } from "../model/errors.ts";

/** There npm is a script of the shell, to which the spaces of a path and the signs of a range mean something. */
const WINDOWS = process.platform === "win32";

/** A slow line and a large package take a minute. */
const TIMEOUT_SECONDS = 300;

/**
 * Installs a package with npm into a folder of its own, which is made, without running its scripts. Throws UsageError with
 * what npm says, and the signal's reason when it is aborted.
 * @param spec `name@version`, or the path of a packed package
 */
export function npmInstall(spec: string, folder: string, signal?: AbortSignal): Promise<void> {
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
    // By default, npm tries for 70 s whether there is a network at all.
    "--fetch-retry-mintimeout=1000",
    "--fetch-retry-maxtimeout=5000",
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
    .filter(
      (line) =>
        !/^(?:code |errno |syscall |at |In most cases |A complete log|npm |[{}]|[a-z]\w*: )/.test(line),
    );
  return said.slice(0, 2).join("; ") || error.message.split("\n")[0] || "it failed";
}
