/** Benchmarks and scripts import parts of the build by their files, which a bundler may join with others. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "..");

const IMPORT = /^import (?:(\w+)|\{([^}]+)\})[^;]*? from "((?:\.\.\/)+dist\/[^"]+)";$/gm;

interface Imported {
  readonly script: string;
  readonly module: string;
  readonly names: readonly string[];
}

const imported = ["benchmarks", "benchmarks/support", "scripts"].flatMap((folder) =>
  readdirSync(path.join(root, folder))
    .filter((file) => file.endsWith(".js"))
    .flatMap((file): Imported[] => {
      const script = path.join(folder, file);
      const text = readFileSync(path.join(root, script), "utf8");
      return Array.from(text.matchAll(IMPORT), ([, standard, named = "", module = ""]) => ({
        script,
        module: path.join(folder, module),
        names:
          standard === undefined ? named.split(",").map((name) => name.trim().split(" ")[0]!) : ["default"],
      }));
    }),
);

describe("the build has what benchmarks and scripts import of it", () => {
  it("as they say", () => {
    expect(imported.length).toBeGreaterThan(10);
  });

  it.each(imported)("$script: $module", async ({ module, names }) => {
    const exported: object = await import(pathToFileURL(path.join(root, module)).href);
    expect(Object.keys(exported)).toEqual(expect.arrayContaining(names.filter((name) => name !== "")));
  });
});
