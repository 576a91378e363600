/** What is planned for two sides, and what is cleared away: nothing is measured, and npm needs no network. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { PROFILES } from "../../../src/measure/profiles.ts";
import { UsageError } from "../../../src/model/errors.ts";
import node from "../../../src/runtimes/node.ts";
import { journalHeader } from "../../../src/suite/journal.ts";
import { comparedSource } from "../../../src/suite/paired/compared-side.ts";
import {
  type PairedPlan,
  type PairedSelection,
  withPairedPlan,
} from "../../../src/suite/paired/paired-plan.ts";
import { makePlan } from "../../../src/suite/plan.ts";
import { copied, installedVersion, withDependencies } from "../../runtimes/library-copies.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-paired-test-"));
const scratch = path.join(folder, "scratch");
const plugin = (name: string): string => path.join(import.meta.dirname, "../../plugins", name);
let copy = "";

beforeAll(() => {
  mkdirSync(scratch);
  withDependencies(folder);
  copy = copied(folder, "msgpackr", "99.1.2");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  vi.stubEnv("TMPDIR", scratch);
});
afterEach(() => {
  vi.unstubAllEnvs();
  expect(readdirSync(scratch), "what was installed is removed").toEqual([]);
});

function planned(
  base: string,
  head: string,
  selection: PairedSelection = {},
  signal?: AbortSignal,
): Promise<PairedPlan> {
  return withPairedPlan({ base, head }, selection, signal, (paired) => {
    for (const { source } of paired.plan.pairs) {
      if (source.library !== undefined) expect(existsSync(source.library.folder)).toBe(true);
    }
    return Promise.resolve(paired);
  });
}

/** Puts an npm before all others that does this: $3 is the folder, $COPY a package. */
function fakeNpm(script: string): string {
  const bin = mkdtempSync(path.join(folder, "bin-"));
  writeFileSync(path.join(bin, "npm"), `#!/bin/sh\n${script}\n`);
  chmodSync(path.join(bin, "npm"), 0o755);
  vi.stubEnv("PATH", `${bin}:${process.env["PATH"]}`);
  return bin;
}

const INSTALL = 'mkdir -p "$3/node_modules" && cp -r "$COPY" "$3/node_modules/msgpackr"';

