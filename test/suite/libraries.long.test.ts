/** Which copy of a library is measured, and what becomes of one that is nowhere. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { verify } from "../../dist/suite/verify.js";
import { chosenLibrary, isAtHand, projectDependencies } from "../../src/catalog/library-version.ts";
import { Registry } from "../../src/catalog/registry.ts";
import { installMissing, usedVersion } from "../../src/suite/libraries.ts";
import { makePlan } from "../../src/suite/plan.ts";
import { copied, installedVersion, withDependencies } from "../runtimes/library-copies.ts";

const registry = await Registry.open();
const msgpackr = await registry.codec("msgpackr");
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-libraries-"));
  vi.stubEnv("XDG_CACHE_HOME", path.join(folder, "cache"));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** A project, in which wirebench is started, with a copy of msgpackr of this version. */
function inProject(version: string): string {
  const project = path.join(folder, "project");
  mkdirSync(path.join(project, "node_modules"), { recursive: true });
  writeFileSync(path.join(project, "package.json"), '{ "dependencies": { "msgpackr": "*" } }');
  withDependencies(folder);
  symlinkSync(copied(folder, "msgpackr", version), path.join(project, "node_modules/msgpackr"));
  vi.spyOn(process, "cwd").mockReturnValue(project);
  return project;
}

describe("the copy of a library", () => {
  it("is wirebench's own where the project has none", () => {
    // Above a temporary folder somebody may have put a project, above this one nobody can.
    vi.spyOn(process, "cwd").mockReturnValue(path.parse(folder).root);
    expect(chosenLibrary(msgpackr)).toEqual({ library: "msgpackr", version: installedVersion("msgpackr") });
    expect(projectDependencies()).toEqual(new Set());
  });

  it("is the project's where it has one, and says what the codec was tried with", () => {
    const project = inProject("1.2.3");
    const tried = installedVersion("msgpackr");
    const copy = { name: "msgpackr", folder: project, untried: { version: "1.2.3", tried } };
    expect(chosenLibrary(msgpackr)).toEqual({ library: "msgpackr", version: "1.2.3", copy, tried });
    expect(projectDependencies()).toEqual(new Set(["msgpackr"]));
  });

  it("of the same major version is what the codec was tried with", () => {
    inProject("2.99.0");
    expect(chosenLibrary(msgpackr)).not.toHaveProperty("tried");
  });

  it("is loaded by the process that measures, and named in the record", async () => {
    const project = inProject("1.2.3");
    const { cells } = await verify({ codecs: ["msgpackr", "json"] });
    expect(cells).toMatchObject([
      { codec: "msgpackr", version: "1.2.3", libraryFolder: project, tried: "2.1.3", status: "ok" },
      { codec: "json", library: "node", status: "ok" },
    ]);
    expect(cells[1]).not.toHaveProperty("libraryFolder");
  });
});

describe("a version that lacks what a codec calls", () => {
  const tried = installedVersion("pbf");

  /** A version of pbf that exports something else, where a project has it. */
  function without(exported: string): void {
    const copy = copied(folder, "pbf", "4.0.1");
    writeFileSync(path.join(copy, "index.js"), exported);
    const project = path.join(folder, "project");
    mkdirSync(path.join(project, "node_modules"), { recursive: true });
    symlinkSync(copy, path.join(project, "node_modules/pbf"));
    vi.spyOn(process, "cwd").mockReturnValue(project);
  }

  it.each([
    ["a class that it calls", "export default class Pbf {}", "PbfWriter is not a constructor"],
    ["what is loaded", 'import "./not-there.js";', "its library pbf cannot be loaded: Cannot find module"],
  ])("as %s has a row that says which version was tried", async (_, exported, problem) => {
    without(exported);
    const [cell] = (await verify({ codecs: ["pbf"] })).cells;
    expect(cell).toMatchObject({ version: "4.0.1", tried, status: "failed" });
    expect(cell?.reason).toMatch(`pbf 4.0.1 may have another API than ${tried}, which was tried: `);
    expect(cell?.reason).toMatch(problem);
  });
});

describe("a protobufjs that knows no editions", () => {
  /** A version of protobufjs whose fields do not tell whether they have presence, where a project has it. */
  function beforeEditions(): void {
    const copy = copied(folder, "protobufjs", "7.4.0");
    for (const file of ["field", "encoder", "decoder", "converter"]) {
      const source = path.join(copy, `src/${file}.js`);
      writeFileSync(source, readFileSync(source, "utf8").replaceAll("hasPresence", "hasPresence_"));
    }
    const project = path.join(folder, "project");
    mkdirSync(path.join(project, "node_modules"), { recursive: true });
    withDependencies(folder);
    symlinkSync(copy, path.join(project, "node_modules/protobufjs"));
    vi.spyOn(process, "cwd").mockReturnValue(project);
  }

  it("tells a field that is absent from one that is 0", async () => {
    beforeEditions();
    const { cells } = await verify({
      codecs: ["protobufjs", "protobufjs:static"],
      datasets: ["speed-large:10", "tellist"],
    });
    expect(cells).toHaveLength(4);
    for (const cell of cells) expect(cell).toMatchObject({ version: "7.4.0", status: "ok" });
  });
});

