/** Commands beside `run` use the library that the user's project has, too. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copied } from "../runtimes/library-copies.ts";
import { type Ended, spawned } from "./wirebench.ts";

let project = "";

beforeAll(() => {
  project = mkdtempSync(path.join(os.tmpdir(), "wirebench-project-"));
  mkdirSync(path.join(project, "node_modules"));
  // It throws when it is loaded, and says then which it is.
  symlinkSync(copied(project, "bson", "4.9.9", "lib/bson.node.mjs"), path.join(project, "node_modules/bson"));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

it.each([["encode"], ["inspect"]])("%s loads it", (command) => {
  const { code, stderr } = spawned([command, "-c", "bson", "-d", "packet"], { cwd: project });
  expect(stderr).toContain("this is the copy");
  expect(code).not.toBe(0);
});

describe("a library that comes with wirebench", () => {
  beforeAll(() => {
    const modules = path.join(project, "node_modules");
    symlinkSync(copied(project, "protobufjs", "7.9.9"), path.join(modules, "protobufjs"));
    symlinkSync(copied(project, "long", "5.9.9"), path.join(modules, "long"));
    symlinkSync(copied(project, "msgpackr", "1.9.9", "node-index.js"), path.join(modules, "msgpackr"));
  });

  const named = /^protobufjs: with protobufjs 7\.9\.9 \(in .*, tried with \d+\.\d+\.\d+\)\n$/;

  it("is the project's too, and is named", () => {
    const message = path.join(project, "message.bin");
    const run = (...args: string[]): Ended => spawned([...args, "-d", "packet"], { cwd: project });
    const encoded = run("encode", "-c", "protobufjs");
    expect(encoded.stderr).toMatch(named);
    writeFileSync(message, encoded.bytes);
    const decoded = run("decode", "-c", "protobufjs", message);
    expect(decoded.stderr).toMatch(named);
    expect(decoded.stdout).toContain('"sender"');
    const inspected = run("inspect", "-c", "protobufjs", "--totals", "--json");
    expect(JSON.parse(inspected.stdout)).toMatchObject([{ library: "protobufjs", version: "7.9.9" }]);
    expect(run("inspect", "-c", "protobufjs").stdout).toMatch(
      /^packet in protobufjs \(protobufjs 7\.9\.9\): /,
    );
  });

  it("says which version was tried where the project's cannot be loaded", () => {
    const { code, stderr } = spawned(["encode", "-c", "msgpackr", "-d", "packet"], { cwd: project });
    expect(stderr).toMatch(/^error: msgpackr: msgpackr 1\.9\.9 may have another API than .*this is the copy/);
    expect(code).toBe(2);
  });
});

it("facts name it, and say which version was tried where it fails", () => {
  const of = (table: string): string => {
    const { stdout, stderr } = spawned(["facts", "--only", table, "-c", "bson", "-d", "packet"], {
      cwd: project,
    });
    return `${stdout}${stderr}`;
  };
  expect(of("libraries")).toContain("bson 4.9.9");
  expect(of("fidelity")).toMatch(/bson: bson 4\.9\.9 may have another API than .*this is the copy/);
});
