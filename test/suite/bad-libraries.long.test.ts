/** Libraries in a user's project that misbehave: each is a row with its reason, or measured, and the others go on. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it, vi } from "vitest";
import { verify } from "../../dist/suite/verify.js";
import { copied, withDependencies } from "../runtimes/library-copies.ts";

/** What a copy of a library does before anything else, in the file that an import leads to, and what its row says. */
const COPIES = {
  // The codec's file imports this one, and the binding the others.
  msgpackr: { file: "node-index.js", code: 'throw new Error("not today");', reason: "not today" },
  cborg: { file: "cborg.js", code: "export const = 1;", reason: "Unexpected token" },
  devalue: { file: "src/index.js", code: "process.exit(3);", reason: "exit" },
  superjson: { file: "dist/index.js", code: 'throw "not an error";', reason: "not an error" },
  seroval: { file: "dist/index.js", code: "throw new TypeError(1n);", reason: "1" },
  bson: {
    file: "lib/bson.node.mjs",
    code: 'console.log("{}"); process.stdout.write("hello\\n"); console.error("hello");',
  },
  avsc: {
    file: "lib/index.js",
    code: "Array.prototype.extra = 1; Object.prototype.other = 2;",
    reason: "avsc: loading it changes Object.prototype.other, which all code shares",
  },
  "ion-js": {
    file: "dist/commonjs/es6/Ion.js",
    code: "{ const { join } = Array.prototype; Array.prototype.join = function (by) { return join.call(this, by); }; }",
    reason: "changes Array.prototype.join",
  },
  "cbor-x": {
    file: "node-index.js",
    code: 'import "node:not-yet";',
    engines: { node: ">98.5 <100 || ^99" },
    reason: "cbor-x 99.0.0 needs Node 98.5 or later, this is",
  },
} as const;

it("keeps what a library does when it is loaded to its own row", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-bad-libraries-"));
  try {
    vi.stubEnv("XDG_CACHE_HOME", path.join(folder, "cache"));
    const project = path.join(folder, "project");
    mkdirSync(path.join(project, "node_modules"), { recursive: true });
    withDependencies(folder);
    for (const [library, { file, code, ...more }] of Object.entries(COPIES)) {
      const copy = copied(folder, library, "99.0.0");
      const manifest = path.join(copy, "package.json");
      if ("engines" in more) {
        const { engines } = more;
        writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, "utf8")), engines }));
      }
      const main = path.join(copy, file);
      writeFileSync(main, `${code}\n${readFileSync(main, "utf8")}`);
      symlinkSync(copy, path.join(project, "node_modules", library));
    }
    vi.spyOn(process, "cwd").mockReturnValue(project);
    const { cells } = await verify({ codecs: [...Object.keys(COPIES), "json"] });
    const rows = new Map(cells.map((cell) => [cell.codec, cell]));
    for (const [library, copy] of Object.entries(COPIES)) {
      const row = rows.get(library);
      // Which version it was tried with is the warning.
      expect(row).toMatchObject({ version: "99.0.0", tried: expect.any(String) });
      if (!("reason" in copy)) expect(row?.status, library).toBe("ok");
      else {
        expect(row?.status, library).toBe("failed");
        expect(row?.reason, library).toContain(copy.reason);
      }
    }
    expect(rows.get("json")?.status).toBe("ok");
  } finally {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  }
});
