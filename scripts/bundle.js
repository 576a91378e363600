// Joins the modules of a build that are loaded together: a file for each takes a block of the disk, and time to be found.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { rolldown } from "rolldown";

/** Folders whose modules are joined, and what reads data of users. Of the others those are that every measuring process loads. */
const JOINED = [
  /^(?:analysis|cli|facts|fleet|published|reports|store|suite)\//,
  /^(?:model\/interpreter|runtimes\/native|schema\/(?:infer|read|regions))\//,
  /^catalog\/(?:data-file|file-|infer-dataset|json-|looks-like|read-progress|reservoir)/,
];

/** What a measuring process of Node starts with. */
const WORKER = "runtimes/node/worker.js";

/** What a page takes by its name: it would run what else is in a file that it takes a part of. */
const IN_PAGES = /^(?:runtimes\/page\/worker|(?:codecs|datasets|operations)\/.+)\.js$/;

/** Modules in them that are loaded by their names, or started, here or by tests. */
const BY_NAME = [
  /^analysis\/standings\.js$/,
  /^catalog\/(?:cache-folder|infer-dataset)\.js$/,
  /^cli\/(?:main|program)\.js$/,
  /^facts\/(?:program|hostile\/(?:program|table))\.js$/,
  /^fleet\/(?:coordinator|worker)\.js$/,
  /^measure\/(?:bound-codec|core-speed)\.js$/,
  /^published\/classic\/loop-program\.js$/,
  /^runtimes\/native\/(?:build|manifest)\.js$/,
  /^runtimes\/node\/(?:conditions|core-time|worker)\.js$/,
  /^schema\/(?:infer\/infer|read\/proto)\.js$/,
  /^suite\/(?:plan|run|selection|verify|doctor\/(?:known-cost|known-shares|machine-checks|proof))\.js$/,
  /^reports\/(?:any|claims|classic|comparison|doctor|facts|ipc|ipc-remote|run)\/[^/]+\.js$/,
];

/** Users' bundlers take a format with what it needs, and the command line starts with little: both without what measures. */
const APART = /^(?:formats\/[^/]+\/index|cli\/(?:main|program))\.js$/;

/** A module that Node loads a second time, for its hooks: it has its file to itself. */
const HOOKS = "catalog/plugin-module.js";

/**
 * Joins them in place. A module that others import, or that is looked up, keeps its file and its exports.
 * @param dist folder of a build
 */
export async function joinModules(dist) {
  const files = readdirSync(dist, { recursive: true }).filter((file) => file.endsWith(".js"));
  const reached = reachable(dist, files);
  const worker = reached((file) => file === WORKER);
  const inPages = reached((file) => IN_PAGES.test(file));
  const apart = reached((file) => APART.test(file));
  const isJoined = (file) =>
    file === "index.js" ||
    JOINED.some((one) => one.test(file)) ||
    (worker.has(file) && !apart.has(file) && file !== HOOKS);
  const joined = files.filter(isJoined);
  const entries = new Set(["index.js", ...joined.filter((file) => BY_NAME.some((one) => one.test(file)))]);
  for (const file of files.filter((one) => !isJoined(one)))
    for (const { target } of importsOf(dist, file)) if (isJoined(target)) entries.add(target);
  const bundle = await rolldown({
    input: Object.fromEntries(
      [...entries].map((file) => [file.slice(0, -".js".length), path.join(dist, file)]),
    ),
    platform: "node",
    external: (name, importer) => {
      if (!name.startsWith(".") && !path.isAbsolute(name)) return true;
      const file = path.isAbsolute(name) ? name : path.resolve(path.dirname(importer), name);
      return !isJoined(path.relative(dist, file));
    },
    makeAbsoluteExternalsRelative: true,
    preserveEntrySignatures: "allow-extension",
  });
  const isIn = (test) => (file) => test(path.relative(dist, file));
  /** What is loaded together, by the file that it comes into; a module goes into the first that has it. */
  const groups = [
    { name: "interpreter", test: /\/model\/interpreter\// },
    { name: "measuring", test: isIn((file) => worker.has(file) && inPages.has(file)) },
    { name: "node-worker", test: isIn((file) => worker.has(file) && file !== WORKER) },
    // Without pictures: a command that prints a table does not wait for them.
    {
      name: "tables",
      test: /\/reports\/(?:inspect\/(?!html\.)|(?:escape|provenance|table|text-layout|units)\.)/,
    },
    { name: "reports", test: /\/reports\// },
    { name: "data-files", test: isIn((file) => file.startsWith("catalog/") && !worker.has(file)) },
    { name: "native-programs", test: /\/runtimes\/native\// },
    { name: "analysis", test: /\/analysis\// },
    { name: "suite", test: /\/suite\/(?!doctor\/known)/ },
  ].map((group, index, { length }) => ({ ...group, priority: length - index }));
  const { output } = await bundle.write({
    dir: dist,
    chunkFileNames: "joined/[name].js",
    codeSplitting: { groups, includeDependenciesRecursively: false },
  });
  const written = new Set(output.map(({ fileName }) => path.normalize(fileName)));
  for (const file of joined.filter((one) => !written.has(one))) rmSync(path.join(dist, file));
}

/** Modules of a build that a file imports, and whether only when that is asked for. */
function importsOf(dist, file) {
  const text = readFileSync(path.join(dist, file), "utf8");
  return [...text.matchAll(/(?:from|import(\()?)\s*"(\.[^"]+)"/g)].map(([, late, name]) => ({
    target: path.join(path.dirname(file), name),
    isLate: late !== undefined,
  }));
}

/** Gives a function: of the files that a test picks, with all that they load before anything is called. */
function reachable(dist, files) {
  const loads = new Map(
    files.map((file) => [
      file,
      importsOf(dist, file).flatMap(({ target, isLate }) => (isLate ? [] : [target])),
    ]),
  );
  return (test) => {
    const found = new Set(files.filter(test));
    // What is added meanwhile has its turn too.
    for (const file of found) for (const target of loads.get(file)) found.add(target);
    return found;
  };
}
