/** What a library takes on disk, and what its installed packages say of themselves. */
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { defined } from "../model/defined.ts";
import type { InstallFact } from "../model/records/facts.ts";
import { isRecord } from "../model/value.ts";

/** What npm runs when a package is installed. */
const SCRIPTS = ["preinstall", "install", "postinstall"];

/** Files in which a package may say when its versions came out. */
const CHANGELOG = /^(?:changelog|changes|history|releases)(?:\.(?:md|markdown|txt))?$/i;

type Package = Readonly<Record<string, unknown>>;

/** Looks at an installed package, and at all that it depends on as far as it is there. @param folder of the package */
export function installFact(folder: string): InstallFact {
  const packages = new Map<string, Package>();
  const open = [realpathSync(folder)];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (packages.has(next)) continue;
    const read = readPackage(next);
    packages.set(next, read);
    const needs = [read["dependencies"], read["optionalDependencies"]].flatMap((names) =>
      isRecord(names) ? Object.keys(names) : [],
    );
    for (const name of needs) {
      const found = folderOf(name, next);
      if (found !== undefined) open.push(found);
    }
  }
  const [own] = packages.values();
  const scripts = [...packages].flatMap(([at, read]) =>
    scriptsOf(at, read).map((script) => `${read["name"]}: ${script}`),
  );
  return {
    bytes: [...packages.keys()].reduce((sum, at) => sum + bytesIn(at), 0),
    packages: packages.size,
    scripts,
    ...defined({ licence: licenceOf(own!), released: releasedOf(realpathSync(folder), own!) }),
  };
}

function readPackage(folder: string): Package {
  const read: unknown = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  return isRecord(read) ? read : {};
}

/** The folder of a package as another finds it; undefined where it is not installed. */
function folderOf(name: string, from: string): string | undefined {
  for (let at = from; ; at = path.dirname(at)) {
    const found = path.join(at, "node_modules", name);
    if (existsSync(path.join(found, "package.json"))) return realpathSync(found);
    if (path.dirname(at) === at) return undefined;
  }
}

/** What npm runs for a package; it builds one that has a binding.gyp without being told. */
function scriptsOf(folder: string, { scripts, gypfile }: Package): string[] {
  const said = SCRIPTS.filter((name) => isRecord(scripts) && Object.hasOwn(scripts, name));
  const builds = gypfile !== false && existsSync(path.join(folder, "binding.gyp"));
  return said.length === 0 && builds ? ["node-gyp"] : said;
}

/** Bytes of the files in a folder, without the packages in it. */
function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const at = path.join(folder, entry.name);
    if (entry.isDirectory()) return sum + (entry.name === "node_modules" ? 0 : bytesIn(at));
    return entry.isFile() ? sum + lstatSync(at).size : sum;
  }, 0);
}

/** The licence as package.json has it, in today's form or one of npm's older ones. */
function licenceOf({ license, licenses }: Package): string | undefined {
  const named = (one: unknown): string | undefined => {
    const name = isRecord(one) ? one["type"] : one;
    return typeof name === "string" ? name : undefined;
  };
  const all = Array.isArray(licenses) ? licenses.map(named).filter((name) => name !== undefined) : [];
  return named(license) ?? (all.length === 0 ? undefined : all.join(" OR "));
}

/** The day of a release: the date in the heading of its version in the package's own list of changes. */
function releasedOf(folder: string, { version }: Package): string | undefined {
  const file = readdirSync(folder).find((name) => CHANGELOG.test(name));
  if (file === undefined || typeof version !== "string") return undefined;
  const isVersion = new RegExp(`(?:^|[^\\d.])${version.replaceAll(".", "\\.")}(?![\\w.-]*\\d)`);
  const heading = readFileSync(path.join(folder, file), "utf8")
    .split("\n")
    .find((line) => /^\s*(?:#|\*\*|v?\d)/.test(line) && isVersion.test(line));
  return heading === undefined ? undefined : /\b(\d{4}-\d{2}-\d{2})\b/.exec(heading)?.[1];
}