describe("a plan of two copies of a library", () => {
  it("has each of its codecs on both sides, with the sides' own versions, and the base three times", async () => {
    const { plan, names } = await planned("msgpackr", copy);
    const version = installedVersion("msgpackr");
    expect(plan.pairs.map(({ codec, twinOf, identity }) => [codec, identity.version, twinOf])).toEqual([
      ["msgpackr (base)", version, undefined],
      ["msgpackr (head)", "99.1.2", undefined],
      ["msgpackr (base) (A/A)", version, "msgpackr (base)"],
      ["msgpackr (base) (A/A 2)", version, "msgpackr (base)"],
    ]);
    expect(plan.baseline).toBe("msgpackr (base)");
    expect(names).toEqual([{ codec: "msgpackr", base: "msgpackr (base)", head: "msgpackr (head)" }]);
  });

  it("has variants that are asked for, and every dataset", async () => {
    const { plan } = await planned("msgpackr", copy, {
      codecs: ["msgpackr", "msgpackr:records"],
      datasets: ["tellist", "garden"],
      profile: "quick",
    });
    const own = plan.pairs.filter(({ twinOf }) => twinOf === undefined);
    expect(own.map(({ codec, dataset }) => `${codec} ${dataset.name}`)).toEqual([
      "msgpackr (base) tellist",
      "msgpackr (head) tellist",
      "msgpackr:records (base) tellist",
      "msgpackr:records (head) tellist",
      "msgpackr (base) garden",
      "msgpackr (head) garden",
      "msgpackr:records (base) garden",
      "msgpackr:records (head) garden",
    ]);
  });

  it("has a version that npm installs, without its scripts", async () => {
    vi.stubEnv("COPY", copy);
    const bin = fakeNpm(`${INSTALL}; echo "$@" > "$(dirname "$0")/log"`);
    const { plan } = await planned("msgpackr", "msgpackr@99.1.2");
    const tried = installedVersion("msgpackr");
    expect(plan.pairs[1]?.identity).toMatchObject({ library: "msgpackr", version: "99.1.2", tried });
    expect(plan.pairs[1]?.source.library?.untried).toEqual({ version: "99.1.2", tried });
    expect(plan.pairs[0]?.identity).not.toHaveProperty("tried");
    const args = readFileSync(path.join(bin, "log"), "utf8");
    expect(args).toMatch(/^install --prefix .* --ignore-scripts .* -- msgpackr@99\.1\.2\n$/);
  });

  it("has a packed package by the name that npm found in it", async () => {
    vi.stubEnv("COPY", copy);
    fakeNpm(`${INSTALL}; echo '{"dependencies":{"msgpackr":"file:x.tgz"}}' > "$3/package.json"`);
    const archive = path.join(folder, "x.tgz");
    writeFileSync(archive, "");
    const { plan } = await planned("msgpackr", archive);
    expect(plan.pairs[1]?.identity).toMatchObject({ library: "msgpackr", version: "99.1.2" });
  });

  it("is refused with what npm says", async () => {
    fakeNpm(
      "echo 'npm error code ETARGET' >&2; echo 'npm error notarget No matching version found for x.' >&2; exit 1",
    );
    await expect(planned("msgpackr", "msgpackr@9.9.9")).rejects.toThrow(
      new UsageError("npm install msgpackr@9.9.9: No matching version found for x."),
    );
    vi.stubEnv("PATH", folder);
    await expect(planned("msgpackr", "msgpackr@9.9.9")).rejects.toThrow("npm is not installed");
  });

  it("ends npm when it is interrupted", async () => {
    fakeNpm("exec sleep 60");
    const reason = new Error("interrupted");
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 200);
    await expect(planned("msgpackr", "msgpackr@9.9.9", {}, controller.signal)).rejects.toBe(reason);
  });

  it.each([
    ["msgpackr", "protobufjs", "expected two versions of one package, got msgpackr and protobufjs"],
    ["left-pad@1.0.0", "left-pad@1.3.0", "no codec uses the package left-pad, expected one of "],
    [
      "msgpackr",
      plugin("after/rewriting.js"),
      "expected two versions of one package, or two files with a codec",
    ],
  ])("is refused for %s and %s, before npm is called", async (base, head, words) => {
    fakeNpm("echo called >&2; exit 1");
    await expect(planned(base, head)).rejects.toThrow(words);
  });

  it("is refused for a codec of another library", async () => {
    await expect(planned("msgpackr", copy, { codecs: ["json"] })).rejects.toThrow(
      'codec "json" uses node: expected one that uses msgpackr',
    );
  });
});

describe("a plan of two files", () => {
  it("has the codec of each, each with its own plugins", async () => {
    const [base, head] = [plugin("before/rewriting.js"), plugin("after/rewriting.js")];
    const { plan } = await planned(base, head, { profile: "quick" });
    expect(plan.pairs.map(({ codec, source }) => [codec, source])).toEqual([
      ["rewriting (base)", { codec: "rewriting", plugins: [base] }],
      ["rewriting (head)", { codec: "rewriting", plugins: [head] }],
      ["rewriting (base) (A/A)", { codec: "rewriting", plugins: [base] }],
      ["rewriting (base) (A/A 2)", { codec: "rewriting", plugins: [base] }],
    ]);
  });

  it("has codecs of different names under both", async () => {
    const { names } = await planned(plugin("before/rewriting.js"), plugin("talkative.js"));
    expect(names[0]?.codec).toBe("rewriting -> talkative");
  });

  it("is refused where one is no codec", async () => {
    await expect(planned(plugin("round-trip.js"), plugin("after/rewriting.js"))).rejects.toThrow(
      "expected a codec, got another plugin",
    );
  });
});

