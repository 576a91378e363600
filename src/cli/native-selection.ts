import { UsageError } from "../model/errors.ts";
import type { NativeSelection } from "../suite/natives.ts";
import type { Io } from "./io.ts";

/** What a command says of reference programs. */
export interface NativeFlags {
  /** Whether they take part; a folder has others. */
  readonly native?: boolean | string;
  readonly cxxflags?: string;
}

/** What `--native` and `--cxxflags` ask for; undefined for nothing. */
export function nativeSelection(
  { native: folder, cxxflags }: NativeFlags,
  io: Io,
): NativeSelection | undefined {
  if (folder === undefined || folder === false) {
    if (cxxflags !== undefined) throw new UsageError("--cxxflags needs --native: nothing else is compiled");
    return undefined;
  }
  return {
    ...(folder === true ? {} : { folder }),
    ...(cxxflags === undefined ? {} : { cxxflags: cxxflags.split(/\s+/).filter(Boolean) }),
    onBuild: (program) => io.tell(`building ${program}\n`),
  };
}
