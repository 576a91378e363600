/** Runs in Node's thread for module hooks: see `module.register`. */
import type { InitializeHook, ResolveHook } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { OWN_MODULES } from "../../model/package-files.ts";
import type { LibraryHookData } from "./library-copy.ts";

/** By the name of the library: what is asked last holds. */
const known = new Map<string, LibraryHookData>();

/** What else is wirebench's own, as the reader of .proto files, uses libraries whose version is no user's matter. */
const OWN_CODECS = new URL("codecs/", OWN_MODULES).href;

export const initialize: InitializeHook<LibraryHookData> = (given) => {
  known.set(given.copy.name, given);
};

/** Imports of a library, whole or a part of it, are resolved as if they stood in the folder of its copy. */
export const resolve: ResolveHook = (specifier, context, nextResolve) => {
  const [first = "", second = ""] = specifier.split("/");
  const data = known.get(first.startsWith("@") ? `${first}/${second}` : first);
  const { parentURL = "" } = context;
  const isOwn = parentURL.startsWith(OWN_MODULES.href) && !parentURL.startsWith(OWN_CODECS);
  if (data === undefined || isOwn) return nextResolve(specifier, context);
  Atomics.add(new Int32Array(data.redirected), 0, 1);
  return nextResolve(specifier, {
    ...context,
    parentURL: pathToFileURL(path.join(data.copy.folder, "importer.js")).href,
  });
};
