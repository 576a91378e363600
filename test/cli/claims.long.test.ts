/** `wirebench claims`, from the command line to the files. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { ClaimsRecord } from "../../src/model/records/claims.ts";
import { readAnyRecord } from "../../src/store/read-record.ts";
import { BIN, interrupted, spawned, wirebench } from "./wirebench.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-claims-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SIZES = ["--only", "amf3-smaller", "--only", "struct-smallest"];

describe("claims", () => {
  it("gives each claim a verdict, and keeps the record, the report and the chart", async () => {
    const out = path.join(folder, "sizes");
    const args = ["claims", ...SIZES, "--profile", "quick", "--seed", "7", "--no-native", "--out", out];
    const { code, stdout, stderr } = await wirebench([...args, "--json"]);
    expect(code, stderr).toBe(0);
    const record = JSON.parse(stdout) as ClaimsRecord;
    expect(readAnyRecord(path.join(out, "run.json"))).toEqual(record);
    expect(record).toMatchObject({ complete: true, options: { profile: "quick", seed: 7 } });
    // Each is measured on the data that it is about, and on no other.
    expect(record.run!.cells.map(({ codec, dataset }) => `${dataset} ${codec}`)).not.toContain(
      "tellist amf3",
    );
    const verdicts = record.claims.map(({ id, results }) => [id, ...results.map(({ verdict }) => verdict)]);
    expect(verdicts).toEqual([
      ["struct-smallest", "not testable", "impossible"],
      ["amf3-smaller", "not testable", "holds"],
    ]);
    expect(readdirSync(out).toSorted()).toEqual(["plots", "report.md", "run.json"]);
    const report = readFileSync(path.join(out, "report.md"), "utf8");
    expect(report).toContain("TypeScript (raw-struct, protobufjs): **impossible**");
    expect(report).toContain("![");
    expect((await wirebench(["report", out, "--format", "text"])).stdout).toMatch(
      /^AMF3 is over 20 % smaller than pickle .* holds +0\.\d\d$/m,
    );
    expect((await wirebench(["report", out, "--format", "summary"])).stdout).toContain("| impossible ");
  });

  it("names the near ones of a claim that there is not, before anything is measured", async () => {
    const { code, stderr } = await wirebench(["claims", "--only", "amf3-smaler"]);
    expect(code).toBe(2);
    expect(stderr).toContain('unknown claim "amf3-smaler", did you mean amf3-smaller?');
  });

  it("has the verdicts of the TypeScript codecs on a machine without compilers, and names what is missing", () => {
    const bare = path.join(folder, "bin");
    mkdirSync(bare);
    symlinkSync("/bin/sh", path.join(bare, "sh"));
    const out = path.join(folder, "bare");
    const { code, stdout, stderr } = spawned(
      ["claims", ...SIZES, "--profile", "quick", "--out", out, "--json"],
      { env: { PATH: bare, HOME: folder } },
    );
    expect(code, stderr).toBe(0);
    const { missing, claims } = JSON.parse(stdout) as ClaimsRecord;
    expect(missing.join("\n")).toMatch(/cpp\/raw-struct: .*g\+\+/);
    for (const line of missing) expect(stderr).toContain(`left out: ${line}`);
    expect(claims.map(({ results }) => results.map(({ verdict }) => verdict))).toEqual([
      ["not testable", "impossible"],
      ["not testable", "holds"],
    ]);
  });

  it("keeps what was measured when it is killed, but for the last seconds", async () => {
    const out = path.join(folder, "killed");
    const args = ["claims", "--profile", "standard", "--no-native", "--out", out];
    const child = spawn(process.execPath, [BIN, ...args], { stdio: "ignore" });
    const file = path.join(out, "run.json");
    await expect.poll(() => statSync(file, { throwIfNoEntry: false })?.size).toBeGreaterThan(0);
    child.kill("SIGKILL");
    const record = readAnyRecord(file) as ClaimsRecord;
    expect(record).toMatchObject({ complete: false, run: { complete: false } });
    expect(record.claims).toHaveLength(18);
    expect(record.run!.cells.filter(({ status }) => status === "measured").length).toBeGreaterThan(0);
    expect((await wirebench(["report", out])).stdout).toContain("# wirebench report: published claims");
  });

  it("keeps what was measured when it is interrupted", async () => {
    const out = path.join(folder, "cut");
    const { code, stdout } = await interrupted(
      ["claims", "--profile", "standard", "--no-native", "--out", out, "--markdown"],
      (stderr) => /\d+\/\d+ processes/.test(stderr),
    );
    expect(code).toBe(130);
    expect(stdout).toContain("# wirebench report: published claims");
    const record = readAnyRecord(path.join(out, "run.json")) as ClaimsRecord;
    expect(record.complete).toBe(false);
    expect(record.claims).toHaveLength(18);
  });
});
