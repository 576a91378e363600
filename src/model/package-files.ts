/** Where wirebench's own files lie, wherever a bundler puts the code that asks for them. */

/** The folder of its modules, with a slash at its end: src/ as they are written, or dist/ as they are built. */
export const OWN_MODULES: URL = new URL("../", import.meta.url);

/** What the name of a module ends in there: .ts or .js. */
export const OWN_EXTENSION: string = import.meta.url.slice(import.meta.url.lastIndexOf("."));

/** A module, as `suite/run`. */
export function ownModule(name: string): URL {
  return new URL(`${name}${OWN_EXTENSION}`, OWN_MODULES);
}

/** A file of the package, as `schemas/tellist.proto`. */
export function ownFile(name: string): URL {
  return new URL(`../${name}`, OWN_MODULES);
}
