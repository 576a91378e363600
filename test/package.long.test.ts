/** The packed package, installed into an empty folder and used there as a user would. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "..");
const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-package-"));

function sh(command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

beforeAll(() => {
  const packed = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  writeFileSync(path.join(folder, "package.json"), '{ "private": true, "type": "module" }');
  sh("npm", "install", "--no-audit", "--no-fund", "--prefer-offline", path.join(folder, filename));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As du counts. */
const MB = 2 ** 20;

/** Bytes that the files of a folder take on a disk with blocks of 4 KiB. */
function bytesOnDisk(place: string): number {
  const files = readdirSync(path.join(folder, place), { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map((file) => lstatSync(path.join(file.parentPath, file.name)).size)
    .reduce((sum, size) => sum + Math.ceil(size / 4096) * 4096, 0);
}

describe("the packed package", () => {
  it("is small, and brings few others", () => {
    const lock = JSON.parse(readFileSync(path.join(folder, "node_modules/.package-lock.json"), "utf8")) as {
      readonly packages: Readonly<Record<string, unknown>>;
    };
    expect(Object.keys(lock.packages).length).toBeLessThanOrEqual(36);
    expect(bytesOnDisk("node_modules")).toBeLessThanOrEqual(20 * MB);
    expect(bytesOnDisk("node_modules/wirebench")).toBeLessThanOrEqual(4 * MB);
  });

  it("has what its documents link to, but for what the README says is in the repository alone", () => {
    const own = path.join(folder, "node_modules/wirebench");
    const readme = readFileSync(path.join(own, "README.md"), "utf8");
    const [, said = ""] = /The package has no (.*): they are in the repository\./s.exec(readme) ?? [];
    const absent = [...said.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    expect(absent).toEqual(["results/", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]);
    const documents = [".", "docs"].flatMap((part) =>
      readdirSync(path.join(own, part)).flatMap((name) =>
        name.endsWith(".md") ? path.join(part, name) : [],
      ),
    );
    expect(documents).toContain("docs/facts.md");
    for (const name of documents)
      for (const [, link = ""] of readFileSync(path.join(own, name), "utf8").matchAll(/\]\(([^)#]+)/g))
        if (!/^[a-z]+:/.test(link) && !absent.some((one) => link.startsWith(one)))
          expect(existsSync(path.join(own, path.dirname(name), link)), `${name}: ${link}`).toBe(true);
  });

  it("runs its main job", () => {
    const stdout = sh(
      "npx",
      "wirebench",
      "run",
      "--profile",
      "quick",
      "-c",
      "json,protobufjs",
      "--out",
      "out",
    );
    expect(stdout).toMatch(/^protobufjs +841 /m);
    expect(readFileSync(path.join(folder, "out/report.md"), "utf8")).toContain("| protobufjs");
  });

  it("is a library, to which a user's own codec is added by its file", () => {
    writeFileSync(
      path.join(folder, "text-codec.js"),
      `import { compileVisitor, defineCodec, direct } from "wirebench";
export default defineCodec({
  format: "text",
  summary: "JSON with spaces",
  bind: ({ schema }) =>
    direct({
      write: (value) => Buffer.from(JSON.stringify(value, null, 1)),
      read: (bytes) => JSON.parse(bytes.toString()),
      visit: compileVisitor(schema),
    }),
});
`,
    );
    writeFileSync(
      path.join(folder, "use.js"),
      `import { renderMarkdown, run, verify } from "wirebench";
const options = { codecs: ["json", "text-codec"], plugins: ["text-codec.js"] };
const verified = await verify(options);
const record = await run({ ...options, operations: ["encode"], profile: "quick" });
console.log(JSON.stringify([verified.cells.map((c) => c.status), record.cells.filter((c) => !c.twinOf).map((c) => c.status)]));
console.log(renderMarkdown(record).includes("| text-codec"));
`,
    );
    expect(sh("node", "use.js")).toBe('[["ok","ok"],["measured","measured"]]\ntrue\n');
    expect(sh("npx", "wirebench", "verify", "--plugin", "text-codec.js", "-c", "text-codec")).toMatch(
      /text-codec .*ok/,
    );
  });

  it("has types that a strict program compiles against", () => {
    writeFileSync(
      path.join(folder, "typed.ts"),
      `import { type Cell, defineDataset, type RunRecord, run } from "wirebench";
import { parseHeader } from "wirebench/c-struct";
const record: RunRecord = await run({ codecs: ["json"], profile: "quick", onProgress: ({ done, total }) => done / total });
export const medians: (number | undefined)[] = record.cells.map((cell: Cell) => cell.nanos?.median);
export { defineDataset, parseHeader };
`,
    );
    // Declarations that no program can come to are not packed: those of every format are looked at too.
    const formats = readdirSync(path.join(root, "src/formats"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== "bytes")
      .map(({ name }) => `export * as ${name.replaceAll("-", "_")} from "wirebench/${name}";\n`);
    writeFileSync(path.join(folder, "formats.ts"), formats.join(""));
    const tsc = path.join(root, "node_modules/typescript/bin/tsc");
    const flags = "--noEmit --strict --module nodenext --target es2022 --lib es2023 --types node".split(" ");
    const typeRoots = path.join(root, "node_modules/@types");
    expect(sh("node", tsc, ...flags, "--typeRoots", typeRoots, "typed.ts", "formats.ts")).toBe("");
  });

  it("offers its wire formats as libraries of their own", () => {
    const script = `import { parseHeader } from "wirebench/c-struct"; console.log(typeof parseHeader);`;
    expect(sh("node", "--input-type=module", "-e", script)).toBe("function\n");
  });
});
