/** Files of JSON without a schema on the command line. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, it } from "vitest";
import type { RunRecord } from "wirebench";
import { wirebench } from "./wirebench.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-files-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Uint8Array): string {
  const full = path.join(folder, name);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, content);
  return full;
}

const PEOPLE = '[{"id":1,"name":"Ann","note":null},{"id":2,"name":"Bob","tags":[["x"]]}]';
const people = file("people.json", PEOPLE);
const CODECS = ["-c", "json,protobufjs", "--json"];

async function verified(args: readonly string[]): Promise<RunRecord> {
  const { code, stdout, stderr } = await wirebench(["verify", ...CODECS, ...args]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

it("verify takes a file, and its record says what was chosen", async () => {
  const { datasets, cells } = await verified([people]);
  expect(datasets[0]).toMatchObject({ name: "people", values: 1, inferred: { values: 1 } });
  expect(datasets[0]?.inferred?.choices).toContain("the list is one value: see --as each");
  expect(cells.map(({ status }) => status)).toEqual(["ok", "ok"]);
  expect(cells[0]?.bytes).toBe(PEOPLE.length);
});

it("each element of a list is a value with --as each, and each line of NDJSON", async () => {
  const lines = (JSON.parse(PEOPLE) as unknown[]).map((one) => `${JSON.stringify(one)}\n`).join("");
  for (const args of [[people, "--as", "each"], [file("log.ndjson.gz", gzipSync(lines))]]) {
    expect((await verified(args)).datasets[0]).toMatchObject({ inferred: { values: 2 } });
  }
});

it("a folder and a pattern are the files in them", async () => {
  file("many/a.json", '{"a":1}');
  file("many/b.json", '// one\n{"a":2.5}');
  for (const word of [path.join(folder, "many"), path.join(folder, "many/*.json")]) {
    expect((await verified([word])).datasets[0]).toMatchObject({ inferred: { values: 2 } });
  }
});

it("a file that cannot even be looked at is refused in one line", async () => {
  const { code, stderr } = await wirebench(["verify", path.join(folder, "x".repeat(300))]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: .*x: cannot be read \(ENAMETOOLONG\): its name is too long\n$/);
});

it("a folder has no other folder's files, and says so", async () => {
  file("outer/inner/a.json", '{"a":1}');
  const { code, stderr } = await wirebench(["verify", path.join(folder, "outer")]);
  expect(code).toBe(2);
  const outer = path.join(folder, "outer");
  expect(stderr).toContain(
    `${outer}: no file of data in the folder, only folders: ${outer}/** takes theirs too`,
  );
  expect((await verified([path.join(folder, "outer/**/*.json")])).datasets[0]?.inferred?.values).toBe(1);
  expect((await verified([path.join(folder, "outer/**")])).datasets[0]?.inferred?.values).toBe(1);
});

it("the printed schema can be given back", async () => {
  const { stdout } = await wirebench(["schema", people]);
  expect(stdout).toContain("int32 id = 1; // 2 of 2, 1 … 2");
  const printed = file("printed.proto", stdout);
  const one = file("one.json", `[${PEOPLE}]`);
  const record = await verified([printed, one, "--message", "People"]);
  expect(record.datasets[0]).not.toHaveProperty("inferred");
  expect(record.cells.map(({ status }) => status)).toEqual(["ok", "ok"]);
});

it.each([
  ["a list", PEOPLE],
  ["an empty list in lists", "[[[]]]"],
  ["a list of numbers", "[1,2.5]"],
  ["comments", '// one\n{"a":1,/* two */"b":[{"c":2},],}\n'],
])("the printed schema can be given back with the file that it is of: %s", async (name, text) => {
  const given = file(`back/${name}.json`, text);
  const printed = file(`back/${name}.proto`, (await wirebench(["schema", given])).stdout);
  const [inferred, back] = [await verified([given]), await verified([printed, given])];
  expect(back.datasets[0]).toMatchObject({ name, values: 1 });
  expect(back.cells.map(({ bytes }) => bytes)).toEqual(inferred.cells.map(({ bytes }) => bytes));
});

it("a list that is not what a printed schema says is refused with its place", async () => {
  const printed = file(
    "back/numbers.proto",
    (await wirebench(["schema", file("ok.json", '[{"a":1}]')])).stdout,
  );
  const bad = file("bad.json", '[{"a":1},\n {"a":"x"}]');
  const { code, stderr } = await wirebench(["verify", printed, bad]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/bad\.json:2:7: \[1\]\.a: expected an integer/);
});

it("encode needs no schema for a file", async () => {
  const { bytes } = await wirebench(["encode", people, "-c", "json"]);
  expect(Buffer.from(bytes).toString()).toBe(readFileSync(people, "utf8"));
});

it("encode takes one value, wherever it is from", async () => {
  const two = file("two.ndjson", '{"a":1}\n{"a":2}\n');
  const subjects = [[two], ["--data", two], ["-d", "tellist", file("records.ndjson", "{}\n{}\n")]];
  for (const args of subjects) {
    const { code, stdout, stderr } = await wirebench(["encode", "-c", "json", ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(`error: ${args.at(-1)}: expected one value, got 2\n`);
  }
  expect((await wirebench(["encode", "-c", "json", "-d", "tellist:1"])).code).toBe(0);
});

it("messages of a built-in dataset have the options of messages", async () => {
  const { bytes } = await wirebench(["encode", "-c", "protobufjs", "-d", "tellist:1"]);
  const rules = ["-d", "tellist:1", file("one.bin", bytes), "--strict", "--unknown", "refuse"];
  for (const command of ["decode", "inspect", "encode"]) {
    const { code, stderr } = await wirebench([command, "-c", "protobufjs", ...rules]);
    expect([code, stderr], command).toEqual([0, ""]);
  }
});

it.each([
  ["not.json", '{"a":1,\n "b" 2}', ':2:6: expected : after a key, got "2"'],
  ["empty.json", "", "an empty file"],
  ["none.json", "[]", "none.json: an empty list: no value"],
  ["null.json", "null", "null.json: nothing but null: no value"],
  ["twice.json", '{"a":1,"a":2}', ':1:8: the key "a" stands twice'],
  ["half.json", '["\\ud800"]', ":1:3: half of a surrogate pair"],
  ["huge.json", "[1e400]", ":1:2: a number outside the range of a double"],
  ["deep.json", "[".repeat(100_000), ":1:501: nested deeper than 500 levels"],
  ["bytes.json", new Uint8Array([0xff, 0x00]), "not valid UTF-8"],
])("refuses %s in one line with exit code 2", async (name, content, message) => {
  const { code, stdout, stderr } = await wirebench(["verify", file(name, content)]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(message);
  expect(stderr.trim().split("\n")).toHaveLength(1);
});

it("takes the last of a key that stands twice if asked to", async () => {
  const { bytes } = await wirebench([
    "encode",
    file("last.json", '{"a":1,"a":2}'),
    "-c",
    "json",
    "--duplicates",
    "last",
  ]);
  expect(Buffer.from(bytes).toString()).toBe('{"a":2}');
});
