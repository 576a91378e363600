/** What a command leaves on disk, and which options reach the datasets that are named. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RunRecord } from "wirebench";
import { spawned, wirebench } from "./wirebench.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-folders-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a run", () => {
  it.each([
    [["-c", "protobufsj"]],
    [["-d", "telist"]],
    [["-o", "encod"]],
    [["-c", "v8", "--baseline", "json"]],
    [["--seed", "4294967296"]],
    [["-c", "protobufsj", "--out", "named"]],
  ])("that is refused leaves no folder behind: %j", (args) => {
    expect(spawned(["run", ...args], { cwd: folder }).code).toBe(2);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("leaves a folder of its own in results, and says which", () => {
    const args = ["run", "-c", "json", "-o", "access", "--profile", "quick", "--shard", "1/4"];
    const { code, stdout, stderr } = spawned([...args, "--int64", "bigint", "--json"], { cwd: folder });
    expect(code).toBe(0);
    const [made = "", ...others] = readdirSync(path.join(folder, "results"));
    expect(others).toEqual([]);
    expect(made).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z-[A-Za-z0-9-]+$/);
    expect(stderr).toContain(`results/${made}/run.json, report.md and report.html`);
    expect(readdirSync(path.join(folder, "results", made)).toSorted()).toEqual([
      "plots",
      "report.html",
      "report.md",
      "run.json",
    ]);
    const { datasets } = JSON.parse(stdout) as RunRecord;
    expect(datasets[0]).toMatchObject({ name: "tellist", int64: "bigint" });
  });
});

describe("an earlier run", () => {
  it.each([
    ["run", ["run", "-c", "json", "-o", "access", "--profile", "quick"], "run.json"],
    ["compare", ["compare", "--base", "msgpackr", "--head", "msgpackr", "--profile", "quick"], "run.json"],
    ["doctor", ["doctor", "--trials", "1", "--profile", "quick"], "doctor.json"],
    ["ipc", ["ipc", "latency", "--messages", "1"], "messages.csv"],
    [
      "ipc talker",
      ["ipc", "talker", "--transport", "nats://127.0.0.1:1", "--channel", "a", "-c", "json", "-d", "tellist"],
      "messages.csv",
    ],
  ])("is not overwritten by %s", async (_, args, file) => {
    const earlier = path.join(folder, file);
    writeFileSync(earlier, "kept");
    const { code, stdout, stderr } = await wirebench([...args, "--out", folder]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`${earlier}: there are results of another run, which are not overwritten`);
    expect(readFileSync(earlier, "utf8")).toBe("kept");
    expect(readdirSync(folder)).toEqual([file]);
  });

  it("and one at the same time never share a folder", async () => {
    const args = [
      "run",
      "-c",
      "json",
      "-o",
      "access",
      "--profile",
      "quick",
      "--shard",
      "1/4",
      "--out",
      path.join(folder, "one"),
    ];
    const ends = await Promise.all([wirebench(args), wirebench(args), wirebench(args)]);
    expect(ends.map(({ code }) => code).toSorted()).toEqual([0, 2, 2]);
    expect(readdirSync(path.join(folder, "one")).toSorted()).toEqual([
      "plots",
      "report.html",
      "report.md",
      "run.json",
    ]);
  });

  it("that was refused after its folder was made leaves no claim to it", () => {
    const args = ["doctor", "--trials", "0", "--out", path.join(folder, "refused")];
    expect(spawned(args).code).toBe(2);
    expect(existsSync(path.join(folder, "refused", "doctor.json"))).toBe(false);
  });
});

describe("verify", () => {
  it("kills a process that does not get on for so many seconds as it is given", () => {
    const plugin = path.join(import.meta.dirname, "../plugins/lingering.js");
    const { code, stdout } = spawned(
      ["verify", "-c", "lingering:forever", "--plugin", plugin, "--timeout", "1"],
      { cwd: folder, env: { ...process.env, WIREBENCH_TEST_PROCESS_FILE: path.join(folder, "forever") } },
    );
    expect(stdout).toContain("failed: hung: no result after 1 s");
    expect(code).toBe(1);
  });

  it("writes nothing", () => {
    expect(spawned(["verify", "-c", "json"], { cwd: folder }).code).toBe(0);
    expect(existsSync(path.join(folder, "results"))).toBe(false);
  });

  it("holds 64-bit integers of a named dataset as --int64 says", async () => {
    const args = ["verify", "-c", "json", "-d", "tellist", "--int64", "bigint", "--json"];
    const { datasets, cells } = JSON.parse((await wirebench(args)).stdout) as RunRecord;
    expect(datasets[0]).toMatchObject({ name: "tellist", int64: "bigint" });
    // Each phone number is a decimal string, in two quotes.
    expect(cells[0]).toMatchObject({ status: "ok", bytes: 2617 + 2 * 37 });
    const encoded = await wirebench(["encode", "-c", "json", "-d", "tellist", "--int64", "bigint"]);
    expect(encoded.stdout).toHaveLength(2617 + 2 * 37);
  });
});
