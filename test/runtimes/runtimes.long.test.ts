/** Codecs are measured in other runtimes beside this one, from dist/ as a user's are, and the record says in which. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { run, verify } from "wirebench";
import { findRuntimes, runtimeNames } from "../../dist/runtimes/launch/find.js";
import { makePlan } from "../../dist/suite/plan.js";
import { runPlan } from "../../dist/suite/run.js";
import { itWith, type Reference, runtime } from "../references.ts";
import { OWN } from "./own-dataset.ts";

const bun = runtime("bun");
const deno = runtime("deno");
const node22 = runtime("node22");
const node24 = runtime("node24");

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-runtimes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A script that starts a program with the three standard descriptors only, as npm's of Deno does. */
function launcherOf(program: string): string {
  return `#!${process.execPath}
const { spawnSync } = require("node:child_process");
const { status } = spawnSync(${JSON.stringify(program)}, process.argv.slice(2), { stdio: "inherit" });
process.exit(status ?? 1);
`;
}

const talkative = path.join(import.meta.dirname, "../plugins/talkative.js");
const CODECS = ["json", "protobufjs", "msgpackr", "raw-struct"];

function named(name: string, { program }: Reference): string {
  return `${name}:${program}`;
}

describe("codecs in a runtime", () => {
  const references = { bun, deno, node22, node24 };
  for (const [name, reference] of Object.entries(references)) {
    const spec = (): string => named(name.replace(/\d+$/, ""), reference);

    itWith(reference)(`${name} carry what they carry here, whatever they print`, async () => {
      const codecs = [...CODECS, "talkative"];
      const here = await verify({ codecs, plugins: [talkative] });
      const there = await verify({ codecs, plugins: [talkative], runtimes: [spec()] });
      const figures = ({ cells }: typeof here): unknown[] =>
        cells.map(({ codec, status, bytes, reason }) => ({ codec, status, bytes, reason }));
      expect(figures(there)).toEqual(figures(here));
      expect(there.datasets).toEqual(here.datasets);
    });

    itWith(reference)(`${name} have a user's own values to the last bit`, async () => {
      const codecs = ["protobufjs", "python-pickle"];
      const here = await verify({ codecs, datasets: [OWN] });
      const there = await verify({ codecs, datasets: [OWN], runtimes: [spec()] });
      expect(there.cells.map(({ status }) => status)).toEqual(["ok", "ok"]);
      expect(there.datasets).toEqual(here.datasets);
      expect(here.datasets[0]?.sha256).toMatch(/^[0-9a-f]{64}$/);
    });

    // Bun does not report its collections.
    if (name !== "bun") {
      itWith(reference)(`${name} pause for no longer than the work takes in which they pause`, () => {
        const file = path.join(import.meta.dirname, "pauses.js");
        const flags = name === "deno" ? ["run", "--allow-all", "--v8-flags=--expose-gc"] : ["--expose-gc"];
        const output = execFileSync(reference.program ?? "", [...flags, file], { encoding: "utf8" });
        const { fault, pauses, nanos } = JSON.parse(output) as {
          fault?: string;
          pauses: readonly number[];
          nanos: number;
        };
        expect(fault).toBeUndefined();
        expect(pauses.length).toBeGreaterThan(3);
        const total = pauses.reduce((sum, pause) => sum + pause, 0);
        expect(total).toBeLessThanOrEqual(nanos);
        // No collection is done in a microsecond: in a unit too small, all of them would be.
        expect(total / pauses.length).toBeGreaterThan(1000);
      });
    }

    itWith(reference)(`${name} are told from those of others, and the record says what it is`, async () => {
      const specs = [process.execPath, reference.program].map((program, index) =>
        index === 0 ? `node@${program}` : spec(),
      );
      const options = {
        codecs: ["json", "v8"],
        operations: ["decode"],
        profile: "quick",
        runtimes: specs,
      } as const;
      const plan = await makePlan(options);
      // However long processes take on this machine, and however slow its cores are, there are as many as the profile says.
      const profile = { ...plan.profile, meanProcessMs: Number.POSITIVE_INFINITY, busyProcessMs: 0 };
      const record = await runPlan({ ...plan, profile }, {});
      const isSame = new Set(record.runtimes.map(({ version }) => version)).size === 1;
      expect(record.runtimes).toHaveLength(isSame ? 1 : 2);
      if (isSame) return;
      const [first, second] = record.runtimes;
      const version = execFileSync(reference.program ?? "", ["--version"], { encoding: "utf8" });
      expect(version).toContain(second?.version);
      expect(second?.engine.name).toBe(name === "bun" ? "JavaScriptCore" : "V8");
      expect(first).toMatchObject({ name: "node", version: process.versions.node });
      for (const { clockStepNanos = 0, timeSource } of record.runtimes) {
        expect(clockStepNanos).toBeGreaterThan(0);
        expect(["schedstat", "thread-cpu", "wall"]).toContain(timeSource);
      }
      const labels = record.runtimes.map(({ label }) => label);
      expect(labels).toEqual(
        name.startsWith("node")
          ? [`node ${process.versions.node.split(".")[0]}`, `node ${name.slice(4)}`]
          : ["node", name],
      );
      expect(record.options.baseline).toBe(`json (${labels[0]})`);
      const codecs = record.cells.filter(({ twinOf }) => twinOf === undefined);
      expect(codecs.map(({ codec, runtime: label }) => [codec, label])).toEqual(
        ["json", "v8"].flatMap((codec) => labels.map((label) => [`${codec} (${label})`, label])),
      );
      // Blocks are complete: each has a process of every codec in every runtime.
      const measured = record.cells.filter(({ status }) => status === "measured");
      expect(measured.map(({ nanos }) => nanos?.blocks)).toEqual(measured.map(() => [0, 1, 2, 3]));
      expect(measured.at(-1)?.standing?.ratio).toBeGreaterThan(0);
      expect(new Set(record.processes.map((one) => one.runtime))).toEqual(new Set(labels));
    });
  }

  itWith(bun)("whose engine is not V8 leave out what is V8's own, with the reason", async () => {
    const { cells } = await run({
      codecs: ["json", "v8"],
      operations: ["decode"],
      profile: "quick",
      runtimes: [named("bun", bun)],
    });
    const [json, v8] = cells;
    expect(json).toMatchObject({ codec: "json", status: "measured", library: "bun" });
    expect(json).not.toHaveProperty("memory");
    expect(json?.memoryReason).toMatch(/^bun \d.* does not (report|count) .*: expected .*, got \d/);
    expect(v8).toMatchObject({
      status: "unsupported",
      reason: expect.stringMatching(/^v8\.serialize does not write V8's format.*: expected .*, got 0x/),
    });
  });

  itWith(bun)("say so too where wirebench itself is run with another", () => {
    const bin = path.join(import.meta.dirname, "../../bin/wirebench.js");
    const output = execFileSync(bun.program ?? "", [bin, "verify", "-c", "json", "--json"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const { environment, runtimes, cells } = JSON.parse(output);
    expect(environment.runtime).toMatchObject({
      name: "bun",
      engine: { name: "JavaScriptCore" },
      execArgv: [],
    });
    expect(runtimes).toMatchObject([{ name: "bun", label: "bun", execArgv: ["--expose-gc"] }]);
    expect(cells).toMatchObject([{ codec: "json", status: "ok", library: "bun" }]);
  });

  const refusals: readonly (readonly [string, readonly string[], RegExp])[] = [
    [
      "ipc",
      ["latency"],
      /^error: tests between processes need a clock that they share: expected Node, .* got (bun|deno) \d/,
    ],
    [
      "compare",
      ["--base", "msgpackr", "--head", "msgpackr"],
      /^error: msgpackr and msgpackr: expected Node, .* got (bun|deno) \d/,
    ],
  ];
  for (const [program, flags] of [
    [bun, []],
    [deno, ["run", "--allow-all"]],
  ] as const) {
    for (const [command, args, words] of refusals) {
      itWith(program)(`refuse ${command} in a line where it needs Node: ${program.name}`, () => {
        const bin = path.join(import.meta.dirname, "../../bin/wirebench.js");
        const { status, stderr } = spawnSync(program.program ?? "", [...flags, bin, command, ...args], {
          encoding: "utf8",
        });
        expect(stderr).toMatch(words);
        expect(stderr.trim().split("\n")).toHaveLength(1);
        expect(status).toBe(2);
      });
    }
  }
});

describe("runtimes are found", () => {
  it("by the names of their files", () => {
    expect(runtimeNames()).toContain("node");
    expect(runtimeNames()).toEqual([...runtimeNames()].sort());
  });

  it("by a path after : or @, each program once, without which it is the one that runs this", async () => {
    const found = await findRuntimes(["node", `node:${process.execPath}`, `node@${process.execPath}`]);
    expect(found).toMatchObject([
      { label: "node", isCurrent: true, identity: { version: process.versions.node } },
    ]);
  });

  itWith(deno)("by what they are, where another is named", async () => {
    await expect(findRuntimes([named("node", deno)])).rejects.toThrow(/: expected node, got deno \d/);
  });

  itWith(deno)("behind the script by which npm starts them", async () => {
    const modules = path.join(folder, "node_modules");
    mkdirSync(path.join(modules, "deno"), { recursive: true });
    mkdirSync(path.join(modules, "@deno/any"), { recursive: true });
    mkdirSync(path.join(modules, ".bin"));
    writeFileSync(path.join(modules, "deno/bin.cjs"), launcherOf(deno.program ?? ""), { mode: 0o755 });
    symlinkSync("../deno/bin.cjs", path.join(modules, ".bin/deno"));
    symlinkSync(deno.program ?? "", path.join(modules, "@deno/any/deno"));
    const found = await findRuntimes([`deno:${path.join(modules, ".bin/deno")}`]);
    expect(found).toMatchObject([{ label: "deno", identity: { name: "deno" } }]);
  });

  it("not behind a script that does not pass the messages' descriptor on, which is said in a line", async () => {
    const launcher = path.join(folder, "launcher");
    writeFileSync(launcher, launcherOf(process.execPath), { mode: 0o755 });
    await expect(findRuntimes([`node:${launcher}`])).rejects.toThrow(
      /^runtime node:.*: expected it to run a measuring process: .*file descriptor 3, for messages, cannot be written to: .*does not pass it on$/,
    );
  });

  it.each([
    ["nod", /^unknown runtime "nod".*node/],
    ["node:/no/such/program", /^runtime node:\/no\/such\/program: no such file$/],
    ["node:", /^runtime "node:": expected a program's path after ":"$/],
    ["node:/", /^runtime node:\/: expected a program, got what cannot be executed$/],
    [
      "node:/bin/true",
      /^runtime node:\/bin\/true: expected it to run a measuring process: it ended without an answer \(exit code 0\)$/,
    ],
    [`bun@${process.execPath}`, /^runtime bun@.*: expected bun, got node \d/],
  ])("%s is refused in a line", async (spec, words) => {
    await expect(findRuntimes([spec])).rejects.toThrow(words);
  });
});
