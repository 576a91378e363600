/**
 * The modules of a user's plugins. `npm init` makes packages of CommonJS, in which Node takes a .js or .ts file with `import` for a mistake:
 * here it is the module that it is. This file is loaded a second time by Node's thread for module hooks, see `module.register`.
 */
import { existsSync, readFileSync } from "node:fs";
import nodeModule, { type InitializeHook, type LoadHook } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { PluginError } from "../model/errors.ts";
import { OWN_EXTENSION } from "../model/package-files.ts";
import { ownRuntime } from "../model/runtime.ts";

/** Seconds after which a plugin that is not loaded is given up. */
const LOAD_SECONDS = 30;

/** What newer Nodes have. */
const { stripTypeScriptTypes: stripTypes } = nodeModule as { stripTypeScriptTypes?(source: string): string };

const TYPESCRIPT = [".ts", ".mts"];

/** Folders of plugins whose files are modules from now on. */
const hooked = new Set<string>();

/**
 * Imports a plugin's file, which later imports give again. Throws PluginError where that takes too long or needs a newer Node,
 * and what the module throws.
 */
export async function importPlugin(file: string, name: string, seconds = LOAD_SECONDS): Promise<unknown> {
  if (ownRuntime().name === "node" && existsSync(file)) expectReadable(file, name);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const problem = `${name}: cannot be loaded: it is not done after ${seconds} s: does it wait for something?`;
    // Where nothing else is left to do, the process ends, and says so.
    timer = setTimeout(() => reject(new PluginError(problem)), seconds * 1000).unref();
  });
  try {
    return await Promise.race([import(pathToFileURL(file).href), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Sees to it that Node can read a file that it would not by itself. Throws PluginError where nothing can be done. */
function expectReadable(file: string, name: string): void {
  const extension = path.extname(file);
  const isTypeScript = TYPESCRIPT.includes(extension);
  const isPackagedModule = extension === ".mts" || typeOfPackage(file) === "module";
  const { typescript = false } = process.features as { typescript?: string | false };
  // Where wirebench itself runs from its sources, what runs it reads any others too.
  const readsTypes = typescript !== false || OWN_EXTENSION === ".ts";
  if (isTypeScript ? readsTypes && isPackagedModule : !isMisplacedModule(file)) return;
  if (isTypeScript && stripTypes === undefined) {
    throw new PluginError(
      `${name}: TypeScript needs Node 22.13 or later, this is ${process.versions.node}: compile it, and name the .js file`,
    );
  }
  const folder = path.dirname(file) + path.sep;
  if (hooked.has(folder)) return;
  hooked.add(folder);
  nodeModule.register(import.meta.url, { data: folder });
}

/** Whether a .js file has a module's syntax, in a package that is not of modules. */
function isMisplacedModule(file: string): boolean {
  if (path.extname(file) !== ".js" || typeOfPackage(file) === "module") return false;
  return isModuleText(readFileSync(file, "utf8"));
}

function isModuleText(text: string): boolean {
  return /^\s*(?:export\b|import\b(?!\s*[(.]))/m.test(text) && !/^\s*(?:module\.)?exports\b/m.test(text);
}

/** The type that the package.json nearest to a file says; undefined for none. */
function typeOfPackage(file: string): string | undefined {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const description = path.join(folder, "package.json");
    if (existsSync(description)) {
      try {
        return (JSON.parse(readFileSync(description, "utf8")) as { type?: string }).type;
      } catch {
        return undefined;
      }
    }
    if (path.dirname(folder) === folder) return undefined;
  }
}

/** Of the hooks' thread: folders of the plugins that need them. */
const folders: string[] = [];

/** @param folder of a plugin */
export const initialize: InitializeHook<string> = (folder) => {
  folders.push(folder);
};

/** Gives Node the files of these folders, and of those below them, as modules; packages are left as they are. */
export const load: LoadHook = async (url, context, nextLoad) => {
  if (!url.startsWith("file:")) return nextLoad(url, context);
  const file = fileURLToPath(url);
  const isOwn = folders.some(
    (folder) => file.startsWith(folder) && !file.slice(folder.length).includes("node_modules"),
  );
  const isTypeScript = TYPESCRIPT.includes(path.extname(file));
  if (!isOwn || !(isTypeScript || isMisplacedModule(file))) return nextLoad(url, context);
  const text = readFileSync(file, "utf8");
  const source = isTypeScript ? withoutTypes(text) : text;
  return { format: "module", source, shortCircuit: true };
};

/** JavaScript of TypeScript, without the warning that this is experimental: users did not ask for it. */
function withoutTypes(text: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypes === undefined ? text : stripTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}
