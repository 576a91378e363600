/** esbuild makes scripts for pages. It is no dependency: a user's project has it, or it is left out. */
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { OWN_EXTENSION, OWN_MODULES } from "../model/package-files.ts";

export type Esbuild = typeof import("esbuild");

/** What is said where it is not there. */
export const NO_ESBUILD = "esbuild is not installed: npm install esbuild";

/** That of the user's project, else the one beside wirebench; undefined where there is none. */
export async function findEsbuild(): Promise<Esbuild | undefined> {
  for (const from of [path.join(process.cwd(), "package.json"), import.meta.filename]) {
    try {
      const file = createRequire(from).resolve("esbuild");
      const module = (await import(pathToFileURL(file).href)) as { default?: Esbuild } & Esbuild;
      return module.default ?? module;
    } catch {
      // It is not there, or cannot be loaded.
    }
  }
  return undefined;
}

/** The folder of wirebench's own modules. */
const OWN = fileURLToPath(OWN_MODULES);

/** Finds wirebench's own modules. Nothing happens when one is loaded, so that what is not called is left out. */
export const ownModules: import("esbuild").Plugin = {
  name: "own modules",
  setup(build) {
    build.onResolve({ filter: /^(?:wirebench(?:\/|$)|[./]|[A-Za-z]:)/ }, ({ path: name, resolveDir }) => {
      const [own, format] = /^wirebench(?:\/(.+))?$/.exec(name) ?? [];
      const module = format === undefined ? "index.js" : path.join("formats", format, "index.js");
      const file = own === undefined ? path.resolve(resolveDir, name) : path.join(OWN, module);
      if (!file.startsWith(OWN)) return undefined;
      return { path: file.replace(/\.js$/, OWN_EXTENSION), sideEffects: false };
    });
  },
};
