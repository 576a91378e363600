/** What reaches standard output: the answer, whole, and nothing else. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { BIN, spawned, wirebench } from "./wirebench.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-output-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const plugin = (name: string): string => path.join(import.meta.dirname, "../plugins", name);

function file(name: string, content: string | Uint8Array): string {
  const full = path.join(folder, name);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, content);
  return full;
}

function shell(command: string): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command, process.execPath, BIN], {
    encoding: "utf8",
  });
  return { code: status, stdout, stderr };
}

describe("standard output", () => {
  it.skipIf(!existsSync("/dev/full"))("that cannot take the answer is an error", () => {
    for (const args of ["list", "encode -c json -d tellist", "--help"]) {
      const { code, stderr } = shell(`"$0" "$1" ${args} > /dev/full`);
      expect({ code, stderr }, args).toEqual({
        code: 2,
        stderr: "error: standard output: cannot be written to (ENOSPC)\n",
      });
    }
  });

  it("may be closed by a reader that has seen enough, and so may standard error", () => {
    expect(shell('"$0" "$1" encode -c json -d tellist:20000 | head -c 10').stdout).toBe('{"info":[{');
    const out = path.join(folder, "unread");
    const { stdout } = shell(
      `("$0" "$1" run -c json --profile quick --shard 1/4 --out '${out}' 2>&1 >/dev/null; echo "code $?" >&3) 3>&1 | head -c 1 >/dev/null`,
    );
    expect(stdout === "" || stdout === "code 0\n").toBe(true);
    expect(existsSync(path.join(out, "run.json"))).toBe(true);
  });

  it("has nothing of what a plugin prints", async () => {
    const args = ["-c", "talkative", "-d", "tellist:2", "--plugin", plugin("talkative.js")];
    const { stdout, stderr } = spawned(["encode", ...args]);
    expect(JSON.parse(stdout)).toHaveProperty("info");
    expect(stderr).toContain("hello from a plugin\nwriting\n");
    expect(JSON.parse(spawned(["verify", "--json", ...args]).stdout)).toMatchObject({
      complete: true,
    });
  });

  it("has a decoded value of any size, as JSON of two spaces for each level", () => {
    const proto = file(
      "lists.proto",
      'syntax = "proto3"; message L { repeated L l = 1; map<string, bytes> m = 2; }',
    );
    const json = JSON.stringify(
      {
        l: [
          { l: [], m: { "a\n": "AA==" } },
          { l: [], m: {} },
        ],
        m: {},
      },
      null,
      2,
    );
    const args = ["-c", "json", "--schema", proto, "--message", "L"];
    expect(spawned(["decode", ...args], { input: json }).stdout).toBe(`${json}\n`);
  });
});

describe("bytes that would become too many values", () => {
  it.each([
    ["protobufjs", Buffer.alloc(2 ** 23, Buffer.from([0x0a, 0x00]))],
    [
      "msgpackr",
      Buffer.concat([Buffer.from([0x81, 0xa1, 0x6c, 0xdd, 0, 0x40, 0, 0]), Buffer.alloc(2 ** 22, 0x80)]),
    ],
  ])("are refused by %s", (codec, bytes) => {
    const fields = Array.from({ length: 11 }, (_, i) => `int32 f${i} = ${i + 2};`).join(" ");
    const proto = file("wide.proto", `syntax = "proto3"; message W { repeated W l = 1; ${fields} }`);
    const { code, stdout, stderr } = spawned(["decode", "-c", codec, "--schema", proto, "--message", "W"], {
      input: bytes,
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^error: (protobuf|msgpack) .*more.* values.*\n$/);
  });
});

describe("input", () => {
  it("from standard input is read once only", () => {
    const proto = file("one.proto", 'syntax = "proto3"; message O { int32 n = 1; }');
    const args = ["verify", "-c", "json", "--schema", proto, "--message", "O", "--data", "-", "--data", "-"];
    const { code, stderr } = spawned(args, { input: '{"n":1}' });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "error: standard input can be read once only: it is named twice\n",
    });
  });
});

describe("a plugin", () => {
  it.each([
    ["null.js", "throw null;", "null.js: cannot be loaded: it throws null"],
    [
      "five.js",
      "export default 5;",
      "expected a default export made with defineCodec or defineDataset, got number",
    ],
    ["none.js", "export {};", "made with defineCodec or defineDataset, got undefined"],
    ["waits.js", "await new Promise(() => {});", "the process ended before the command was done"],
    ["exits.js", "process.exit(0);", "the process ended before the command was done"],
    ["json.js", 'export default { format: "x", bind() {} };', 'there are codecs called "json" already'],
  ])("that is %s ends in one line: %s", async (name, text, message) => {
    const { code, stdout, stderr } = spawned(["list", "--plugin", file(`plugins/${name}`, text)]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.split("\n").filter((line) => line.startsWith("error: "))).toEqual([
      expect.stringContaining(message),
    ]);
  });

  it("is known by its file's name, which no other has", async () => {
    const text = 'export default { format: "x", summary: "x", bind() {} };';
    const both = ["a/own.js", "b/own.js"].flatMap((name) => ["--plugin", file(name, text)]);
    const { code, stderr } = await wirebench(["list", ...both]);
    expect(code).toBe(2);
    expect(stderr).toContain('own.js: there are codecs called "own" already: rename the file');
  });
});
