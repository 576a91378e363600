/** Reference programs that this machine can build, kept in the user's cache folder by all that decides what they are. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { type Hello, helloOf } from "./conversation.ts";
import type { NativeProgram } from "./manifest.ts";
import { type BuildOptions, contentOf, type Tool, toolchainOf, versionOf } from "./toolchain.ts";

/** A program that was built, and has said what it is. */
export interface BuiltNative {
  readonly program: NativeProgram;
  /** What starts it. */
  readonly command: readonly string[];
  readonly hello: Hello;
  readonly flags: readonly string[];
}

/** What became of a program: built, or what has to be installed for it, or why it failed. */
export type NativeOutcome =
  | BuiltNative
  | { readonly program: NativeProgram; readonly missing: string }
  | { readonly program: NativeProgram; readonly failed: string };

/**
 * Builds a program unless it is there already, and asks what it is.
 * @param onBuild is called before it is built
 */
export async function builtNative(
  program: NativeProgram,
  options: BuildOptions = {},
  onBuild: () => void = () => {},
): Promise<NativeOutcome> {
  const toolchain = toolchainOf(program);
  const needed = await Promise.all(
    toolchain.needs(program).map(async (tool) => ({ tool, version: await versionOf(tool) })),
  );
  const missing = needed.filter(({ version }) => version === undefined).map(({ tool }) => tool);
  if (missing.length > 0) return { program, missing: notFound(missing) };
  const flags = toolchain.flags(options);
  const known = [
    ...contentOf(toolchain.inputs(program)),
    ...needed.map(({ version }) => version),
    ...flags,
    os.arch(),
  ];
  const key = createHash("sha256").update(JSON.stringify(known)).digest("hex").slice(0, 16);
  const folder = path.join(nativeCache(), `${program.name.replaceAll("/", "-")}-${key}`);
  const said = async (): Promise<BuiltNative> => {
    const command = toolchain.command(program, folder);
    return { program, command, hello: await helloOf(command), flags };
  };
  const { build } = toolchain;
  try {
    if (build === undefined) return await said();
    if (existsSync(folder)) {
      try {
        return await said();
      } catch {
        // What does not start any more is built anew.
        rmSync(folder, { recursive: true, force: true });
      }
    }
    onBuild();
    const place = newPlace(folder);
    try {
      await build(program, place, options);
      // Whoever builds the same beside us, or is interrupted, leaves nothing half made.
      if (!existsSync(folder)) renameSync(place, folder);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
    return await said();
  } catch (error) {
    options.signal?.throwIfAborted();
    return { program, failed: (error as Error).message };
  }
}

/** A folder to build in, beside where the program will be. */
function newPlace(folder: string): string {
  try {
    mkdirSync(path.dirname(folder), { recursive: true });
    return mkdtempSync(`${folder}.`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `the cache folder ${path.dirname(folder)} cannot be written to (${code}): set XDG_CACHE_HOME`,
    );
  }
}

const APT = "apt-get install ";

/** What is missing and how to install it, in one line: Debian's packages by one command. */
function notFound(missing: readonly Tool[]): string {
  const names = new Set(missing.map(({ name }) => name));
  const installs = [...new Set(missing.map(({ install }) => install))];
  const packages = installs.filter((one) => one.startsWith(APT)).map((one) => one.slice(APT.length));
  const others = installs.filter((one) => !one.startsWith(APT));
  const commands = [...(packages.length === 0 ? [] : [APT + packages.join(" ")]), ...others];
  return `${[...names].join(", ")} not found: ${commands.join("; ")}`;
}

/** Where programs are kept: `$XDG_CACHE_HOME/wirebench/native`, or in `~/.cache`. */
export function nativeCache(): string {
  const { XDG_CACHE_HOME: cache = "" } = process.env;
  // As its specification has it, a relative one does not count.
  return path.join(path.isAbsolute(cache) ? cache : path.join(os.homedir(), ".cache"), "wirebench", "native");
}
