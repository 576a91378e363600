/** The scripts of a page that does a job: what measures, and its codecs with their libraries as a bundler takes them. */
import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";
import { type Esbuild, findEsbuild, NO_ESBUILD, ownModules } from "../../catalog/esbuild.ts";
import { Registry, splitName } from "../../catalog/registry.ts";
import type { CodecSource } from "../../measure/host.ts";
import type { Job } from "../../measure/job.ts";
import type { LibraryCopy } from "../../model/codec.ts";
import { NotInstalledError, UnsupportedError } from "../../model/errors.ts";
import { oneLine } from "../../model/one-line.ts";
import { OWN_MODULES, ownModule } from "../../model/package-files.ts";

/** Texts of scripts by their names; a job begins with `worker.js`, and the page itself is `page.js`. */
export type Scripts = Readonly<Record<string, string>>;

/** The folder of wirebench's own modules. */
const OWN = fileURLToPath(OWN_MODULES);

/** Throws NotInstalledError where there is no esbuild. */
export async function expectEsbuild(): Promise<Esbuild> {
  const esbuild = await findEsbuild();
  if (esbuild === undefined) throw new NotInstalledError(NO_ESBUILD);
  return esbuild;
}

const made = new Map<string, Promise<Scripts>>();

/** The scripts of a job; equal ones are made once. Throws NotInstalledError, and UnsupportedError for what cannot be bundled. */
export async function scriptsFor(job: Job): Promise<Scripts> {
  const [source, copies] = await workerSource(job);
  const key = JSON.stringify([source, [...copies]]);
  const known = made.get(key) ?? bundled(await expectEsbuild(), source, copies);
  made.set(key, known);
  return known;
}

/** The module that a worker starts with, and which copies of libraries it is to have. */
async function workerSource({ members, others }: Job): Promise<[string, ReadonlyMap<string, LibraryCopy>]> {
  const copies = new Map<string, LibraryCopy>();
  const files = { codecs: new Map<string, string>(), datasets: new Map(), operations: new Map() };
  const own: string[] = [];
  for (const { source, dataset, operations } of members) {
    const { library } = source;
    if (library !== undefined) {
      if ((copies.get(library.name) ?? library).folder !== library.folder)
        throw new UnsupportedError(`one page has one copy of ${library.name}`);
      copies.set(library.name, library);
    }
    const registry = await registryOf(source);
    const add = (kind: keyof typeof files, name: string): void => {
      const [base] = splitName(name);
      const file = registry.file(kind, base);
      if (file !== undefined) files[kind].set(base, file);
      if (kind === "datasets" && registry.isOwn(kind, base)) own.push(base);
    };
    add("codecs", source.codec);
    for (const operation of operations) add("operations", operation);
    for (const name of [dataset, ...others]) if (typeof name === "string") add("datasets", name);
  }
  const table = Object.entries(files).map(([kind, named]) => {
    const imports = Array.from(named, ([name, file]) => {
      return `${JSON.stringify(name)}: () => import(${JSON.stringify(file)})`;
    });
    return `${kind}: { ${imports.join(", ")} }`;
  });
  const start = fileURLToPath(ownModule("runtimes/page/worker"));
  return [
    `import { work } from ${JSON.stringify(start)};\nwork({ ${table.join(", ")}, own: ${JSON.stringify(own)} });`,
    copies,
  ];
}

const registries = new Map<string, Promise<Registry>>();

function registryOf({ plugins }: CodecSource): Promise<Registry> {
  const key = JSON.stringify(plugins);
  const registry = registries.get(key) ?? Registry.open(plugins);
  registries.set(key, registry);
  return registry;
}

/** Where texts that have no file are said to be. */
const OUT = path.join(OWN, "out");

async function bundled(
  esbuild: Esbuild,
  source: string,
  copies: ReadonlyMap<string, LibraryCopy>,
): Promise<Scripts> {
  const page = fileURLToPath(ownModule("runtimes/page/client"));
  try {
    const { outputFiles } = await esbuild.build({
      entryPoints: { worker: ENTRY, page },
      plugins: [entry(source), ownModules, libraryCopies(copies), readFiles, nodeModules],
      outdir: OUT,
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "browser",
      target: "es2022",
      // What bundlers for pages put in: libraries ask for it.
      define: { "process.env.NODE_ENV": '"production"', global: "globalThis" },
      legalComments: "none",
      write: false,
      logLevel: "silent",
    });
    return Object.fromEntries(outputFiles.map(({ path: file, text }) => [path.relative(OUT, file), text]));
  } catch (error) {
    const { errors = [], message } = error as Error & { readonly errors?: readonly { text: string }[] };
    throw new UnsupportedError(`it cannot be bundled for a page: ${oneLine(errors[0]?.text ?? message)}`, {
      cause: error,
    });
  }
}

