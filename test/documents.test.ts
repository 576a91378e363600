/** The documents tell the truth about the code. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { wirebench } from "./cli/wirebench.ts";

const root = path.join(import.meta.dirname, "..");
const read = (name: string): string => readFileSync(path.join(root, name), "utf8");
const DOCUMENTS = [
  "README.md",
  "ARCHITECTURE.md",
  "METHODOLOGY.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "BIAS.md",
  ...readdirSync(path.join(root, "docs")).map((name) => `docs/${name}`),
  "results/README.md",
];

it("the README has two set-up commands", () => {
  expect(read("README.md").match(/^ {4}npm ci .*$/gm)).toEqual([
    "    npm ci && npx wirebench run",
    "    npm ci && npm test",
  ]);
});

it("the README's commands are those of the program", async () => {
  const section = read("README.md").split("## Commands")[1]?.split("\n## ")[0] ?? "";
  const documented = [...section.matchAll(/^ {4}wirebench (\w+) /gm)].map(([, command]) => command);
  const help = (await wirebench(["--help"])).stdout.split("Commands:")[1] ?? "";
  const known = [...help.matchAll(/^ {2}(\w+) /gm)]
    .map(([, command]) => command)
    .filter((name) => name !== "help");
  expect(documented).toEqual(known);
});

it("the README names every format library, and the package exports it", () => {
  const readme = read("README.md");
  for (const format of readdirSync(path.join(root, "src/formats")).filter((name) => name !== "bytes")) {
    expect(readme, format).toContain(`\`wirebench/${format}\``);
    expect(existsSync(path.join(root, `src/formats/${format}/index.ts`)), format).toBe(true);
  }
});

it("METHODOLOGY can be read at once", () => {
  expect(Buffer.byteLength(read("METHODOLOGY.md"))).toBeLessThanOrEqual(10_000);
  expect(Buffer.byteLength(read("BIAS.md"))).toBeLessThanOrEqual(3_000);
});

it("ARCHITECTURE has every folder of src", () => {
  const folders = readdirSync(path.join(root, "src"), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  for (const { name } of folders) expect(read("ARCHITECTURE.md")).toContain(`| \`${name}/\` |`);
});

it.each(DOCUMENTS)("the files that %s names are there", (name) => {
  const named = [
    ...read(name).matchAll(/`((?:src|test|benchmarks|scripts|schemas|results)\/[\w./-]+)`|\]\(([^)#:]+)\)/g),
  ];
  for (const [, code, link] of named) {
    const target = code ?? path.join(path.dirname(name), link ?? "");
    if (/NAME/.test(target)) continue;
    expect(existsSync(path.join(root, target)), `${name}: ${target}`).toBe(true);
  }
});
