import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { RunRecord } from "wirebench";
import { measured, nanosOf, recordOf } from "../reports/record.ts";
import { interrupted, spawned, wirebench } from "./wirebench.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Uint8Array): string {
  const full = path.join(folder, name);
  writeFileSync(full, content);
  return full;
}

const PROTO = file(
  "person.proto",
  `syntax = "proto3";
package demo;
message People { repeated Person info = 1; }
message Person { string name = 1; uint32 age = 2; uint64 phone = 3; bytes photo = 4; }
`,
);

/** The long names of options that a help lists. */
function optionsIn(help: string): string[] {
  return [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, name]) => name!);
}

describe("wirebench", () => {
  it("explains itself", async () => {
    const { code, stdout } = await wirebench(["--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage: wirebench/);
    for (const command of ["run", "verify", "ipc", "list", "encode", "decode", "schema", "report"]) {
      expect(stdout).toContain(`  ${command} `);
      expect((await wirebench([command, "--help"])).code, command).toBe(0);
    }
  });

  it.each([
    [["rnu"], "unknown command 'rnu' (Did you mean run?)"],
    [
      ["measure"],
      "unknown command 'measure', expected one of run, work, verify, facts, native, ipc, claims, classic, list",
    ],
    [
      ["help", "rnu"],
      "unknown command 'rnu', expected one of run, work, verify, facts, native, ipc, claims, classic, list",
    ],
    [["encode", "-c", "json", "-c", "v8", "-d", "tellist"], 'it is given twice, with "json" before.'],
    [
      ["encode", "-c", "json", "-d", "tellist", "-d", "tellist:2"],
      'it is given twice, with "tellist" before.',
    ],
    [["verify", "-c", ""], "argument '' is invalid. expected a name, got nothing"],
    [["verify", "-c", "json,"], "expected a name, got nothing"],
    [["run", "-d", ""], "expected a name, got nothing"],
    [["run", "--out", ""], "--out: expected a name, got nothing"],
    [["verify", "", PROTO], "an argument is empty"],
    [["verify", "--schema", PROTO, "--data", PROTO, "--data", ""], "--data: expected a name, got nothing"],
    [["list", "--plugin", ""], "--plugin: expected a name, got nothing"],
    [["report", "x", "--summary", ""], "--summary: expected a name, got nothing"],
    [["run", "--profle", "quick"], "unknown option '--profle' (Did you mean --profile?)"],
    [["run", "--profile", "slow"], "Allowed choices are quick, standard, thorough"],
    [["run", "--seed", "1.5"], "expected a whole number"],
    [
      ["run", "-c", "protobufsj"],
      'unknown codec "protobufsj", did you mean protobufjs or protobuf-es or protobuf-ts?',
    ],
    [["run", "-c", "msgpackr:recrods"], 'has no variant "recrods", did you mean records?'],
    [["run", "-d", "telist"], 'unknown dataset "telist", did you mean tellist?'],
    [["run", "-d", "tellist:many"], "expected 1 to 10000000 records after the colon"],
    [["run", "-o", "encod"], 'unknown operation "encod", did you mean encode'],
    [
      ["run", "--schema", PROTO, "--message", "Persn", "--data", PROTO],
      'message "Persn" is not in it, did you mean',
    ],
    [["run", "--fill-defaults"], "--fill-defaults needs --schema"],
    [["encode", "-c", "json", "-d", "tellist", "--fill-defaults"], "--fill-defaults needs --schema"],
    [["schema", "-d", "tellist", "--message", "pkg.Foo"], "--message needs --schema"],
    [["schema", "-d", "tellist", "--hint", "/x=enum"], "--hint needs --data: it is for your own data"],
    [["verify", "-d", "tellist:1", "-c", "json", "--sample", "0"], "--sample needs --data"],
    [["verify", "-c", "json", "--max-values", "9"], "--max-values needs --schema"],
    [["encode", "-d", "tellist", "-c", "json", "--strict"], "--strict needs --schema"],
    [["verify", "--data", PROTO, "--strict"], "--strict needs --schema: it is for data of a schema"],
    [["schema", "--schema", PROTO, "--sample", "3"], "--sample needs --data"],
    [["decode", "-d", "tellist", "-c", "json", "--duplicates", "last"], "--duplicates needs --data"],
    [["run", "--nats-creds", "x"], "--nats-creds needs --on: which server is it for?"],
    [["run", "--tls-ca", "x"], "--tls-ca needs --on"],
    [["run", "--schema", PROTO], "is a schema: expected a file of values beside it"],
    [["run", "--data", PROTO], "expected a value, got"],
    [["run", "--plugin", "missing.js"], "missing.js: cannot be loaded"],
    [["verify", "-c", "nothing*"], 'no codec matches "nothing*"'],
    [["list", "codec"], 'cannot list "codec", did you mean codecs'],
    [["encode", "-c", "json"], "expected one of --dataset, --schema and a file of JSON"],
    [["decode", "-d", "tellist"], "required option '-c, --codec <name>' not specified"],
    [["schema", "-d", "tellist", "--to", "thrift"], "Allowed choices are proto, fbs, capnp, header"],
    [["report", "missing.json"], "missing.json: no such file"],
    [["ipc"], "no test: expected latency, throughput, "],
  ])("refuses %j in one line with exit code 2", async (args, message) => {
    const { code, stdout, stderr } = await wirebench(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
  });

  it("helps with one command", async () => {
    const all = (await wirebench(["help", "run"])).stdout;
    const short = (await wirebench(["run", "--help"])).stdout;
    const hidden = Number(/`wirebench help run` has (\d+) more options/.exec(short)?.[1]);
    expect(optionsIn(all)).toEqual(expect.arrayContaining(optionsIn(short)));
    expect(optionsIn(all)).toHaveLength(optionsIn(short).length + hidden);
    expect(optionsIn(all)).toContain("--shard");
    expect((await wirebench(["help"])).stdout).toBe((await wirebench(["--help"])).stdout);
  });

  it("fits the help of each command on a screen, and all of it into `help`", async () => {
    const names = [...(await wirebench(["--help"])).stdout.matchAll(/^ {2}(\w+) /gm)].map(
      ([, name]) => name!,
    );
    expect(names).toHaveLength(19);
    for (const words of [[], ...names.map((name) => [name]), ["ipc", "talker"], ["ipc", "listener"]]) {
      const lines = (await wirebench([...words, "--help"])).stdout.trimEnd().split("\n");
      expect(lines.length, words.join(" ")).toBeLessThanOrEqual(40);
      expect(Math.max(...lines.map((line) => line.length)), words.join(" ")).toBeLessThanOrEqual(80);
    }
    const compare = (await wirebench(["compare", "--help"])).stdout;
    expect(compare).toContain("wirebench compare before/run.json after/run.json");
    expect(compare).not.toContain("p < 0.05");
    const all = (await wirebench(["help", "compare"])).stdout;
    expect(all).toContain("p < 0.05");
    expect(Math.max(...all.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("lists what there is, for people and for programs", async () => {
    const { stdout } = await wirebench(["list", "codecs"]);
    for (const codec of ["protobufjs", "flatbuffers", "capnp-ts", "msgpackr", "raw-struct", "json", "v8"]) {
      expect(stdout).toMatch(new RegExp(`^  ${codec} `, "m"));
    }
    const listed = JSON.parse((await wirebench(["list", "--json"])).stdout);
    expect(listed.datasets.map(({ name }: { name: string }) => name)).toContain("tellist");
    expect(listed.codecs.find(({ name }: { name: string }) => name === "protobufjs")).toMatchObject({
      format: "protobuf",
      library: "protobufjs",
      version: "8.8.1",
    });
  });
});

describe("schema errors", () => {
  it.each([
    [
      'syntax = "proto3";\nmessage M {\n  int32 a 1;\n}\n',
      'bad.proto:3:11: syntax error, expected "=", got "1"',
    ],
    [
      'syntax = "proto3";\nmessage M {\n  int32 a = 1;\n',
      'bad.proto:4:1: syntax error, expected "}", got the end of the file',
    ],
    ['syntax = "proto3";\nmessage M {\n  Foo a = 1;\n}\n', "bad.proto:3:3: type Foo is not declared"],
    [
      'syntax = "proto3";\nimport "gone.proto";\nmessage M { int32 a = 1; }\n',
      'bad.proto:2:8: import "gone.proto" not found',
    ],
    [
      'syntax = "proto3";\nmessage M { int32 __proto__ = 1; }\n',
      'bad.proto:2:19: the name "__proto__" cannot be used',
    ],
  ])("name the file, the line and the column: %j", async (text, message) => {
    const schema = file("bad.proto", text);
    const { code, stderr } = await wirebench(["run", "--schema", schema, "--message", "M", "--data", schema]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe("data that does not fit its schema", () => {
  it.each([
    ['{"info":[{"name":"a"},{"age":-1}]}', "info[1].age: -1 is outside uint32, expected 0 to 4294967295"],
    ['{"info":[{"age":"old"}]}', 'info[0].age: expected an integer (uint32), got "old"'],
    ['{"info":[{"nmae":"a"}]}', "info[0].nmae: demo.Person has no such field, did you mean name?"],
    ['{"info":[{"phone":18446744073709551616}]}', "info[0].phone: 18446744073709551616 is outside"],
    ['{"info":[{"photo":"%%"}]}', 'info[0].photo: expected base64, got "%%"'],
    ['{"info":{}}', "info: expected a list, got an object"],
    ['{"info":[}', "data.json:1:10: "],
  ])("%s: names the field", async (text, message) => {
    const data = file("data.json", text);
    const { code, stderr } = await wirebench([
      "run",
      "--schema",
      PROTO,
      "--message",
      "People",
      "--data",
      data,
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
  });
});

describe("encode and decode", () => {
  const VALUE = { info: [{ name: "Ada", age: 36, phone: "18446744073709551615", photo: "AAECAw==" }] };

  const codecs = [
    "protobufjs",
    "flatbuffers",
    "capnp-ts",
    "capnp-ts:packed",
    "msgpackr",
    "msgpackr:records",
    "json",
    "v8",
  ];
  it.each(codecs)("carry a value through %s and back", async (codec) => {
    const subject = ["--schema", PROTO, "--message", "People", "-c", codec];
    const encoded = await wirebench(["encode", ...subject, file("people.json", JSON.stringify(VALUE))]);
    expect(encoded.stderr).toBe("");
    expect(encoded.code).toBe(0);
    const decoded = await wirebench(["decode", ...subject, file("people.bin", encoded.bytes)]);
    expect(decoded.stderr).toBe("");
    expect(JSON.parse(decoded.stdout)).toEqual(VALUE);
  });

  it("carry a value by standard input and output", () => {
    const subject = ["--schema", PROTO, "--message", "People", "-c", "msgpackr"];
    const encoded = spawned(["encode", ...subject, "-"], { input: JSON.stringify(VALUE) });
    expect({ code: encoded.code, stderr: encoded.stderr }).toEqual({ code: 0, stderr: "" });
    const decoded = spawned(["decode", ...subject], { input: encoded.bytes });
    expect(decoded.stderr).toBe("");
    expect(JSON.parse(decoded.stdout)).toEqual(VALUE);
  });

  it("carry a value through the raw struct with the header that fits it", async () => {
    const data = file("people.json", JSON.stringify(VALUE));
    const header = await wirebench([
      "schema",
      "--schema",
      PROTO,
      "--message",
      "People",
      "--data",
      data,
      "--to",
      "header",
    ]);
    expect(header.code).toBe(0);
    const schema = file("people.h", header.stdout);
    const subject = ["--schema", schema, "-c", "raw-struct"];
    const encoded = await wirebench(["encode", ...subject, data]);
    expect(encoded.stderr).toBe("");
    const decoded = await wirebench(["decode", ...subject, file("people.bin", encoded.bytes)]);
    expect(JSON.parse(decoded.stdout)).toEqual(VALUE);
  });

  it("encode a dataset's own value when there is no file", async () => {
    const sizes = { protobufjs: 841, flatbuffers: 1712, "capnp-ts": 1216, "raw-struct": 1784 };
    for (const [codec, size] of Object.entries(sizes)) {
      expect((await wirebench(["encode", "-d", "tellist", "-c", codec])).bytes.length, codec).toBe(size);
    }
  });

  it.each(["flatbuffers", "capnp-ts", "msgpackr", "json", "v8", "raw-struct"])(
    "refuse half a message of %s, naming the codec",
    async (codec) => {
      const { bytes } = await wirebench(["encode", "-d", "tellist", "-c", codec]);
      const half = bytes.subarray(0, bytes.length >> 1);
      const message = file("half.bin", half);
      const { code, stdout, stderr } = await wirebench(["decode", "-d", "tellist", "-c", codec, message]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/^error: [a-z0-9-]+.*\n$/);
    },
  );
});

describe("run", () => {
  it("leaves a record and a report, and prints the tables", async () => {
    const out = path.join(folder, "out");
    const args = ["run", "-c", "json*", "--profile", "quick", "--seed", "3", "--out", out];
    const { code, stdout } = await wirebench(args);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^json +2,617 /m);
    const record = JSON.parse(readFileSync(path.join(out, "run.json"), "utf8")) as RunRecord;
    expect(record.options.seed).toBe(3);
    expect(record.tool.command).toBe(`wirebench run -c 'json*' --profile quick --seed 3 --out ${out}`);
    const report = readFileSync(path.join(out, "report.md"), "utf8");
    expect(report).toMatch(/^# wirebench report/);
    const plots = [...report.matchAll(/\n!\[.*\]\((plots\/.*\.svg)\)\n/g)].map(([, file]) => file!);
    expect(plots.length).toBe(4);
    for (const file of plots) expect(readFileSync(path.join(out, file), "utf8")).toMatch(/^<svg .*<\/svg>$/s);
    // Where it is printed there are no pictures beside it.
    const withoutPlots = report.replace(/!\[.*\]\(plots\/.*\.svg\)\n\n/g, "");
    expect((await wirebench(["report", path.join(out, "run.json")])).stdout).toBe(withoutPlots);
    expect((await wirebench(["report", path.join(out, "run.json"), "--format", "csv"])).stdout).toMatch(
      /^operation,dataset,codec,/,
    );
  });

  it("prints nothing but the record with --json", async () => {
    const out = path.join(folder, "json");
    const { stdout } = await wirebench([
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
      out,
      "--json",
    ]);
    expect(JSON.parse(stdout).cells).toHaveLength(3);
  });

  it("keeps what was measured when it is interrupted, and exits with 130", async () => {
    const out = path.join(folder, "interrupted");
    const { code } = await interrupted(["run", "-c", "json", "--out", out], (stderr) =>
      / 3\/\d/.test(stderr),
    );
    expect(code).toBe(130);
    const record = JSON.parse(readFileSync(path.join(out, "run.json"), "utf8")) as RunRecord;
    expect(record.complete).toBe(false);
    expect(record.cells[0]?.nanos?.processes.length).toBeGreaterThanOrEqual(1);
    expect(existsSync(path.join(out, "report.md"))).toBe(true);
  });

  it("says that nothing was measured where it is interrupted before that", async () => {
    const slow = file(
      "slow.js",
      'process.stderr.write("loading\\n"); await new Promise((done) => setTimeout(done, 60_000));',
    );
    const out = path.join(folder, "nothing");
    for (const command of [["run", "--out", out], ["verify"], ["ipc", "latency", "--out", out]]) {
      const { code, stderr } = await interrupted([...command, "--plugin", slow], (text) =>
        text.includes("loading"),
      );
      expect({ code, stderr }).toEqual({
        code: 130,
        stderr: "loading\ninterrupted before anything was measured\n",
      });
    }
    expect(existsSync(out)).toBe(false);
  });

  it("finds an output folder that cannot be written to before it measures anything", async () => {
    const blocked = path.join(file("a-file", ""), "below");
    const { code, stderr } = await wirebench(["run", "--out", blocked]);
    expect(code).toBe(2);
    expect(stderr).toContain(`error: ${blocked}: cannot be written to (ENOTDIR)`);
    expect(stderr).not.toContain("processes");
  });

  it("exits with 1 when a cell failed, and says why", async () => {
    const plugins = path.join(import.meta.dirname, "../plugins");
    const { code, stdout } = await wirebench(
      [
        "run",
        "--plugin",
        path.join(plugins, "misbehaving.js"),
        "-c",
        "misbehaving:loses",
        "-c",
        "json",
        "-o",
        "decode",
        "--profile",
        "quick",
        "--shard",
        "1/4",
      ].concat("--out", path.join(folder, "failed")),
    );
    expect(code).toBe(1);
    expect(stdout).toContain(
      "misbehaving:loses: failed: round trip: info: expected a list of 37, got nothing",
    );
  });
});

function damaged(change: object): string {
  return JSON.stringify(recordOf([{ ...measured("json", "encode", 5, 100), ...change }]));
}

describe("report", () => {
  it("renders with a report of the user's own, which list names with the others", async () => {
    const own = file(
      "cells.mjs",
      "export default { summary: 'names', render: ({ cells }) => cells[0].codec };",
    );
    const record = file("own.json", JSON.stringify(recordOf([measured("json", "encode", 5, 100)])));
    expect((await wirebench(["report", record, "--format", "cells", "--plugin", own])).stdout).toBe("json");
    const listed = await wirebench(["list", "reports", "--json", "--plugin", own]);
    expect(JSON.parse(listed.stdout).reports).toContainEqual({ name: "cells", of: "run", summary: "names" });
  });

  it("refuses a report of the user's own that is of no kind of record, or has a name that there is", async () => {
    const odd = file("odd.mjs", "export default { of: 'poem', summary: '', render: () => '' };");
    expect((await wirebench(["list", "reports", "--plugin", odd])).stderr).toContain(
      'of: expected one of any, run, ipc, ipc-remote, doctor, comparison, claims, classic, facts, got "poem"',
    );
    const json = file("json.mjs", "export default { summary: '', render: () => '' };");
    expect((await wirebench(["list", "reports", "--plugin", json])).stderr).toContain(
      'there are reports called "json" already: rename the file',
    );
  });

  it.each([
    ['{"schemaVersion":1', "record.json:1:19: unexpected end of JSON"],
    ["[]", "not the record of a run"],
    ['{"schemaVersion":99}', "expected schemaVersion 2, got 99"],
    ['{"schemaVersion":1}', "expected schemaVersion 2, got 1: written by another version of wirebench"],
    ['{"schemaVersion":2}', "damaged record: tool: expected an object, got nothing"],
    [damaged({ status: "weird" }), "cells[0].status: expected measured, ok, unsupported or failed"],
    [damaged({ nanos: undefined }), "cells[0].nanos: expected an object, got nothing"],
    [damaged({ nanos: { ...nanosOf(5), median: -1 } }), "cells[0].nanos.median: expected a number from 0 on"],
    [damaged({ status: "failed" }), "cells[0].reason: expected a string, got nothing"],
    [damaged({ dataset: "other" }), "cells[0].dataset: expected one of the datasets tellist"],
  ])("refuses the damaged record %s with its place", async (text, message) => {
    const { code, stderr } = await wirebench(["report", file("record.json", text)]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
