import { UsageError } from "../model/errors.ts";
import type { NativeSelection } from "../suite/selection.ts";
import { untilInterrupted } from "./interrupt.ts";
import type { Io } from "./io.ts";

/** What a command says of reference programs. */
export interface NativeFlags {
  /** Whether they take part; a folder has others. */
  readonly native?: boolean | string;
  readonly cxxflags?: string;
}

/** Reference programs: those of a folder, or else of wirebench. */
export function nativePrograms(
  folder: string | undefined,
  cxxflags: string | undefined,
  io: Io,
): NativeSelection {
  return {
    ...(folder === undefined ? {} : { folder }),
    ...(cxxflags === undefined ? {} : { cxxflags: cxxflags.split(/\s+/).filter(Boolean) }),
    onBuild: (program) => io.tell(`building ${program}\n`),
  };
}

/** What `--native` and `--cxxflags` ask for; undefined for nothing. Throws UsageError. */
export function nativeSelection({ native, cxxflags }: NativeFlags, io: Io): NativeSelection | undefined {
  if (native !== undefined && native !== false)
    return nativePrograms(native === true ? undefined : native, cxxflags, io);
  if (cxxflags !== undefined) throw new UsageError("--cxxflags needs --native: nothing else is compiled");
  return undefined;
}

/** Plans with what the flags ask for. Ctrl-C ends a build at once, and the command with it. Throws Interrupted. */
export async function withNatives<T>(
  flags: NativeFlags,
  io: Io,
  plan: (native: NativeSelection | undefined) => Promise<T>,
): Promise<T> {
  const native = nativeSelection(flags, io);
  if (native === undefined) return plan(undefined);
  return untilInterrupted(async (signal) => {
    const planned = await plan({ ...native, signal });
    signal.throwIfAborted();
    return planned;
  });
}
