import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { wirebench } from "./wirebench.ts";

const folder = mkdtempSync(path.join(tmpdir(), "wirebench-inspect-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Uint8Array): string {
  const whole = path.join(folder, name);
  writeFileSync(whole, content);
  return whole;
}

const SCHEMA = file(
  "m.proto",
  'syntax = "proto3"; message M { int32 a = 1; M m = 2; oneof o { int32 x = 3; string y = 4; } map<string, int32> k = 5; }',
);

interface InspectedJson {
  readonly bytes: number;
  readonly damage?: { readonly offset: number; readonly reason: string };
  readonly roles: Readonly<Record<string, number>>;
  readonly fields: readonly { readonly bytes: number }[];
  readonly regions: readonly {
    offset: number;
    length: number;
    role: string;
    path: string;
    value?: unknown;
    leaf?: boolean;
    problem?: string;
  }[];
}

async function inspected(hex: string): Promise<InspectedJson & { readonly code: number | null }> {
  const bytes = file("m.bin", Buffer.from(hex, "hex"));
  const { code, stdout } = await wirebench([
    "inspect",
    "-c",
    "protobufjs",
    "--schema",
    SCHEMA,
    "--json",
    bytes,
  ]);
  const [one] = JSON.parse(stdout) as [InspectedJson];
  return { ...one, code };
}

function leaves({ regions }: InspectedJson): string[] {
  return regions.filter(({ leaf }) => leaf).map(({ path: at, value }) => `${at}=${value}`);
}

describe("wirebench inspect", () => {
  it.each(["flatbuffers", "capnp-es", "python-pickle", "protobufjs"])(
    "is as wide as the terminal, and leaves no place out: %s",
    async (codec) => {
      const args = ["inspect", "-c", codec, "-d", "garden"];
      const [narrow, wide] = [await wirebench(args, true, 80), await wirebench(args)];
      const lines = narrow.stdout.split("\n");
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
      const places = (text: string): string[] => text.match(/\S+(?= \((?:offset|length|tag)\))/g) ?? [];
      expect(places(narrow.stdout)).toEqual(places(wide.stdout));
    },
  );

  it("counts every byte once, by role and by field", async () => {
    const { stdout } = await wirebench(["inspect", "-c", "@schema", "-d", "tellist", "--totals", "--json"]);
    const all = (JSON.parse(stdout) as (InspectedJson | { reason: string })[]).filter(
      (one) => "roles" in one,
    );
    expect(all.length).toBeGreaterThan(3);
    for (const { bytes, roles, fields } of all) {
      expect(Object.values(roles).reduce((sum, one) => sum + one)).toBe(bytes);
      expect(fields.reduce((sum, one) => sum + one.bytes, 0)).toBe(bytes);
    }
  });

  it("shows the last of a field that stands twice, and merges messages", async () => {
    expect(leaves(await inspected("08010802"))).toEqual(["a=2"]);
    expect(leaves(await inspected("12020801120218031200"))).toEqual(["m.a=1", "m.x=3"]);
    expect(leaves(await inspected("1801220161"))).toEqual(["y=a"]);
    expect(leaves(await inspected("2a050a016b10012a050a016b1002"))).toEqual(["k.k=2"]);
  });

  it("shows what the schema lacks as unknown", async () => {
    const { regions, code } = await inspected("08017a0161");
    expect(code).toBe(0);
    expect(regions.map(({ role }) => role)).toEqual(["tag", "payload", "unknown", "unknown"]);
  });

  it("marks the first bad region where the verifier names no byte", async () => {
    const json = file("b.json", '{"b": "x"}');
    for (const [codec, content, offset] of [
      ["devalue", '[{"b":1},["Date","2020"]]', 10],
      ["ion-js", Buffer.from("e00100ea", "hex"), 4],
      ["superjson", '{"json":{"b":"x"},"meta":{"values":{"c":["bigint"]},"v":1}}', 36],
    ] as const) {
      const args = ["inspect", "-c", codec, json, file("b.bin", content), "--json"];
      const { code, stdout } = await wirebench(args);
      const [{ damage, regions }] = JSON.parse(stdout) as [InspectedJson];
      expect({ code, marked: regions.filter(({ problem }) => problem !== undefined).length }).toEqual({
        code: 1,
        marked: 1,
      });
      expect(damage?.offset).toBe(offset);
    }
  });

  it("shows damaged bytes with the reason at the first that is bad", async () => {
    const { code, damage, regions } = await inspected("08011205080a");
    expect(code).toBe(1);
    expect(damage?.offset).toBe(3);
    expect(regions.map(({ offset }) => offset)).toEqual([0, 1, 2, 3]);
    expect(regions.filter(({ problem }) => problem !== undefined).map(({ offset }) => offset)).toEqual([3]);
    expect(damage?.reason).toContain("length 5 goes beyond the 2 bytes that follow");
  });

  it("says of a sound message of another version that it is refused, and not that it is damaged", async () => {
    const schema = file("old.capnp", "@0xdbb9ad1f14bf0b42; struct A { x @0 :UInt8; }");
    const words = ["00000000", "02000000", "00000000", "01000000", "05000400", "00000000"];
    const inspect = async (hex: string) => {
      const args = ["inspect", "-c", "capnp-es", "--schema", schema, file("n.bin", Buffer.from(hex, "hex"))];
      return (await wirebench(args)).stdout;
    };
    expect(await inspect(words.join(""))).toMatch(
      /^refused: capnp at byte 16: data that the schema has no field for/m,
    );
    expect(await inspect(words.slice(0, 5).join(""))).toMatch(/^damaged: /m);
  });

  it.each([
    // Written by amazon.ion 0.15: a timestamp, and a null of the type int after it, which the codec refuses first.
    [
      "ion-js",
      "e00100eae98183d687b48179817ada8481618a63c00fe88b2f",
      "refused: ion at byte 19: a value of the type timestamp",
      19,
    ],
    [
      "ion-js",
      "e00100eae98183d687b481618162d38a2101d38b2102",
      "refused: ion at byte 18: more than one value",
      18,
    ],
    // Written by Py3AMF: a field that the schema lacks, and a date after it.
    [
      "amf3",
      "0a0b01077a7a7a0401096e616d6508014278df261f6f800001",
      "refused: amf3 at zzz: N has no such field, expected one of name",
      8,
    ],
    // Written by erl: #{name => self()}.
    [
      "erlang-etf",
      "8374000000016400046e616d655864000d6e6f6e6f6465406e6f686f7374000000090000000000000000",
      "refused: erlang-etf at name: expected text, a number or a bool, as in JSON, got an object of the class Pid",
      6,
    ],
  ])("tells a reason of %s with the place that it is of: %s", async (codec, hex, reason, offset) => {
    const data = file("n.json", '{"name":"a"}');
    const args = ["inspect", "-c", codec, data, file("n.bin", Buffer.from(hex, "hex"))];
    const { stdout } = await wirebench(args);
    expect(stdout).toContain(reason);
    const lines = stdout.split("\n");
    const marked = lines[lines.findIndex((line) => line.trimStart().startsWith("^^")) - 1];
    expect(marked).toMatch(new RegExp(`^ +0x${offset.toString(16).padStart(4, "0")} `));
  });

  it.each([
    // A text in the place of a number: the text is marked, and not its key.
    ["cbor-x", '{"n":5}', "a1616e63626164", 'damaged: cbor at n: expected an integer (int32), got "bad"', 4],
    // A number as a key is sound. What is damaged after it comes first.
    [
      "cbor-x",
      '{"n":5}',
      "a10102",
      "refused: cbor at byte 1: expected text as a key, got the major type 0",
      1,
    ],
    [
      "msgpack",
      '{"n":5}',
      "810102",
      "refused: msgpack at byte 1: expected text as a key, got the byte 0x1",
      1,
    ],
    // An ObjectId, and a type that BSON does not have.
    ["bson", '{"n":5}', "14000000076e0000000000000000000000000000", "refused: bson at byte 4: ", 4],
    [
      "bson",
      '{"n":5}',
      "08000000776e0000",
      "damaged: bson at byte 4: an element of type 0x77 is not allowed",
      4,
    ],
    // Bytes, which JSON does not have.
    ["msgpack", '{"s":"x"}', "81a173c40101", "refused: msgpack at s: expected text", 5],
  ])("says of %s, %s and %s what it is, and where", async (codec, json, hex, reason, offset) => {
    const args = ["inspect", "-c", codec, file("w.json", json), file("w.bin", Buffer.from(hex, "hex"))];
    const { code, stdout } = await wirebench(args);
    expect(code).toBe(1);
    expect(stdout).toContain(reason);
    const lines = stdout.split("\n");
    const marked = lines[lines.findIndex((line) => line.trimStart().startsWith("^^")) - 1];
    expect(marked).toMatch(new RegExp(`^ +0x${offset.toString(16).padStart(4, "0")} `));
  });

  it("says how values are given where they were taken for a message", async () => {
    const values = file("values.json", '{"a":1}');
    const given = ["inspect", "-c", "protobufjs", "--schema", SCHEMA, "--message", "M"];
    const { code, stderr } = await wirebench([...given, values]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      "values.json was read as a message of protobufjs: --data has values of it instead",
    );
    expect((await wirebench([...given, "--data", values])).code).toBe(0);
  });

  it("names the numbers of an enum, also where none is written", async () => {
    const schema = file(
      "e.proto",
      'syntax = "proto3"; enum E { ZERO = 0; OLD = 2; } message M { E a = 1; repeated E b = 2; map<int32, E> c = 3; E d = 4; }',
    );
    const data = file("e.json", '{"a":"OLD","b":["OLD","ZERO"],"c":{"2":"OLD"}}');
    for (const codec of ["protobufjs", "avsc", "erlang-etf:record"]) {
      const args = ["inspect", "-c", codec, "--schema", schema, "--message", "M", "--data", data];
      const { stdout } = await wirebench(args);
      expect(stdout.match(/[02] (?:OLD|ZERO)(?= )/g)?.slice(0, 4), codec).toEqual([
        "2 OLD",
        "2 OLD",
        "0 ZERO",
        "2 OLD",
      ]);
    }
    const { stdout } = await wirebench([
      "inspect",
      "-c",
      "protobufjs",
      "--schema",
      schema,
      "--message",
      "M",
      "--data",
      data,
    ]);
    expect(stdout).toContain("d = 0 ZERO");
  });

  it("leaves elements of long lists out, but for --all", async () => {
    const short = await wirebench(["inspect", "-c", "json", "-d", "tellist"]);
    expect(short.stdout).toContain("… 35 more of info[], 2,469 bytes");
    const all = await wirebench(["inspect", "-c", "json", "-d", "tellist", "--all"]);
    expect(all.stdout).toContain("info[36].name");
  });

  it("says where two messages differ, place by place", async () => {
    const [before, after] = [
      file("a.bin", Buffer.from("08011202080522021a7a", "hex")),
      file("b.bin", Buffer.from("08021202080522021a7a1801", "hex")),
    ];
    const args = ["inspect", "-c", "protobufjs", "--schema", SCHEMA, before, after];
    const { stdout, code } = await wirebench([...args, "--json"]);
    expect(code).toBe(0);
    const { differences } = JSON.parse(stdout) as { differences: unknown };
    expect(differences).toEqual([
      { path: "a", before: { bytes: 2, value: 1 }, after: { bytes: 2, value: 2 } },
      { path: "y", before: { bytes: 4, value: "\u001az" }, after: { bytes: 4 } },
      { path: "x", after: { bytes: 2, value: 1 } },
    ]);
    expect((await wirebench(args)).stdout).toContain("3 places that differ");
    const same = await wirebench([...args.slice(0, -1), before]);
    expect(same.stdout).toContain("no place differs");
  });

  it("makes a page that asks for nothing, in which nothing of the message is markup", async () => {
    const bytes = file("m.bin", Buffer.from("2207", "hex"));
    writeFileSync(bytes, Buffer.concat([Buffer.from("2208", "hex"), Buffer.from("<b>&</b>")]));
    const { stdout } = await wirebench([
      "inspect",
      "-c",
      "protobufjs",
      "--schema",
      SCHEMA,
      bytes,
      "--format",
      "html",
    ]);
    expect(stdout).toContain("default-src 'none'");
    expect(stdout).toContain("&lt;b&gt;&amp;&lt;/b&gt;");
    expect(stdout).not.toMatch(/<b>|src=|href=|url\(/);
    // The same number is on the bytes and on what they are.
    expect(stdout.match(/data-region="2"/g)).toHaveLength(2);
  });

  it("takes the bytes of every codec apart, or says why not", async () => {
    const { stdout } = await wirebench(["inspect", "-c", "*", "-d", "packet", "--totals", "--json"]);
    const all = JSON.parse(stdout) as (InspectedJson & {
      readonly codec: string;
      readonly reason?: string;
    })[];
    expect(all.filter(({ reason }) => reason === undefined).length).toBeGreaterThan(25);
    expect(all.filter(({ reason = "" }) => reason.includes("nothing here reads"))).toEqual([]);
    for (const { codec, roles, damage, reason } of all)
      if (reason === undefined) expect({ codec, damage, unknown: roles["unknown"] }).toEqual({ codec });
  });

  it("names what it cannot show", async () => {
    const packed = await wirebench(["inspect", "-c", "capnp-ts:packed", "-d", "tellist"]);
    expect(packed.code).not.toBe(0);
    expect(packed.stderr).toContain("a tag stands before every eight bytes");
    const two = await wirebench(["inspect", "-c", "json,msgpackr", "-d", "tellist"]);
    expect(two.stderr).toContain("--totals");
  });

  it("refuses two formats at once", async () => {
    const args = ["inspect", "-c", "json", "-d", "tellist:1", "--json", "--format"];
    const { code, stderr } = await wirebench([...args, "html"]);
    expect([code, stderr]).toEqual([2, "error: --json and --format html: expected one of them\n"]);
    expect((await wirebench([...args, "json"])).code).toBe(0);
  });
});