describe("both sides", () => {
  const files = [plugin("before/rewriting.js"), plugin("after/rewriting.js")] as const;
  const steady = ["--no-concurrent-recompilation", "--single-threaded-gc"];

  it("are measured with flags that a run never has", async () => {
    const { plan } = await planned(...files);
    expect(plan.steady).toBe(true);
    expect(plan.runtimes.map(({ execArgv }) => execArgv)).toEqual([[...node.execArgv, ...steady]]);
    for (const { runtime } of plan.pairs) expect(runtime).toBe(plan.runtimes[0]);
    const run = await makePlan({ codecs: ["json"] });
    expect([run.steady, run.runtimes[0]?.execArgv]).toEqual([undefined, node.execArgv]);
  });

  it("say so in the record, and of the machine's flags too", async () => {
    const { plan } = await planned(...files);
    const { runtimes, environment } = journalHeader(plan, "test").run;
    expect(runtimes[0]?.steadyArgv).toEqual(steady);
    expect(runtimes[0]?.execArgv).toEqual([...node.execArgv, ...steady]);
    expect(environment.runtime.execArgv).toEqual([...node.execArgv, ...steady]);
    expect(journalHeader(await makePlan({ codecs: ["json"] }), "test").run.runtimes[0]).not.toHaveProperty(
      "steadyArgv",
    );
  });

  it.each([
    ["quick", 250],
    ["standard", 250],
    ["thorough", PROFILES.thorough.warmupMs],
  ] as const)(
    "are warm before they are measured, however short the warm-up of %s is",
    async (profile, ms) => {
      const { plan } = await planned(...files, { profile });
      // Their longer warm-up is no reason for fewer processes, and a slow core none for more.
      const { meanProcessMs: _, ...rest } = PROFILES[profile];
      expect(plan.profile).toEqual({ ...rest, warmupMs: ms, busyProcessMs: 0 });
    },
  );
});

describe("a side", () => {
  it.each([
    ["msgpackr", { kind: "package", name: "msgpackr" }],
    ["msgpackr@2.1.3", { kind: "package", name: "msgpackr", version: "2.1.3" }],
    ["msgpackr@^2.0.0-beta.1", { kind: "package", name: "msgpackr", version: "^2.0.0-beta.1" }],
    ["@scope/codec@next", { kind: "package", name: "@scope/codec", version: "next" }],
    ["bn.js@5.0.0", { kind: "package", name: "bn.js", version: "5.0.0" }],
    [plugin("after/rewriting.js"), { kind: "plugin", file: plugin("after/rewriting.js") }],
  ])("is known by how it is written: %s", (text, source) => {
    expect(comparedSource(text)).toEqual(source);
  });

  it("may be a folder with a package", () => {
    expect(comparedSource(copy)).toEqual({ kind: "folder", name: "msgpackr", folder: copy });
  });

  it.each([
    ["msgpackr@git+https://example.com/x", "expected a package as msgpackr@2.1.3"],
    ["--version", "expected a package as msgpackr@2.1.3"],
    ["a b", "expected a package as msgpackr@2.1.3"],
    ["", "expected a package as msgpackr@2.1.3"],
    ["./nowhere", "./nowhere: no such file or folder"],
    ["nowhere.js", "nowhere.js: no such file (a package of this name needs a version: nowhere.js@1.0.0)"],
    ["nowhere.tgz", "nowhere.tgz: expected a packed package, got no such file"],
    [import.meta.dirname, "expected a package.json in it, got none"],
    [path.join(import.meta.dirname, "../../vectors"), "expected a package.json in it, got none"],
  ])("is refused where it is nothing of that: %s", (text, words) => {
    expect(() => comparedSource(text)).toThrow(UsageError);
    expect(() => comparedSource(text)).toThrow(words);
  });

  it.each([
    ["no JSON", "{", "it is not JSON"],
    ["no object", "null", "name: expected that of a package, got nothing"],
    ["no name", "{}", "name: expected that of a package, got nothing"],
    ["a name that leads out of node_modules", '{"name":"../../x"}', 'got "../../x"'],
    ["a version that is no string", '{"name":"x","version":1}', "version: expected a string, got 1"],
  ])("is refused where its package.json has %s", (_, text, words) => {
    const broken = mkdtempSync(path.join(folder, "broken-"));
    writeFileSync(path.join(broken, "package.json"), text);
    expect(() => comparedSource(broken)).toThrow(UsageError);
    expect(() => comparedSource(broken)).toThrow(words);
  });
});