const ENTRY = "wirebench-worker";

function entry(source: string): Plugin {
  return {
    name: "worker",
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${ENTRY}$`) }, () => ({ path: ENTRY, namespace: ENTRY }));
      build.onLoad({ filter: /./, namespace: ENTRY }, () => ({ contents: source, resolveDir: OWN }));
    },
  };
}

/** Leads imports of a library to a copy of it, but for those of other libraries. */
function libraryCopies(copies: ReadonlyMap<string, LibraryCopy>): Plugin {
  return {
    name: "library copies",
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path: name, kind, resolveDir, pluginData }) => {
        const [scope = "", second = ""] = name.split("/");
        const copy = copies.get(scope.startsWith("@") ? `${scope}/${second}` : scope);
        if (copy === undefined || pluginData === LED || resolveDir.includes("node_modules")) return undefined;
        return build.resolve(name, { kind, resolveDir: copy.folder, pluginData: LED });
      });
    },
  };
}

const LED = "led";

/** A text of its own that a library reads as it is imported (pbf's compiler: its version) is put in, as bundlers' plugins do. */
const readFiles: Plugin = {
  name: "files that are read",
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.m?js$/ }, async ({ path: file }) => {
      const code = await readFile(file, "utf8");
      let contents = code;
      for (const [call, , name = ""] of code.matchAll(READ_FILE)) {
        const text = await readFile(path.resolve(path.dirname(file), name), "utf8");
        contents = contents.replace(call, () => JSON.stringify(text));
      }
      return contents === code ? undefined : { contents };
    });
  },
};

const READ_FILE = /\breadFileSync\(new URL\((["'])([^"']+)\1, import\.meta\.url\)(?:, *["']utf-?8["'])?\)/g;

/**
 * A page has no modules of Node. What needs one fails when it is asked for it, and not before: a library may do without, and
 * parts of wirebench that are not measured may never be called.
 */
const nodeModules: Plugin = {
  name: "modules of Node",
  setup(build) {
    build.onResolve({ filter: /^[a-z]/ }, async ({ path: name, kind, resolveDir, importer, pluginData }) => {
      if (!isBuiltin(name) || pluginData === LED) return undefined;
      // A package of the name is what a bundler takes.
      if (!name.startsWith("node:")) {
        const found = await build.resolve(`${name}/`, { kind, resolveDir, pluginData: LED });
        if (found.errors.length === 0) return found;
      }
      const isOwn = importer.startsWith(OWN) && !importer.includes("node_modules");
      return { path: name.replace(/^node:/, ""), namespace: isOwn ? "late" : "absent" };
    });
    build.onLoad({ filter: /./, namespace: "late" }, ({ path: name }) => ({
      // Names are looked up in what it inherits from, whatever copies it.
      contents: `const late = Object.create(new Proxy({}, { get: () => () => { ${absent(name)} } }));
${STAND_INS[name] ?? ""}
module.exports = late;`,
    }));
    build.onLoad({ filter: /./, namespace: "absent" }, ({ path: name }) => ({
      contents: `module.exports = Object.create(new Proxy({}, { get: (_, key) => {
  if (typeof key === "string" && key !== "__esModule" && key !== "default") ${absent(name)}
} }));`,
    }));
  },
};

function absent(name: string): string {
  return `throw Object.assign(new Error("it needs ${name} of Node, which a page does not have"), { name: "${UnsupportedError.name}" });`;
}

/** What wirebench's own modules call of Node's while they measure, by its module. */
const STAND_INS: Readonly<Record<string, string>> = {
  buffer: `const decoder = new TextDecoder("utf-8", { fatal: true });
late.isUtf8 = (bytes) => { try { decoder.decode(bytes); return true; } catch { return false; } };
late.isAscii = (bytes) => bytes.every((byte) => byte < 128);`,
  // Ids of structs only have to differ: they are of FNV-1a here.
  crypto: `late.createHash = () => {
  let hash = 0xcbf29ce484222325n;
  const made = {
    update(text) {
      for (const byte of new TextEncoder().encode(text))
        hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
      return made;
    },
    digest: () => ({ readBigUInt64BE: () => hash }),
  };
  return made;
};`,
};
