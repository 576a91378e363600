/** Errors that nothing expects: one line, whoever meets them, and a stack only for whoever asks for it. */

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { measured, recordOf } from "../reports/record.ts";
import { BIN, type Ended, spawned } from "./wirebench.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-unexpected-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const full = path.join(folder, name);
  writeFileSync(full, text);
  return full;
}

const RECORD = file("run.json", JSON.stringify(recordOf([measured("json", "encode", 5, 100)])));

/** A report, whose module may do anything when it is loaded, and again when it renders. */
const report = (name: string, onLoad: string, onRender = ""): string =>
  file(name, `${onLoad}\nexport default { summary: "", render: () => { ${onRender} return ""; } };`);

/** What was said on standard error besides progress. */
function errorsOf({ stderr }: Ended): string[] {
  expect(stderr).not.toMatch(/^\s+at /m);
  return stderr.split("\n").filter((line) => line !== "" && !/^ *\d+ %/.test(line));
}

describe("an error that nothing expects", () => {
  it.each([
    ["thrown.mjs", "", "null.x;", "TypeError: Cannot read properties of null (reading 'x')"],
    ["lines.mjs", "", "throw new Error('one\\ntwo\\u001b[31m');", "Error: one two [31m"],
    ["words.mjs", "", "throw 'words';", "words"],
    ["odd.mjs", "", "throw Object.create(null);", "something was thrown that has no text"],
    ["rejection.mjs", "Promise.reject(new RangeError('nobody waits'));", "", "RangeError: nobody waits"],
    [
      "timer.mjs",
      "setTimeout(() => { throw new Error('late'); }); await new Promise((done) => setTimeout(done, 500));",
      "",
      "Error: late",
    ],
  ])("is one line with exit code 70: %s", (name, onLoad, onRender, message) => {
    const plugin = report(name, onLoad, onRender);
    const ended = spawned(["report", RECORD, "--plugin", plugin, "--format", path.parse(name).name]);
    expect(ended).toMatchObject({ code: 70, stdout: "" });
    const how = "nothing in wirebench or in a plugin expects this; WIREBENCH_STACK=1 shows where";
    expect(errorsOf(ended)).toEqual([`error: ${message}: ${how}`]);
  });

  it("has its stack, and its cause's, shown where that is asked for", () => {
    const plugin = report("deep.mjs", "", "throw new Error('above', { cause: new Error('below') });");
    const env = { ...process.env, WIREBENCH_STACK: "1" };
    const { code, stderr } = spawned(["report", RECORD, "--plugin", plugin, "--format", "deep"], { env });
    expect(code).toBe(70);
    expect(stderr).toMatch(/^Error: above\n +at .*deep\.mjs:2/);
    expect(stderr).toMatch(/^caused by Error: below\n +at .*deep\.mjs:2/m);
    expect(stderr).toMatch(/\nerror: Error: above: nothing in wirebench or in a plugin expects this\n$/);
  });
});

/** A codec whose `bind` goes wrong beside its work, one variant each. */
const STRAY = file(
  "stray.mjs",
  `import { compileVisitor, defineCodec, direct } from "${path.join(import.meta.dirname, "../../dist/index.js")}";
const variant = (goWrong) => ({ summary: "", bind: ({ schema }) => {
  goWrong();
  return direct({ write: (value) => Buffer.from(JSON.stringify(value)), read: (bytes) => JSON.parse(bytes.toString()), visit: compileVisitor(schema) });
} });
export default defineCodec({ format: "x", ...variant(() => {}), variants: {
  rejects: variant(() => { Promise.reject(new Error("nobody waits")); }),
  words: variant(() => { Promise.reject("words"); }),
  ticks: variant(() => process.nextTick(() => { throw new TypeError("ticked"); })),
  throws: variant(() => { null.x; }),
  nothing: variant(() => { throw undefined; }),
  odd: variant(() => { throw Object.create(null); }),
  long: variant(() => { throw new Error("x".repeat(5000)); }),
} });
`,
);

describe("a codec's error that nobody waits for", () => {
  const reasons = {
    rejects: "crashed (exit code 1): Error: nobody waits",
    words: "crashed (exit code 1): words",
    ticks: "crashed (exit code 1): TypeError: ticked",
    throws: "Cannot read properties of null (reading 'x')",
    nothing: "undefined was thrown",
    odd: "something was thrown that has no text",
    long: `${"x".repeat(500)}…`,
  };

  it("is why it failed, in verify and in a run", () => {
    const codecs = Object.keys(reasons).flatMap((name) => ["-c", `stray:${name}`]);
    const out = path.join(folder, "out");
    const run = ["run", "--profile", "quick", "--shard", "1/4", "-o", "encode", "--out", out];
    for (const command of [["verify"], run]) {
      const ended = spawned([...command, ...codecs, "--plugin", STRAY, "--json"]);
      expect(ended.code).toBe(1);
      errorsOf(ended);
      const { cells } = JSON.parse(ended.stdout) as { cells: { codec: string; reason: string }[] };
      const found = Object.fromEntries(cells.map(({ codec, reason }) => [codec.split(/[: ]/)[1], reason]));
      expect(found).toMatchObject(reasons);
    }
  });

  it.each(["uds", "fork", "worker"])("is why a test between processes failed, over %s", (transport) => {
    const args = ["ipc", "latency", "-c", "stray:rejects", "-d", "tellist", "--plugin", STRAY];
    const out = path.join(folder, transport);
    const ended = spawned([...args, "--messages", "2", "--transport", transport, "--out", out, "--json"]);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain("nobody waits");
    expect(ended.stderr).not.toMatch(/^\s+at /m);
  });

  it("has its stack shown where that is asked for", () => {
    const args = ["verify", "-c", "stray:throws", "-c", "stray:rejects", "--plugin", STRAY];
    const { stderr } = spawned(args, { env: { ...process.env, WIREBENCH_STACK: "1" } });
    expect(stderr).toMatch(/^TypeError: Cannot read .*\n +at .*stray\.mjs/m);
    expect(stderr).toMatch(/^Error: nobody waits\n +at .*stray\.mjs/m);
  });
});

describe("the program", () => {
  const bin = path.join(folder, "bin/wirebench.js");
  cpSync(BIN, bin);
  writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }');

  it("says in a line that it is not built", () => {
    const { status, stderr } = spawnSync(process.execPath, [bin, "list"], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({
      status: 70,
      stderr: "error: wirebench cannot be loaded: it is not built: run npm ci in its folder\n",
    });
  });

  it.each(["18.20.4", "20.10.0", "8.17.0"])("says in a line that Node %s is too old for it", (version) => {
    const fake = file(
      "old.cjs",
      `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`,
    );
    const { status, stderr } = spawnSync(process.execPath, ["-r", fake, BIN, "list"], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `error: wirebench needs Node 20.11 or later, this is ${version}\n`,
    });
  });
});
