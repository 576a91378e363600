/** `run --shard` and `merge`: a run that is cut over machines, and put together again. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readRecord } from "../../src/store/read-record.ts";
import { wirebench } from "./wirebench.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-merge-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const out = (name: string): string => path.join(folder, name);
const recordIn = (name: string): string => path.join(folder, name, "run.json");
const SHARDS = ["1", "2", "3"];

beforeAll(async () => {
  for (const shard of SHARDS) {
    const options = ["--profile", "quick", "--seed", "7", "-c", "json,raw-struct", "-o", "encode"];
    const { code } = await wirebench(["run", ...options, "--shard", `${shard}/3`, "--out", out(shard)]);
    expect(code).toBe(0);
  }
});

it("makes one record of the shards, which is reported and compared as any other", async () => {
  const records = SHARDS.map(recordIn);
  const { code, stdout, stderr } = await wirebench(["merge", ...records, "--out", out("all")]);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `\n${out("all")}/run.json, report.md and report.html\n`,
  });
  expect(stdout).toContain(`Merged: 3 runs on one kind of machine: ${records[0]} (shard 1/3, 2 blocks), `);
  expect(readdirSync(out("all")).toSorted()).toEqual(["plots", "report.html", "report.md", "run.json"]);
  const merged = readRecord(recordIn("all"));
  const own = merged.cells.filter(({ twinOf }) => twinOf === undefined);
  expect(own.map(({ codec, nanos }) => [codec, nanos?.blocks])).toEqual([
    ["json", [0, 1, 2, 3]],
    ["raw-struct", [0, 1, 2, 3]],
  ]);
  expect(merged.options).toMatchObject({ seed: 7, processes: 4 });
  const processes = merged.processes.filter(({ codec }) => codec === "json");
  expect(processes.map(({ block }) => block)).toEqual([0, 1, 2, 3]);
  expect(own.every(({ memory }) => memory !== undefined)).toBe(true);
  expect(merged.tool.command).toContain("wirebench merge ");
  expect((await wirebench(["report", out("all")])).stdout).toContain(
    "- Merged: 3 runs on one kind of machine",
  );
  const compared = await wirebench(["compare", recordIn("all"), recordIn("all")]);
  expect(compared.stdout).toContain("0 slower, 0 faster");
});

it("says which blocks are missing, and prints the record", async () => {
  const { code, stdout, stderr } = await wirebench([
    "merge",
    recordIn("1"),
    recordIn("3"),
    "--out",
    out("two"),
    "--json",
  ]);
  expect(code).toBe(0);
  expect(stderr).toContain("warning: 3 of 4 blocks: expected those of all shards\n");
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(readRecord(recordIn("two")))));
});

it.each<[string, () => readonly string[], string]>([
  ["one record", () => [recordIn("1")], "merge: expected two records or more, got one"],
  ["a record twice", () => [recordIn("1"), recordIn("1")], "both hold the same measurement"],
  ["standard input twice", () => ["-", "-"], "standard input can be one of the records only"],
  ["a file that is not there", () => [recordIn("1"), "missing.json"], "missing.json: "],
])("refuses %s, and leaves no folder", async (_, records, message) => {
  const { code, stderr } = await wirebench(["merge", ...records(), "--out", out("refused")]);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
  expect(readdirSync(folder)).not.toContain("refused");
});

it("refuses records with other options, and names both", async () => {
  const record = readRecord(recordIn("2"));
  const other = { ...record, options: { ...record.options, threshold: 0.2 } };
  writeFileSync(path.join(folder, "other.json"), JSON.stringify(other));
  const { code, stderr } = await wirebench(["merge", recordIn("1"), path.join(folder, "other.json")]);
  expect(code).toBe(2);
  expect(stderr).toContain(
    "other.json cannot be merged: option threshold: expected the same in both, got 0.01 and 0.2",
  );
});

it("has more shards than blocks refused", async () => {
  const { code, stderr } = await wirebench(["run", "--profile", "quick", "--shard", "1/5"]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: "error: shard 1/5: the profile quick has 4 blocks, expected at most 4 shards\n",
  });
});
