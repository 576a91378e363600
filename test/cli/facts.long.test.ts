/** `wirebench facts`: the cells are what real codecs, and codecs that go wrong, gave back. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Attack } from "../../dist/facts/hostile/table.js";
import type { Dataset } from "../../src/model/dataset.ts";
import type { FactsRecord, FactTable } from "../../src/model/records/facts.ts";
import { always, field, schemaOf } from "../../src/schema/declare.ts";
import { BIN, interrupted, wirebench } from "./wirebench.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-facts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(
  path.join(folder, "person.proto"),
  'syntax = "proto3"; message Person { string name = 1; double age = 2; }',
);
writeFileSync(path.join(folder, "ann.json"), '{"name":"Ann","age":7}');
const own = ["--schema", path.join(folder, "person.proto"), "--data", path.join(folder, "ann.json")];
const plugin = ["forgetful", "versions"].flatMap((name) => [
  "--plugin",
  path.join(import.meta.dirname, `../plugins/${name}.js`),
]);

async function tableOf(args: readonly string[], only = "fidelity"): Promise<FactTable> {
  const { code, stdout, stderr } = await wirebench(["facts", "--only", only, "--json", ...args]);
  expect(code, stderr).toBe(0);
  const { tables } = JSON.parse(stdout) as FactsRecord;
  return tables[0]!;
}

describe("facts", () => {
  it("names each way to go wrong, and goes on after a codec that ended", async () => {
    const { rows } = await tableOf([...own, ...plugin, "-c", "forgetful*"]);
    const cells = rows.find(({ name }) => name === "string: empty")!.cells;
    expect(cells["forgetful"]).toMatchObject({ outcome: "same" });
    expect(cells["forgetful:changes"]).toMatchObject({ outcome: "other", got: "'other'" });
    expect(cells["forgetful:loses"]).toMatchObject({ outcome: "lost", got: "absent" });
    expect(cells["forgetful:elsewhere"]).toMatchObject({
      outcome: "other",
      got: "elsewhere: age: expected 7, got 8",
    });
    expect(cells["forgetful:throws"]).toMatchObject({
      outcome: "error",
      step: "write",
      got: "TypeError: no such luck",
    });
    expect(cells["forgetful:unreadable"]).toMatchObject({ outcome: "error", step: "write" });
    expect(cells["forgetful:dies"]).toMatchObject({ outcome: "died" });
    expect(cells["forgetful:exits"]).toMatchObject({ outcome: "died" });
    expect(cells["forgetful:hangs"]).toMatchObject({ outcome: "hung" });
    const after = rows.find(({ name }) => name === "string: NUL")!.cells;
    for (const [codec, cell] of Object.entries(after)) expect(cell.outcome, codec).toBe("same");
  });

  it("says what libraries make of values, and of their own types only those without a schema", async () => {
    const { rows } = await tableOf([...own, "-c", "json,v8,protobufjs"]);
    const outcome = (row: string, codec: string): string | undefined => {
      const cell = rows.find(({ name }) => name === row)!.cells[codec];
      return cell && (cell.outcome === "other" ? cell.got : cell.outcome);
    };
    expect(outcome("double: NaN", "json")).toBe("null");
    expect(outcome("double: -0", "json")).toBe("0");
    expect(outcome("double: -0", "protobufjs")).toBe("same");
    expect(outcome("double: NaN", "protobufjs")).toBe("same");
    expect(outcome("value: Map", "json")).toBe("lost");
    expect(outcome("value: Map", "v8")).toBe("same");
    expect(outcome("value: Date, invalid", "v8")).toBe("same");
    expect(outcome("value: cycle", "json")).toBe("error");
    expect(outcome("value: shared reference", "v8")).toBe("same");
    expect(outcome("value: shared reference", "json")).toBe("two copies");
    expect(outcome("value: Map", "protobufjs")).toBeUndefined();
  });

  it("gives bytes as a program has them, and not as views on a message between processes", async () => {
    writeFileSync(path.join(folder, "bytes.proto"), 'syntax = "proto3"; message Held { bytes held = 1; }');
    writeFileSync(path.join(folder, "bytes.json"), '{"held":"AQID"}');
    const files = ["--schema", path.join(folder, "bytes.proto"), "--data", path.join(folder, "bytes.json")];
    const codecs = ["-c", "devalue,flexbuffers"];
    for (const table of ["evolution", "hostile"]) {
      const row = table === "hostile" ? ["--why", "a key twice"] : [];
      const { stdout } = await wirebench(["facts", "--only", table, "--json", ...row, ...files, ...codecs]);
      const [{ refused }] = (JSON.parse(stdout) as FactsRecord).tables as [FactTable];
      expect(refused, table).toEqual({});
    }
  });

  it("says what two versions read of each other, and goes on after a codec that ended", async () => {
    const { rows, codecs } = await tableOf(
      [...own, ...plugin, "-c", "protobufjs,avsc,versions,versions:dies"],
      "evolution",
    );
    expect(codecs).toContain("avsc (resolver)");
    const row = rows.find(({ name }) => name === "add a field at the end of Person: old reads new")!;
    expect(row.expected).toBe("{ name: 'Ann', age: 7 }");
    expect(row.cells["protobufjs"]).toMatchObject({ outcome: "same" });
    expect(row.cells["avsc"]).toMatchObject({ outcome: "error" });
    expect(row.cells["avsc (resolver)"]).toMatchObject({ outcome: "same" });
    expect(row.cells["versions"]).toMatchObject({ outcome: "same" });
    expect(row.cells["versions:dies"]).toMatchObject({ outcome: "died" });
    const next = rows.find(({ name }) => name === "reorder fields: old reads new")!;
    for (const [codec, cell] of Object.entries(next.cells).filter(([name]) => name.startsWith("versions")))
      expect(cell.outcome, codec).toBe("same");
    const hoarding = [...own, ...plugin, "-c", "versions:hoards", "--why", row.name];
    const [{ cells }] = (await tableOf(hoarding, "evolution")).rows as [typeof row];
    expect(cells["versions:hoards"]).toMatchObject({ outcome: "died", got: "ran out of memory" });
  });

  it("has no cell in any table of a codec that does not carry the data", async () => {
    const { code, stdout, stderr } = await wirebench([
      "facts",
      ...own,
      ...plugin,
      "-c",
      "versions:refuses",
      "--json",
    ]);
    expect(code, stderr).toBe(0);
    const { tables } = JSON.parse(stdout) as FactsRecord;
    expect(tables.map(({ table }) => table)).toEqual(["fidelity", "evolution", "hostile"]);
    for (const { codecs, refused, rows } of tables) {
      expect(codecs).toEqual([]);
      expect(refused["versions:refuses"]).toContain("it does not carry the data");
      for (const { name, cells } of rows) expect(cells, name).toEqual({});
    }
  });

  const cut = Buffer.from('{"age').toString("hex");

  const attackOn = (codec: string, patience: number): Attack => {
    const dataset: Dataset = {
      name: "person",
      schema: schemaOf("t", [{ name: "t.Person", fields: [field(1, "age", "uint32", always)] }]),
      values: [{ age: 7 }],
      int64: "number",
    };
    const plugins = [path.join(import.meta.dirname, "../plugins/damaged.js")];
    return new Attack({ codec, resolves: false, plugins, dataset }, patience);
  };

  it.each([
    ["damaged", { outcome: "error", counts: { error: 9 } }],
    ["damaged:dies", { outcome: "died", message: cut, counts: { error: 5, died: 1 } }],
    ["damaged:hangs", { outcome: "hung", message: cut }, 2000],
    ["damaged:hoards", { outcome: "died", got: "ran out of memory", message: "" }],
    ["damaged:outside", { outcome: "memory" }],
    ["damaged:dawdles", { outcome: "slow" }],
    ["damaged:wears", { outcome: "error", counts: { error: 9 } }],
  ])("names what becomes of damaged bytes, and the case: %s", async (codec, expected, patience = 30_000) => {
    const attack = attackOn(codec, patience);
    try {
      expect(await attack.refusal()).toBeUndefined();
      expect(await attack.cell(0)).toMatchObject(expected);
    } finally {
      attack.end();
    }
  });

  it("does not fail on damaged bytes that are being tried when it is interrupted", async () => {
    const attack = attackOn("damaged:hangs", 30_000);
    try {
      expect(await attack.refusal()).toBeUndefined();
      const cell = attack.cell(0);
      await new Promise((asked) => setImmediate(asked));
      attack.stop();
      expect(await cell).toMatchObject({ outcome: "died" });
    } finally {
      attack.end();
    }
  });

  it("has a record that is read and rendered again", async () => {
    const { stdout } = await wirebench(["facts", ...own, "-c", "json", "--only", "evolution", "--json"]);
    const file = path.join(folder, "facts.json");
    writeFileSync(file, stdout);
    const { code, stdout: text, stderr } = await wirebench(["report", file]);
    expect(code, stderr).toBe(0);
    expect(text).toContain("# wirebench facts");
    expect(text).toContain("| rename a field: old reads new");
  });

  it("has no cell of what ended with the command when it is interrupted", async () => {
    const args = ["facts", ...own, ...plugin, "-c", "forgetful:hangs", "--why", "string: empty"];
    const { code, stdout } = await interrupted([...args, "--json"], (text) => text.includes("0/1 codecs"));
    expect(code).toBe(130);
    const { complete, tables } = JSON.parse(stdout) as FactsRecord;
    expect(complete).toBe(false);
    expect(tables.flatMap(({ rows }) => rows.map(({ cells }) => cells))).toEqual([{}]);
    const text = await interrupted([...args.slice(0, -2)], (said) => said.includes("0/1 codecs"));
    expect(text.stdout).toMatch(/^Not complete: interrupted\./);
  });

  it("has the libraries as data too", async () => {
    const args = ["facts", ...own, "-c", "protobufjs", "--only", "libraries", "--json"];
    const { stdout: record } = await wirebench(args);
    const { libraryTables } = JSON.parse(record) as FactsRecord;
    expect(libraryTables.flatMap(({ rows }) => rows.map(({ codec }) => codec))).toEqual(["protobufjs"]);
    const file = path.join(folder, "libraries.json");
    writeFileSync(file, record);
    for (const format of ["text", "markdown", "html"]) {
      const { code, stdout, stderr } = await wirebench(["report", file, "--format", format]);
      expect(code, stderr).toBe(0);
      expect(stdout).toContain("libraries on ");
      expect(stdout).toContain("BSD-3-Clause");
    }
  });

  it("prints the case of a row, and Markdown", async () => {
    const why = await wirebench(["facts", ...own, "-c", "json", "--why", "double: NaN"]);
    expect(why.stdout.replace(/^ {2}(of wirebench .*|npx wirebench .*)\n/gm, "")).toBe(
      [
        "json, double: NaN",
        "  given at age: NaN",
        `  message: ${Buffer.from('{"name":"Ann","age":null}').toString("hex")}`,
        "  other, came back: null",
        "",
      ].join("\n"),
    );
    const long = await wirebench(["facts", "-d", "tellist", "-c", "json", "--why", "string: empty"]);
    expect(long.stdout).toMatch(/ {2}message: (?:[0-9a-f]{2}){200,}\n/);
    const unknown = await wirebench(["facts", ...own, "-c", "json", "--why", "nothing"]);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toMatch(
      /^error: no row "nothing" for \w+, (did you mean .+\?|expected one of .+, …)\n$/,
    );
    const page = await wirebench(["facts", ...own, "-c", "json", "--markdown"]);
    expect(page.stdout).toContain("| double: NaN");
    expect(page.stdout).toContain("## libraries on ");
  });

  it("prints with each case the command that has it again, with the data and its options", async () => {
    const spaced = path.join(folder, "an 'n.json");
    writeFileSync(spaced, '{"name":"Ann","age":7}');
    const data = ["--schema", path.join(folder, "person.proto"), spaced, "--max-values", "1000"];
    const rows = [
      ["hostile", "bad UTF-8"],
      ["fidelity", "double: NaN"],
      ["evolution", "rename a field: old reads new"],
    ] as const;
    for (const subject of [data, [...plugin, "-d", "tellist:3"], ["-d", "tellist:3", "--int64", "bigint"]]) {
      for (const [table, row] of rows.slice(0, subject === data ? 3 : 1)) {
        const first = await wirebench(["facts", ...subject, "-c", "msgpackr,avsc", "--why", row]);
        const commands = [...first.stdout.matchAll(/^ {2}npx wirebench (.*)$/gm)].map(([, words]) => words!);
        expect(commands.length, row).toBeGreaterThanOrEqual(2);
        for (const [index, codec] of ["msgpackr", "avsc"].entries()) {
          expect(commands[index], row).toContain(`--codec ${codec} --only ${table} --why `);
          // As a shell takes it.
          const again = spawnSync("sh", ["-c", `"$0" "$1" ${commands[index]}`, process.execPath, BIN], {
            encoding: "utf8",
          });
          expect(again.status, again.stderr).toBe(0);
          expect(again.stdout).toMatch(new RegExp(`^${codec}, `));
          expect(first.stdout).toContain(again.stdout);
        }
      }
    }
  });

  it("ask a dataset once that is given twice", async () => {
    const twice = ["-d", "tellist,tellist", "-c", "json", "--only", "fidelity", "--json"];
    const { stdout } = await wirebench(["facts", ...twice]);
    expect((JSON.parse(stdout) as FactsRecord).tables).toHaveLength(1);
  });
});
