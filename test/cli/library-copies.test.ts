/** Commands beside `run` use the library that the user's project has, too. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { copied } from "../runtimes/library-copies.ts";
import { spawned } from "./wirebench.ts";

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

it("facts name it, and say which version was tried where it fails", () => {
  const of = (table: string): string =>
    spawned(["facts", "--only", table, "-c", "bson", "-d", "packet"], { cwd: project }).stdout;
  expect(of("libraries")).toContain("bson 4.9.9");
  expect(of("fidelity")).toMatch(/bson: bson 4\.9\.9 may have another API than .*this is the copy/);
});
