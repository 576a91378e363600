/** Reference programs that this machine can build, kept in the user's cache folder by all that decides what they are. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { type Hello, helloOf } from "./conversation.ts";
import type { NativeProgram } from "./manifest.ts";
import { type BuildOptions, contentOf, toolchainOf, versionOf } from "./toolchain.ts";

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
  if (missing.length > 0) {
    const installs = new Set(missing.map(({ install }) => install));
    return {
      program,
      missing: `${[...new Set(missing.map(({ name }) => name))].join(", ")} not found: ${[...installs].join("; ")}`,
    };
  }
  const flags = toolchain.flags(options);
  const known = [
    ...contentOf(toolchain.inputs(program)),
    ...needed.map(({ version }) => version),
    ...flags,
    os.arch(),
  ];
  const key = createHash("sha256").update(JSON.stringify(known)).digest("hex").slice(0, 16);
  const folder = path.join(nativeCache(), `${program.name.replaceAll("/", "-")}-${key}`);
  try {
    if (!existsSync(folder)) {
      onBuild();
      mkdirSync(nativeCache(), { recursive: true });
      // Whoever builds the same beside us, or is interrupted, leaves nothing half made.
      const place = mkdtempSync(`${folder}.`);
      try {
        await toolchain.build(program, place, options);
        if (!existsSync(folder)) renameSync(place, folder);
      } finally {
        rmSync(place, { recursive: true, force: true });
      }
    }
    const command = toolchain.command(program, folder);
    return { program, command, hello: await helloOf(command), flags };
  } catch (error) {
    return { program, failed: (error as Error).message };
  }
}

/** Where programs are kept: `$XDG_CACHE_HOME/wirebench/native`, or in `~/.cache`. */
export function nativeCache(): string {
  const { XDG_CACHE_HOME: cache } = process.env;
  return path.join(
    cache !== undefined && cache !== "" ? cache : path.join(os.homedir(), ".cache"),
    "wirebench",
    "native",
  );
}
