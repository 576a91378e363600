/** `wirebench doctor` from its command line, in its smallest form. What it measures is not looked at: the machine is busy. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, describe, expect, it } from "vitest";
import recordSchema from "../../schemas/doctor-record.schema.json" with { type: "json" };
import type { DoctorRecord } from "../../src/model/records/doctor.ts";
import { renderDoctorMarkdown } from "../../src/reports/doctor/markdown.ts";
import { interrupted, wirebench } from "./wirebench.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wbt-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("wirebench doctor", () => {
  it("runs a trial as a user's run, and says what follows", async () => {
    const out = path.join(folder, "out");
    const args = ["--trials", "1", "--no-load", "--profile", "quick", "--seed", "5", "--json", "--out", out];
    const { code, stdout, stderr } = await wirebench(["doctor", ...args]);
    const record = JSON.parse(stdout) as DoctorRecord;
    const validate = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
    expect(validate.validate(recordSchema, record), JSON.stringify(validate.errors)).toBe(true);
    expect(record).toMatchObject({
      complete: true,
      options: { profile: "quick", trials: 1, load: false, seed: 5, turns: 1000, message: "tellist:1" },
    });
    expect(record.trials).toHaveLength(1);
    expect(record.trials[0]?.disturbed.processes).toBe(4 * 9);
    const injected = [0, 0.02, 0.05, 0.1, 0.2];
    expect(record.trials[0]).toMatchObject({ slowed: "json", seed: 5 });
    expect(record.trials[0]?.comparisons.map((one) => one.injected)).toEqual([...injected, ...injected]);
    expect(record).not.toHaveProperty("load");
    expect(record.machine.map(({ name }) => name)).toContain("clock step");
    expect(code).toBe(record.conclusion?.verdict === "cannot" ? 1 : 0);
    expect(JSON.parse(readFileSync(path.join(out, "doctor.json"), "utf8"))).toEqual(record);
    expect(readFileSync(path.join(out, "report.md"), "utf8")).toBe(renderDoctorMarkdown(record));
    expect(stderr).toContain("trial 1 of 1, known-cost");
    expect(stderr).toContain(`${out}/doctor.json and report.md`);
  });

  it("keeps what it found when it is interrupted", async () => {
    const out = path.join(folder, "cut");
    const args = ["doctor", "--profile", "quick", "--out", out];
    const { code, stdout, stderr } = await interrupted(args, (said) => said.includes("trial 1 of 4"));
    expect(code).toBe(130);
    expect(stderr).not.toMatch(/^100 %/m);
    expect(stdout).toContain("Not complete: interrupted.\n\nNo trial was finished: nothing is known.\n");
    expect(stdout).toMatch(/^clock step /m);
    expect(existsSync(path.join(out, "doctor.json"))).toBe(true);
  });

  it.each([
    [["--trials", "0"], "trials"],
    [["--trials", "ten"], "expected a whole number"],
    [["--profile", "slow"], "Allowed choices are quick, standard, thorough"],
    [["--out", ""], "--out: expected a name"],
    [["--seed", "4294967296"], "seed"],
  ])("refuses %j before anything is measured", async (args, message) => {
    const { code, stdout, stderr } = await wirebench(["doctor", ...args]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});
