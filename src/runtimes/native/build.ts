/** Reference programs that this machine can build, kept in the user's cache folder by all that decides what they are. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { cacheFolder } from "../../catalog/cache-folder.ts";
import { type Hello, helloOf } from "./conversation.ts";
import type { NativeProgram } from "./manifest.ts";
import {
  type BuildOptions,
  contentOf,
  type Tool,
  type Toolchain,
  toolchainOf,
  versionOf,
} from "./toolchain.ts";

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
 * Builds a program unless it is there already, and asks what it is. Throws the signal's reason.
 * @param onBuild is called before it is built
 */
export async function builtNative(
  program: NativeProgram,
  options: BuildOptions = {},
  onBuild: () => void = () => {},
): Promise<NativeOutcome> {
  const found = await foundNative(program, options);
  if (!("unbuilt" in found)) return found;
  onBuild();
  try {
    const { toolchain, folder, isDamaged } = found.unbuilt;
    // What does not start any more is built anew.
    if (isDamaged) rmSync(folder, { recursive: true, force: true });
    const place = newPlace(folder);
    try {
      await toolchain.build?.(program, place, options);
      // Whoever builds the same beside us, or is interrupted, leaves nothing half made.
      if (!existsSync(folder)) renameSync(place, folder);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
    return await saidBy(program, found.unbuilt, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    return { program, failed: (error as Error).message };
  }
}

/** What is known of a program before it is built: where it is to be, if it is not there. */
export type FoundNative = NativeOutcome | { readonly program: NativeProgram; readonly unbuilt: Place };

/** Where a program is built, by what, and what the compiler is told. */
interface Place {
  readonly toolchain: Toolchain;
  readonly folder: string;
  readonly flags: readonly string[];
  /** Whether something is there that does not start. */
  readonly isDamaged: boolean;
}

/** A program that is there already, or whose tools are not; otherwise where it is to be built. Throws the signal's reason. */
export async function foundNative(program: NativeProgram, options: BuildOptions = {}): Promise<FoundNative> {
  const toolchain = toolchainOf(program);
  const needed = await Promise.all(
    toolchain.needs(program).map(async (tool) => ({ tool, version: await versionOf(tool, options) })),
  );
  options.signal?.throwIfAborted();
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
  const folder = path.join(cacheFolder("native"), `${program.name.replaceAll("/", "-")}-${key}`);
  const place = { toolchain, folder, flags, isDamaged: false };
  const isBuilt = toolchain.build !== undefined;
  if (isBuilt && !existsSync(folder)) return { program, unbuilt: place };
  try {
    return await saidBy(program, place, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!isBuilt) return { program, failed: (error as Error).message };
    return { program, unbuilt: { ...place, isDamaged: true } };
  }
}

async function saidBy(
  program: NativeProgram,
  { toolchain, folder, flags }: Place,
  { signal }: BuildOptions,
): Promise<BuiltNative> {
  const command = toolchain.command(program, folder);
  return { program, command, hello: await helloOf(command, signal), flags };
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
