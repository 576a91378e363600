import os from "node:os";
import path from "node:path";

/** Where wirebench keeps what it can make anew: `$XDG_CACHE_HOME/wirebench/<kind>`, or in `~/.cache`. */
export function cacheFolder(kind: "native" | "libraries"): string {
  const { XDG_CACHE_HOME: cache = "" } = process.env;
  // As its specification has it, a relative one does not count.
  return path.join(path.isAbsolute(cache) ? cache : path.join(os.homedir(), ".cache"), "wirebench", kind);
}
