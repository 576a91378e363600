/** What a library takes on disk: packages in every place where npm, pnpm and older npm put them. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { installFact } from "../../src/facts/install.ts";

const root = mkdtempSync(path.join(os.tmpdir(), "wirebench-install-"));
afterAll(() => rmSync(root, { recursive: true }));

/** Writes a package with a file of so many bytes beside its package.json. */
function put(place: string, about: object, bytes = 0, more: Readonly<Record<string, string>> = {}): string {
  const folder = path.join(root, place);
  mkdirSync(folder, { recursive: true });
  const files = { "package.json": JSON.stringify(about), "index.js": "x".repeat(bytes), ...more };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

const size = (about: object): number => JSON.stringify(about).length;

describe("an installed library", () => {
  it("counts what it depends on once, nested or beside it, and not what is missing", () => {
    const abouts = {
      a: { name: "a", dependencies: { b: "1", c: "1" }, optionalDependencies: { gone: "1" } },
      b: { name: "b", dependencies: { c: "1", a: "1" } },
      c: { name: "c" },
      inner: { name: "c", version: "2.0.0" },
    };
    const folder = put("n/node_modules/a", abouts.a, 100);
    put("n/node_modules/b", abouts.b, 20);
    put("n/node_modules/c", abouts.c, 3);
    put("n/node_modules/b/node_modules/c", abouts.inner, 4);
    put("n/node_modules/a/node_modules/unrelated", { name: "unrelated" }, 5000);
    const bytes = Object.values(abouts).reduce((sum, about) => sum + size(about), 127);
    expect(installFact(folder)).toEqual({ bytes, packages: 4, scripts: [] });
  });

  it("follows the links of pnpm", () => {
    const about = { name: "p", dependencies: { q: "1" } };
    const store = put("pnpm/.pnpm/p@1/node_modules/p", about, 10);
    put("pnpm/.pnpm/q@1/node_modules/q", { name: "q" }, 7);
    symlinkSync(path.join(root, "pnpm/.pnpm/q@1/node_modules/q"), path.join(path.dirname(store), "q"));
    mkdirSync(path.join(root, "pnpm/node_modules"));
    symlinkSync(store, path.join(root, "pnpm/node_modules/p"));
    const fact = installFact(path.join(root, "pnpm/node_modules/p"));
    expect(fact).toEqual({ bytes: 17 + size(about) + size({ name: "q" }), packages: 2, scripts: [] });
  });

  it.each([
    [{ scripts: { postinstall: "x", test: "y" } }, {}, ["s: postinstall"]],
    [{ scripts: { install: "x" } }, { "binding.gyp": "" }, ["s: install"]],
    [{}, { "binding.gyp": "" }, ["s: node-gyp"]],
    [{ gypfile: false }, { "binding.gyp": "" }, []],
    [{ scripts: null }, {}, []],
  ])("names scripts of %j", (about, files, scripts) => {
    const folder = mkdtempSync(path.join(root, "s"));
    expect(installFact(put(path.basename(folder), { name: "s", ...about }, 0, files)).scripts).toEqual(
      scripts,
    );
  });

  it.each([
    [{ license: "MIT" }, "MIT"],
    [{ license: { type: "ISC", url: "u" } }, "ISC"],
    [{ licenses: [{ type: "MIT" }, { type: "GPL-2.0" }] }, "MIT OR GPL-2.0"],
    [{ license: 7 }, undefined],
    [{}, undefined],
  ])("says the licence of %j", (about, licence) => {
    const folder = mkdtempSync(path.join(root, "l"));
    expect(installFact(put(path.basename(folder), about)).licence).toBe(licence);
  });

  it.each([
    ["CHANGELOG.md", "## [1.2.3] - 2026-03-04\n", "2026-03-04"],
    ["History.md", "1.2.3 / 2014-05-06\n=====\n", "2014-05-06"],
    ["CHANGELOG.md", "# 11.2.3 (2020-01-01)\n# v1.2.3 (2021-01-01)\n", "2021-01-01"],
    ["CHANGELOG.md", "# 1.2.3-rc.1 2020-01-01\n# 1.2.30 2020-01-01\n", undefined],
    ["CHANGELOG.md", "Since 1.2.3 of 2020-01-01 there is\n# 1.2.3\n", undefined],
    ["README.md", "# 1.2.3 2020-01-01\n", undefined],
  ])("finds the day of a release in %s: %j", (file, text, day) => {
    const folder = mkdtempSync(path.join(root, "r"));
    const about = { name: "r", version: "1.2.3" };
    expect(installFact(put(path.basename(folder), about, 0, { [file]: text })).released).toBe(day);
  });
});
