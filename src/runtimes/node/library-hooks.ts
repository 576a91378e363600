/** Runs in Node's thread for module hooks: see `module.register`. */
import type { InitializeHook, ResolveHook } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { OWN_MODULES } from "../../model/package-files.ts";
import type { LibraryHookData } from "./library-copy.ts";

let data: LibraryHookData | undefined;

/** The reader of .proto files uses protobufjs too: its version is wirebench's own matter. */
const OWN_READERS = new URL("schema/", OWN_MODULES).href;

export const initialize: InitializeHook<LibraryHookData> = (given) => {
  data = given;
};

/** Imports of the library, whole or a part of it, are resolved as if they stood in the folder of its copy. */
export const resolve: ResolveHook = (specifier, context, nextResolve) => {
  if (data === undefined) return nextResolve(specifier, context);
  const { name, folder } = data.copy;
  const named = specifier === name || specifier.startsWith(`${name}/`);
  if (!named || context.parentURL?.startsWith(OWN_READERS) === true) return nextResolve(specifier, context);
  Atomics.add(new Int32Array(data.redirected), 0, 1);
  return nextResolve(specifier, {
    ...context,
    parentURL: pathToFileURL(path.join(folder, "importer.js")).href,
  });
};