describe("a library that does not come with wirebench", () => {
  const missing = { ...msgpackr, library: "no-such-library", tried: "1.0.0" };

  it("is told to be missing, with what to do", () => {
    expect(() => chosenLibrary(missing)).toThrow(
      "not installed: npm install no-such-library@1.0.0, or --install",
    );
  });

  it("is in the default selection where the project depends on it", () => {
    expect(isAtHand(missing, new Set())).toBe(false);
    expect(isAtHand(missing, new Set(["no-such-library"]))).toBe(true);
    expect(isAtHand(msgpackr, new Set())).toBe(true);
  });

  it("leaves nothing half installed where npm fails", async () => {
    vi.stubEnv("PATH", folder);
    await expect(installMissing([missing])).rejects.toThrow("npm is not installed");
    await expect(usedVersion("no-such-library@1.0.0")).rejects.toThrow("npm is not installed");
    expect(readdirSync(path.join(folder, "cache/wirebench/libraries"))).toEqual([]);
  });

  it("leaves nothing behind without a network either, and says why in a line", async () => {
    vi.stubEnv("npm_config_registry", "http://127.0.0.1:9/");
    vi.stubEnv("npm_config_fetch_retries", "0");
    const problem = await installMissing([missing]).then(String, ({ message }: Error) => message);
    expect(problem).toMatch(/^npm install no-such-library@1\.0\.0: .*127\.0\.0\.1:9.*$/);
    expect(readdirSync(path.join(folder, "cache/wirebench/libraries"))).toEqual([]);
  });

  it("is fetched once", async () => {
    vi.stubEnv("PATH", folder);
    const kept = path.join(
      folder,
      "cache/wirebench/libraries/no-such-library@1.0.0/node_modules/no-such-library",
    );
    mkdirSync(kept, { recursive: true });
    writeFileSync(path.join(kept, "package.json"), '{ "name": "no-such-library", "version": "1.0.0" }');
    await installMissing([missing]);
    expect(chosenLibrary(missing)).toMatchObject({ version: "1.0.0", copy: { name: "no-such-library" } });
    expect(await usedVersion("no-such-library@1.0.0")).toMatchObject({ version: "1.0.0" });
    expect(existsSync(kept)).toBe(true);
  });
});

describe("another version of a library", () => {
  it("is a row of its own beside the one at hand", async () => {
    const parent = path.join(folder, "cache/wirebench/libraries");
    const kept = path.join(parent, "msgpackr@1.2.3");
    mkdirSync(path.join(kept, "node_modules"), { recursive: true });
    symlinkSync(copied(folder, "msgpackr", "1.2.3"), path.join(kept, "node_modules/msgpackr"));
    const { pairs } = await makePlan({
      codecs: ["json", "msgpackr", "msgpackr:records"],
      use: ["msgpackr@1.2.3"],
    });
    const rows = pairs.filter(({ twinOf }) => twinOf === undefined);
    expect(rows.map(({ codec }) => codec)).toEqual([
      "json",
      "msgpackr",
      "msgpackr@1.2.3",
      "msgpackr:records",
      "msgpackr:records@1.2.3",
    ]);
    const tried = installedVersion("msgpackr");
    expect(rows[2]).toMatchObject({
      source: {
        codec: "msgpackr",
        library: { name: "msgpackr", folder: kept, untried: { version: "1.2.3", tried } },
      },
      identity: { version: "1.2.3", libraryFolder: kept, tried },
    });
  });

  it.each(["msgpackr", ".", "no-such-file.tgz"])("called %s is refused", async (spec) => {
    await expect(makePlan({ use: [spec] })).rejects.toThrow(`${spec}: expected a pack`);
  });

  it("of a library that no codec uses is refused", async () => {
    const kept = path.join(folder, "cache/wirebench/libraries/left-pad@1.0.0/node_modules/left-pad");
    mkdirSync(kept, { recursive: true });
    writeFileSync(path.join(kept, "package.json"), '{ "name": "left-pad", "version": "1.0.0" }');
    await expect(makePlan({ codecs: ["json"], use: ["left-pad@1.0.0"] })).rejects.toThrow(
      "--use left-pad@1.0.0: no codec that is measured uses it",
    );
  });
});
