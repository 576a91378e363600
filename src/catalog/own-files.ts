import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { UsageError } from "../model/errors.ts";

/** Files of a folder that are data, packed with gzip or not. */
const DATA =
  /\.(json|jsonc|geojson|topojson|ndjson|jsonl|webmanifest|har|bin|binpb|pb|dat|txtpb|textproto|pbtxt)(\.gz)?$/i;

/**
 * The files that words of a command line name: a folder stands for the data files in it, but not in folders below it, a pattern
 * with `*`, `?` or `**` for the files that match it, in the order of their names. Throws UsageError where there is none.
 */
export function ownFiles(words: readonly string[]): string[] {
  return words.flatMap((word) => {
    if (word === "-") return [word];
    if (existsSync(word)) return statSync(word).isDirectory() ? filesOfFolder(word) : [word];
    return /[*?]/.test(word) ? matching(word) : [word];
  });
}

function filesOfFolder(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => !entry.isDirectory() && DATA.test(entry.name))
    .map(({ name }) => path.join(folder, name));
  if (names.length > 0) return names.sort();
  const pattern = `${folder.replace(/\/+$/, "")}/**`;
  const hint =
    entries.length > 0 && entries.every((entry) => entry.isDirectory())
      ? `, only folders: ${pattern} takes theirs too`
      : "";
  throw new UsageError(`${folder}: no file of data in the folder${hint}`);
}

function matching(pattern: string): string[] {
  // At the end it stands for the data files there.
  const isAll = pattern.endsWith("/**") || pattern === "**";
  const steps = (isAll ? `${pattern}/*` : pattern).split("/");
  const fixed = steps.slice(
    0,
    steps.findIndex((step) => /[*?]/.test(step)),
  );
  const folder = fixed.join("/") || (pattern.startsWith("/") ? "/" : ".");
  const expression = new RegExp(
    `^${steps.slice(fixed.length).map(stepExpression).join("/").replaceAll("(?:.*/)?/", "(?:.*/)?")}$`,
  );
  const found = existsSync(folder)
    ? filesBelow(folder, steps.length - fixed.length, pattern.includes("**"))
    : [];
  const names = found
    .filter((name) => expression.test(name) && (!isAll || DATA.test(name)))
    .map((name) => (folder === "." ? name : path.join(folder, name)));
  if (names.length === 0) throw new UsageError(`${pattern}: no file matches`);
  return names.sort();
}

/** Paths of files from a folder on, with `/`. @param levels how deep, unless it is `isDeep` */
function filesBelow(folder: string, levels: number, isDeep: boolean): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [entry.name];
    if (levels <= 1 && !isDeep) return [];
    const inside = filesBelow(path.join(folder, entry.name), levels - 1, isDeep);
    return inside.map((name) => `${entry.name}/${name}`);
  });
}

function stepExpression(step: string): string {
  if (step === "**") return "(?:.*/)?";
  return step
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", "[^/]*")
    .replaceAll("?", "[^/]");
}
