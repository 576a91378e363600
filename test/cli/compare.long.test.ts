/** `wirebench compare`, from dist/ as a user's is, with real measuring processes. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cell, type Comparison, type RunRecord, renderJson } from "wirebench";
import comparisonSchema from "../../schemas/comparison.schema.json" with { type: "json" };
import node from "../../src/runtimes/node.ts";
import { measured, recordOf, refused } from "../reports/record.ts";
import { copied, installedVersion, withDependencies } from "../runtimes/library-copies.ts";
import { type Ended, interrupted, spawned, wirebench } from "./wirebench.ts";

const root = path.join(import.meta.dirname, "../..");
const plugin = (name: string): string => path.join(root, "test/plugins", name);
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "compare-test-"));
  withDependencies(folder);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const validate = new Ajv2020({ strictTypes: false, allowUnionTypes: true }).compile(comparisonSchema);

function comparisonOf({ stdout, stderr }: Ended): Comparison {
  expect(stdout, stderr).not.toBe("");
  const comparison = JSON.parse(stdout) as Comparison;
  expect(validate(comparison), JSON.stringify(validate.errors)).toBe(true);
  return comparison;
}

function file(name: string, record: RunRecord): string {
  const place = path.join(folder, name);
  writeFileSync(place, renderJson(record));
  return place;
}

/** Cells of four codecs, of which json may take longer, on a machine that may be slower. */
function cellsOf(json: number, factor = 1, digits = 0): Cell[] {
  const times: [string, number][] = [
    ["json", json],
    ["v8", 1000],
    ["amf3", 3000],
    ["msgpackr", 500],
  ];
  return times.flatMap(([codec, nanos]) => [
    measured(codec, "encode", codec === "json" ? 1849 + digits : 20, nanos * factor),
    measured(codec, "decode", codec === "json" ? 1849 + digits : 20, nanos * factor),
  ]);
}

