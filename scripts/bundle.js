// Joins the modules of a build that are loaded together: a file for each takes a block of the disk, and time to be found.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { rolldown } from "rolldown";

/** Folders whose modules are joined. The others' are loaded by measuring processes one by one, or by users' bundlers. */
const JOINED = ["analysis", "cli", "facts", "fleet", "published", "reports", "store", "suite"];

/** Modules in them that are loaded by their names, or started, here or by tests. */
const BY_NAME = [
  /^cli\/(?:main|program)\.js$/,
  /^facts\/(?:program|hostile\/(?:program|table))\.js$/,
  /^fleet\/(?:coordinator|worker)\.js$/,
  /^published\/classic\/loop-program\.js$/,
  /^suite\/(?:plan|run|selection|verify|doctor\/(?:known-cost|known-shares|machine-checks|proof))\.js$/,
  /^reports\/(?:any|claims|classic|comparison|doctor|facts|ipc|ipc-remote|run)\/[^/]+\.js$/,
];

/** What is loaded together, by the file that it comes into. Statistics are not: measuring processes have few of them. */
const GROUPS = [
  { name: "reports", test: /\/reports\// },
  { name: "analysis", test: /\/analysis\/(?!statistics\/)/ },
  { name: "cli", test: /\/cli\/commands\// },
  { name: "suite", test: /\/suite\/(?!doctor\/known)/ },
];

/**
 * Joins them in place. A module that others import, or that is looked up, keeps its file and its exports.
 * @param dist folder of a build
 */
export async function joinModules(dist) {
  const files = readdirSync(dist, { recursive: true }).filter((file) => file.endsWith(".js"));
  const isJoined = (file) => file === "index.js" || JOINED.includes(file.split(path.sep)[0]);
  const joined = files.filter(isJoined);
  const entries = new Set(["index.js", ...joined.filter((file) => BY_NAME.some((one) => one.test(file)))]);
  for (const file of files.filter((one) => !isJoined(one))) {
    const text = readFileSync(path.join(dist, file), "utf8");
    for (const [, name] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)) {
      const target = path.join(path.dirname(file), name);
      if (isJoined(target)) entries.add(target);
    }
  }
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
  const { output } = await bundle.write({
    dir: dist,
    chunkFileNames: "joined/[name].js",
    codeSplitting: { groups: GROUPS, includeDependenciesRecursively: false },
  });
  const written = new Set(output.map(({ fileName }) => path.normalize(fileName)));
  for (const file of joined.filter((one) => !written.has(one))) rmSync(path.join(dist, file));
}
