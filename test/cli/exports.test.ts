/** `--summary` and `history`, on files. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { renderJson } from "../../src/reports/any/json.ts";
import { measured, recordOf } from "../reports/record.ts";
import { wirebench } from "./wirebench.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-exports-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => path.join(folder, name);

/** The folder of a run of that day. */
function runOn(day: number, median: number): string {
  const name = at(`day-${day}`);
  mkdirSync(name, { recursive: true });
  const cells = [measured("json", "encode", 2617, median), measured("v8", "encode", 9, 7)];
  const record = { ...recordOf(cells), startedAt: `2026-11-0${day}T00:00:00Z` };
  writeFileSync(path.join(name, "run.json"), renderJson(record));
  return name;
}

describe("--summary", () => {
  it("adds the short report to what is in the file, as a paragraph of its own", async () => {
    const [file, run] = [at("summary.md"), runOn(1, 1000)];
    writeFileSync(file, "what another step wrote");
    for (const _ of [1, 2]) {
      const { code, stdout } = await wirebench(["report", run, "--format", "json", "--summary", file]);
      expect({ code, command: JSON.parse(stdout).tool.name }).toEqual({ code: 0, command: "wirebench" });
    }
    const text = readFileSync(file, "utf8");
    expect(text).toMatch(/^what another step wrote\n\n\*\*tellist\*\*/);
    expect(text.match(/\n\n\*\*tellist\*\*/g)).toHaveLength(2);
  });

  it("writes nothing where the report is none", async () => {
    const file = at("unwritten.md");
    const { code } = await wirebench(["report", runOn(1, 1000), "--format", "nope", "--summary", file]);
    expect({ code, written: existsSync(file) }).toEqual({ code: 2, written: false });
  });

  it("adds a comparison too, which has no short report", async () => {
    const file = at("compared.md");
    const { code } = await wirebench(["compare", runOn(1, 1000), runOn(2, 1000), "--summary", file]);
    expect(code).toBe(0);
    expect(readFileSync(file, "utf8")).toMatch(/^# wirebench comparison\n/);
  });

  it.each([
    ["a folder", folder, `${folder}: expected a file, got a folder`],
    [
      "a file in a folder that is not there",
      at("none/summary.md"),
      `${at("none/summary.md")}: cannot be written to`,
    ],
  ])("refuses %s before anything is measured", async (_, file, message) => {
    for (const command of [
      ["run", "--out", at("refused")],
      ["report", runOn(1, 1000)],
      ["merge", runOn(1, 1000), runOn(2, 1000), "--out", at("refused")],
      ["compare", "--base", "msgpackr", "--head", "msgpackr", "--out", at("refused")],
    ]) {
      const { code, stdout, stderr } = await wirebench([...command, "--summary", file]);
      expect({ code, stdout }, command[0]).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(`error: ${message}`);
      expect(existsSync(at("refused"))).toBe(false);
    }
  });
});

describe("history", () => {
  it("puts runs beside each other in the order of their dates, and leaves other records out by name", async () => {
    const examined = path.join(import.meta.dirname, "../../results/2026-11-22-doctor/doctor.json");
    const { code, stdout, stderr } = await wirebench(["history", runOn(2, 1100), runOn(1, 1000), examined]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `left out: ${examined}: its record is of the kind doctor, not of wirebench run\n`,
    });
    expect(stdout.replaceAll("\u00a0", " ")).toMatch(
      /\| json +\| 1\.00 µs ±5\.0 % \| 1\.10 µs ±5\.0 % \| \+10 % since 1 \|/,
    );
  });

  it("is data with --json", async () => {
    const { stdout } = await wirebench(["history", runOn(1, 1000), runOn(2, 1100), "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      runs: [{ startedAt: "2026-11-01T00:00:00Z" }, { startedAt: "2026-11-02T00:00:00Z" }],
      lines: [
        {
          codec: "json",
          points: [
            { run: 0, median: 1000 },
            { run: 1, median: 1100 },
          ],
        },
        { codec: "v8" },
      ],
    });
  });

  it("is a page with --format html", async () => {
    const { code, stdout } = await wirebench(["history", runOn(1, 1000), runOn(2, 1100), "--format", "html"]);
    expect({ code, start: stdout.slice(0, 15) }).toEqual({ code: 0, start: "<!doctype html>" });
  });

  it.each<[string, () => string[], string]>([
    ["two forms at once", () => [runOn(1, 1000), "--format", "html", "--json"], "--json"],
    ["a record twice", () => [runOn(1, 1000), `${runOn(1, 1000)}/run.json`], "both hold the same run"],
    ["a file that is not there", () => [runOn(1, 1000), at("missing.json")], "missing.json: "],
    [
      "no record of a run",
      () => [path.join(import.meta.dirname, "../../results/2026-11-22-doctor/doctor.json")],
      "history: expected records of wirebench run, got none",
    ],
    ["no records", () => [], "records"],
  ])("refuses %s", async (_, records, message) => {
    const { code, stdout, stderr } = await wirebench(["history", ...records()]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });
});