describe("compare with records", () => {
  let [a, b, c] = ["", "", ""];
  beforeAll(() => {
    a = file("a.json", recordOf(cellsOf(1000)));
    b = file("b.json", recordOf(cellsOf(1300, 1, 3)));
    c = file("c.json", recordOf(cellsOf(1000, 1.01)));
  });

  it("prints what changed, for people and for programs", async () => {
    const text = await wirebench(["compare", a, b]);
    expect([text.code, text.stderr]).toEqual([0, ""]);
    expect(text.stdout).toMatch(/^slower +encode +json +1.00 µs +1.30 µs +\+30 %/m);
    expect(text.stdout).toContain("1,849 -> 1,852 bytes");
    const { cells } = comparisonOf(await wirebench(["compare", a, b, "--json"]));
    expect(
      cells.slice(0, 3).map(({ operation, dataset, codec, verdict }) => [operation, dataset, codec, verdict]),
    ).toEqual([
      ["encode", "tellist", "json", "slower"],
      ["decode", "tellist", "json", "slower"],
      ["encode", "tellist", "v8", "same"],
    ]);
  });

  it.each([
    ["5%", 1],
    ["0.5", 0],
  ])("exits by --fail-if-slower %s", async (limit, code) => {
    const ended = await wirebench(["compare", a, b, "--fail-if-slower", limit]);
    expect(ended.code).toBe(code);
    expect(ended.stdout).toMatch(
      code === 1 ? /slower by more than .*: encode\/tellist\/json, \+30 %/ : /: none$/m,
    );
  });

  it("does not pass in silence what it cannot tell", async () => {
    const single = (name: string, nanos: number): string =>
      file(name, recordOf([measured("json", "encode", 1849, nanos)]));
    const lone = [single("lone.json", 1000), single("lone-head.json", 3000)];
    const gate = ["compare", ...lone, "--fail-if-slower", "5%"];
    const passed = await wirebench(gate);
    expect(passed.code).toBe(0);
    for (const told of [passed.stdout, passed.stderr]) {
      expect(told.match(/the gate is blind/g)).toHaveLength(1);
      expect(told.trimEnd().split("\n").at(-1)).toMatch(
        /^warning: the gate is blind for 1 of 1 cell: .* pass/,
      );
    }
    const failed = await wirebench([...gate, "--fail-if-undecided", "5%"]);
    expect(failed.code).toBe(3);
    expect(failed.stdout.trimEnd().split("\n").at(-1)).toMatch(
      /^cannot tell whether slower by more than 5.0 %: encode\/tellist\/json, \+\d+ % … \+\d+ %/,
    );
    const absolute = await wirebench([...gate, "--fail-if-undecided", "5%", "--absolute"]);
    expect(absolute.code).toBe(1);
    expect((await wirebench(["compare", a, b, "--fail-if-undecided", "5%"])).code).toBe(0);
  });

  it.each(["text", "markdown", "github", "json"])("warns once on a terminal, as %s", async (format) => {
    const single = (name: string, nanos: number): string =>
      file(name, recordOf([measured("json", "encode", 1849, nanos)]));
    const sides = [single("seen.json", 1000), single("seen-head.json", 3000)];
    const command = ["compare", ...sides, "--fail-if-slower", "5%", "--format", format];
    const seen = await wirebench(command, true);
    expect(seen.stderr).toBe("");
    expect(seen.stdout.match(/the gate is blind/g)).toHaveLength(1);
    const warnings = /no run measured its own noise|fewer than six cells/g;
    expect(new Set(seen.stdout.match(warnings)).size).toBe(seen.stdout.match(warnings)?.length);
    // Elsewhere the two may end in different places.
    expect((await wirebench(command)).stderr).toContain("the gate is blind");
  });

  it("does not pass what failed in the head", async () => {
    const [kept, lost] = [measured("json", "encode", 10, 1000), measured("v8", "encode", 10, 1000)];
    const sound = file("sound.json", recordOf([kept, lost]));
    const broken = file("broken.json", recordOf([kept, refused("v8", "encode", "failed", "lost")]));
    const exitOf = async (...gates: string[]): Promise<number | null> =>
      (await wirebench(["compare", sound, broken, "--absolute", ...gates])).code;
    expect(await exitOf()).toBe(0);
    expect(await exitOf("--fail-if-slower", "1000%")).toBe(1);
    expect(await exitOf("--fail-if-undecided", "1000%")).toBe(3);
    expect(await exitOf("--fail-if-slower", "1000%", "--fail-if-undecided", "1000%")).toBe(1);
    const back = ["compare", broken, sound, "--absolute", "--fail-if-undecided", "1000%"];
    expect((await wirebench(back)).code).toBe(0);
    const { stdout } = await wirebench(["compare", sound, broken, "--fail-if-undecided", "5%"]);
    expect(stdout).toMatch(
      /^cannot tell whether slower by more than 5\.0 %: encode\/tellist\/v8, failed in the head$/m,
    );
    const json = comparisonOf(
      await wirebench(["compare", sound, broken, "--json", "--fail-if-undecided", "5%"]),
    );
    expect(json.failIfUndecided?.failed).toMatchObject([{ operation: "encode", codec: "v8" }]);
  });

  it.each([
    ["40%", 1],
    ["60%", 0],
  ])("exits by --fail-if-shifted %s", async (limit, code) => {
    const slow = file("slow.json", recordOf(cellsOf(1000, 1.5)));
    const ended = await wirebench(["compare", a, slow, "--fail-if-slower", "5%", "--fail-if-shifted", limit]);
    expect(ended.code).toBe(code);
    expect(ended.stdout).toMatch(code === 1 ? /by more than 40 %: \+50 %$/m : /by more than 60 %: no$/m);
  });

  it("takes several records of the base, and those of the head after --", async () => {
    const ended = await wirebench(["compare", "--json", a, c, "--", b]);
    expect(ended.code, ended.stderr).toBe(0);
    const comparison = comparisonOf(ended);
    expect(comparison.bases?.map(({ source }) => source)).toEqual([a, c]);
    expect(comparison).toMatchObject({ head: { source: b }, betweenRuns: { source: "runs" } });
    expect(comparison.heads).toBeUndefined();
    const text = await wirebench(["compare", a, c, "--", b]);
    expect(text.stdout).toContain("measured by 2 runs of the base and 1 of the head");
  });

  it("prints as any report of a comparison", async () => {
    const markdown = await wirebench(["compare", a, b, "--format", "markdown"]);
    expect(markdown.stdout).toMatch(
      /^\| slower +\| encode +\| json +\| +1\.00\u00a0µs \| +1\.30\u00a0µs \|/m,
    );
    const github = await wirebench(["compare", a, b, "--format", "github", "--fail-if-slower", "5%"]);
    expect(github.stdout).toMatch(/^::error title=slower%3A encode\/tellist\/json::\+30 %25 \(95 %25%?:/m);
    expect((await wirebench(["compare", a, b, "--format", "json"])).stdout).toBe(
      (await wirebench(["compare", a, b, "--json"])).stdout,
    );
  });

  it("refuses other data under the same name", async () => {
    const record = recordOf([measured("json", "encode", 1, 1)]);
    const other = { ...record, datasets: record.datasets.map((one) => ({ ...one, sha256: "0".repeat(64) })) };
    const { code, stderr } = await wirebench(["compare", a, file("other.json", other), "--force"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('error: dataset "tellist"')]);
  });

  it("refuses standard input for both", async () => {
    const { code, stderr } = await wirebench(["compare", "-", "-"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("standard input can be one of the records")]);
  });

  it.each([
    [["--fail-if-slower", "5"], "expected a share, as 5% or 0.05: 5 alone could be either"],
    [["-c", "json"], "--codec is for --base and --head"],
    [["--sample", "0"], "--sample is for --base and --head: nothing is measured of records"],
    [["--as", "each"], "--as is for --base and --head"],
    [["--hint", "/x=enum"], "--hint is for --base and --head"],
    [["--max-values", "9"], "--max-values is for --base and --head"],
    [["--strict"], "--strict is for --base and --head"],
    [["--base", "msgpackr"], "--base needs --head"],
    [["--base", "msgpackr", "--head", "msgpackr"], "expected no records beside them"],
    [
      ["third.json"],
      "several of the base and those of the head after -- (compare base1 base2 base3 -- head)",
    ],
    [["--", "third.json", "--absolute"], "--absolute: expected options before --"],
    [["--"], "expected two records"],
    [["--format", "pdf"], 'no report "pdf" of a comparison, expected one of github, json, markdown, text'],
    [["--format", "text", "--json"], "--json and --format text: expected one of them"],
    [["--base", "a", "--head", "b", "--absolute"], "expected no records beside them"],
  ])("refuses %j", async (more, words) => {
    const { code, stderr } = await wirebench(["compare", a, b, ...more]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});

const QUICK = ["--profile", "quick", "-o", "encode"];

/** Flags with which both sides are measured. */
const STEADY = ["--no-concurrent-recompilation", "--single-threaded-gc"];

/** Runs a paired comparison in the folder of the test. */
function paired(
  base: string,
  head: string,
  more: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Ended {
  const args = ["compare", "--base", base, "--head", head, ...QUICK, "--out", "out", ...more];
  rmSync(path.join(folder, "out"), { recursive: true, force: true });
  return spawned(args, { cwd: folder, env: { ...process.env, TMPDIR: folder, ...env } });
}

const saved = (name: string): unknown => JSON.parse(readFileSync(path.join(folder, "out", name), "utf8"));

function cellOf(record: RunRecord, codec: string): Cell | undefined {
  return record.cells.find((cell) => cell.codec === codec);
}

describe("compare with two files of a codec", () => {
  it("plans and reads nothing for a report that there is not", async () => {
    const sides = ["--base", "/nowhere/a.js", "--head", "/nowhere/b.js", "--data", "/nowhere/data.json"];
    const both = await wirebench(["compare", ...sides, "--format", "pdf"]);
    const records = await wirebench(["compare", "/nowhere/a.json", "/nowhere/b.json", "--format", "pdf"]);
    for (const { code, stderr } of [both, records])
      expect([code, stderr]).toEqual([2, expect.stringContaining('no report "pdf" of a comparison')]);
  });

  it("measures nothing where the comparison could not be kept", () => {
    mkdirSync(path.join(folder, "taken/comparison.json"), { recursive: true });
    const sides = [plugin("before/rewriting.js"), plugin("after/rewriting.js")] as const;
    const { code, stdout, stderr } = paired(...sides, ["--out", "taken"]);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining("cannot be written to (EISDIR)")]);
    expect(readdirSync(path.join(folder, "taken"))).toEqual(["comparison.json"]);
  });

  it("measures both in the same blocks, keeps the record, and finds what is slower and larger", () => {
    const ended = paired(plugin("before/rewriting.js"), plugin("after/rewriting.js"), [
      "--json",
      "--fail-if-slower",
      "5%",
    ]);
    const comparison = comparisonOf(ended);
    expect(comparison).toMatchObject({
      kind: "comparison",
      method: "paired",
      steadyArgv: STEADY,
      cells: [{ codec: "rewriting", operation: "encode" }],
    });
    expect(comparison.cells[0]?.ratio).toBeGreaterThan(1.5);
    expect(comparison.sizes[0]).toMatchObject({ measure: "bytes", change: 1 });
    expect(ended.code).toBe(comparison.failIfSlower?.slower.length);
    expect(saved("comparison.json")).toEqual(comparison);
    const record = saved("run.json") as RunRecord;
    // Where processes take seconds there are three blocks.
    const blocks = [0, 1, 2, 3].slice(0, Math.max(3, record.processes.length / 4));
    expect(record.processes.map(({ block }) => block)).toEqual(
      blocks.flatMap((block) => [block, block, block, block]),
    );
    for (const block of blocks) {
      const codecs = record.processes.filter((one) => one.block === block).map(({ codec }) => codec);
      expect(codecs.filter((name) => !name.includes("A/A")).sort()).toEqual([
        "rewriting (base)",
        "rewriting (head)",
      ]);
    }
  });

  it("has a codec that fails on one side as a failure", () => {
    const broken = path.join(folder, "node_modules-free");
    mkdirSync(broken);
    writeFileSync(
      path.join(broken, "rewriting.js"),
      'export default { format: "json", summary: "", bind: () => { throw new Error("bound with " + process.execArgv.join(" ")); } };',
    );
    const ended = paired(plugin("before/rewriting.js"), path.join(broken, "rewriting.js"), ["--json"]);
    expect(ended.code).toBe(1);
    expect(comparisonOf(ended)).toMatchObject({
      cells: [],
      alone: [
        {
          codec: "rewriting",
          side: "base",
          other: "failed",
          reason: `bound with ${[...node.execArgv.filter((flag) => flag.startsWith("--")), ...STEADY].join(" ")}`,
        },
      ],
    });
    expect(ended.stderr).toContain("rewriting (head): failed: bound with --expose-gc");
  });

  it("keeps what was measured until an interruption", async () => {
    const out = path.join(folder, "interrupted");
    const args = ["compare", "--base", plugin("before/rewriting.js"), "--head", plugin("after/rewriting.js")];
    const { code, stdout } = await interrupted([...args, "--out", out, "--json"], (stderr) =>
      /\n.* 4\//.test(stderr),
    );
    expect(code).toBe(130);
    expect((JSON.parse(stdout) as Comparison).base.complete).toBe(false);
    expect(readdirSync(out).sort()).toEqual([
      "comparison.json",
      "plots",
      "report.html",
      "report.md",
      "run.json",
    ]);
  });
});

describe("compare with two copies of a library", () => {
  it("records each side's own version, and leaves nothing behind", () => {
    const ended = paired("msgpackr", copied(folder, "msgpackr", "99.1.2"), ["--json"]);
    expect(ended.code, ended.stderr).toBe(0);
    expect(comparisonOf(ended).head.libraries).toMatchObject([{ library: "msgpackr", version: "99.1.2" }]);
    const record = saved("run.json") as RunRecord;
    expect(cellOf(record, "msgpackr (base)")).toMatchObject({
      library: "msgpackr",
      version: installedVersion("msgpackr"),
      build: expect.stringMatching(/native part$/),
      status: "measured",
    });
    expect(cellOf(record, "msgpackr (head)")).toMatchObject({ version: "99.1.2", status: "measured" });
    expect(readdirSync(folder).filter((name) => name.startsWith("wirebench-"))).toEqual([]);
  });
});
