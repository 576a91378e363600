/** Plugins as a user has them: in a package that `npm init` made, in TypeScript, and written by somebody who errs. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compareRecords, loadDataset, run, verify } from "wirebench";
import { importPlugin } from "../../dist/catalog/plugin-module.js";
import { spawned } from "./wirebench.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-plugins-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(path.join(folder, "node_modules"));
symlinkSync(path.join(import.meta.dirname, "../.."), path.join(folder, "node_modules/wirebench"));

function file(name: string, text: string): string {
  const full = path.join(folder, name);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

file("package.json", '{ "name": "app", "version": "1.0.0", "type": "commonjs" }');

const codec = (write: string, imports = "", rest = ""): string => `${imports}
import { defineCodec, mapped } from "wirebench";
export default defineCodec({
  format: "own", summary: "own", schemaless: true,
  bind: (dataset) => ${rest === "" ? `mapped(dataset, { format: "own", write: ${write}, read: (bytes) => JSON.parse(bytes.toString()) })` : rest},
});
`;
const WRITE = "(value) => Buffer.from(JSON.stringify(value))";

describe("a plugin in a package of CommonJS", () => {
  it("may be a module, and import others beside it", () => {
    file("helper.js", `export const write = ${WRITE};\n`);
    const plugin = file("own.js", codec("write", 'import { write } from "./helper.js";'));
    const { code, stdout, stderr } = spawned(["verify", "-c", "own", "--plugin", plugin]);
    expect(stdout).toMatch(/own +2,617 +ok/);
    expect(code).toBe(0);
    expect(stderr).not.toMatch(/warning|\(node:/i);
  });

  it("may be CommonJS", () => {
    const text = `const { defineCodec, mapped } = require("wirebench");
module.exports = defineCodec({ format: "own", summary: "own", schemaless: true, bind: (dataset) => mapped(dataset, { format: "own", write: ${WRITE}, read: (bytes) => JSON.parse(bytes.toString()) }) });\n`;
    const { stdout } = spawned(["verify", "-c", "common", "--plugin", file("common.cjs", text)]);
    expect(stdout).toMatch(/common +2,617 +ok/);
  });

  it("may be TypeScript, where Node can strip types", () => {
    const plugin = file(
      "typed.ts",
      codec("(value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))"),
    );
    const { code, stdout, stderr } = spawned(["verify", "-c", "typed", "--plugin", plugin]);
    const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
    if (major > 22 || (major === 22 && minor >= 13)) {
      expect(stdout).toMatch(/typed +2,617 +ok/);
      expect(stderr).not.toMatch(/warning/i);
    } else {
      expect(code).toBe(2);
      expect(stderr).toBe(
        `error: ${plugin}: TypeScript needs Node 22.13 or later, this is ${process.versions.node}: compile it, and name the .js file\n`,
      );
    }
  });
});

it("a plugin whose CommonJS library throws is one line, and no error that nobody expects", () => {
  file("throwing.cjs", 'throw new Error("not here");\n');
  const plugin = file("importing.mjs", 'import "./throwing.cjs";\nexport default {};\n');
  const { code, stderr } = spawned(["verify", "-c", "json", "--plugin", plugin]);
  expect(stderr).toBe(`error: ${plugin}: cannot be loaded: not here\n`);
  expect(code).toBe(2);
});

it("a plugin that does not load is given up", async () => {
  const plugin = file("hangs.mjs", "setInterval(() => {}, 1000).unref(); await new Promise(() => {});");
  const waiting = setInterval(() => {}, 1000);
  await expect(importPlugin(plugin, "hangs", 0.05)).rejects.toThrow(
    "hangs: cannot be loaded: it is not done after 0.05 s: does it wait for something?",
  );
  clearInterval(waiting);
});

describe("a codec that returns what it must not", () => {
  it.each([
    [
      "nothing",
      codec("", "", "undefined"),
      "bind: expected a binding, as direct() or mapped() makes it, got nothing",
    ],
    [
      "parts",
      codec("", "", "({ build() {}, write() {} })"),
      "bind: expected a binding with the functions read, plain, access, verify, got one without",
    ],
    [
      "async",
      codec(`async ${WRITE}`),
      "write: expected bytes (a Uint8Array) or a string, got a Promise: calls are timed one after the other, and none may be async",
    ],
    ["number", codec("() => 5"), "write: expected bytes (a Uint8Array) or a string, got 5"],
  ])("fails by name: %s", (name, text, reason) => {
    const plugin = file(`${name}.mjs`, text);
    const { code, stdout } = spawned(["verify", "-c", name, "--plugin", plugin]);
    expect(stdout).toContain(`failed: ${reason}`);
    expect(code).toBe(1);
  });
});

describe("a program that passes what it must not", () => {
  const never = <T>(value: unknown): T => value as T;
  it.each<[string, () => unknown, unknown]>([
    [
      "an unknown option",
      () => run(never({ codec: ["json"] })),
      expect.stringContaining('unknown option "codec", did you mean codecs'),
    ],
    [
      "one of verify",
      () => verify(never({ codecz: [] })),
      expect.stringContaining('unknown option "codecz", did you mean codecs'),
    ],
    ["no options", () => run(never(null)), "options: expected an object, got null"],
    [
      "a number as a dataset",
      () => verify(never({ datasets: [5] })),
      "datasets: expected names, or datasets as loadDataset() gives them, got 5",
    ],
    [
      "a text as a bandwidth",
      () => run(never({ codecs: ["json"], bandwidths: ["10M"] })),
      "bandwidths: expected a number from 1 to 1000000000000000, got 10M",
    ],
    [
      "nothing to loadDataset",
      () => loadDataset(never(undefined)),
      "loadDataset: expected an object, got nothing",
    ],
    [
      "no data",
      () => loadDataset(never({ schema: "a.proto" })),
      "data: expected the name of a file, got nothing",
    ],
    [
      "no schema",
      () => loadDataset(never({ data: "a.json" })),
      "schema: expected the name of a file, got nothing",
    ],
    [
      "no records",
      async () => compareRecords(never({}), never({})),
      "base: expected the record of a run, got an object without datasets",
    ],
  ])("is told so: %s", async (_, call, message) => {
    await expect(Promise.resolve().then(call)).rejects.toMatchObject({ name: "UsageError", message });
  });
});
