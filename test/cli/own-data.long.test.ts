/** A user's own data on the command line: what schemaless codecs carry of it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { IpcRecord, RunRecord } from "wirebench";
import { spawned, wirebench } from "./wirebench.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-own-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Uint8Array): string {
  const full = path.join(folder, name);
  writeFileSync(full, content);
  return full;
}

const proto = file(
  "order.proto",
  `syntax = "proto3";
package shop;
enum Status { UNKNOWN = 0; PAID = 1; }
message Item { string sku = 1; int32 quantity = 2; repeated float weights = 3; }
message Order {
  string id = 1; int64 customer_id = 2; repeated Item items = 3; map<string, string> labels = 4;
  Status status = 5; bytes signature = 6; double discount = 7; optional bool gift = 8;
}
`,
);
const ORDER = '{"id":"o-5","items":[{"sku":"s5","quantity":5}]}';
const order = file("order.json", `${ORDER}\n`);
const own = ["--schema", proto, "--message", "shop.Order"];

async function verified(args: readonly string[]): Promise<RunRecord> {
  const { code, stdout, stderr } = await wirebench(["verify", ...own, "--json", ...args]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

function sizesOf({ cells }: RunRecord): Record<string, number | undefined> {
  return Object.fromEntries(cells.map(({ codec, bytes }) => [codec, bytes]));
}

describe("an order without the fields that it does not need", () => {
  const codecs = ["-c", "json,msgpackr,protobufjs", "--data", order];

  it("is in JSON what it is in the file, and in protobuf what it was", async () => {
    const record = await verified(codecs);
    expect(sizesOf(record)).toEqual({ json: 48, msgpackr: 33, protobufjs: 13 });
    expect(record.datasets[0]).toMatchObject({ fileBytes: 48, schemaless: "documents" });
    const { stdout } = await wirebench(["verify", ...own, ...codecs]);
    expect(stdout).toContain(
      "\nyour file: 48 bytes a value; codecs without a schema carry what it holds, and no default\n",
    );
  });

  it("has every default with --fill-defaults, and is other data then", async () => {
    const record = await verified([...codecs, "--fill-defaults"]);
    const filled =
      '{"id":"o-5","customer_id":0,"items":[{"sku":"s5","quantity":5,"weights":[]}],"labels":{},"status":0,"signature":"","discount":0}';
    expect(sizesOf(record)).toMatchObject({ json: filled.length, protobufjs: 13 });
    expect(record.datasets[0]).toMatchObject({ fileBytes: 48, schemaless: "values" });
    const [base, head] = [await verified(codecs), record].map((one, index) =>
      file(`${index}.json`, JSON.stringify(one)),
    );
    const { code, stderr } = await wirebench(["compare", base!, head!]);
    expect(code).toBe(2);
    expect(stderr).toContain('dataset "order": the two records have different data under this name');
  });

  it("is measured, parts of it too, and the report says how large it is in the file", async () => {
    const data = file("orders.json", `[${ORDER},${ORDER.replaceAll("5", "6")}]`);
    const out = path.join(folder, "out");
    const operations = ["-o", "encode,decode,access,pick,update"];
    const { code, stdout, stderr } = await wirebench([
      "run",
      ...own,
      "--data",
      data,
      "-c",
      "json,protobufjs",
      ...operations,
      "--profile",
      "quick",
      "--shard",
      "1/4",
      "--out",
      out,
    ]);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^json +48 /m);
    expect(stdout).toContain("your file: 48 bytes a value");
    expect(readFileSync(path.join(out, "report.md"), "utf8")).toContain("- your file: 48 bytes a value");
  });
});

it("encode takes the one delimited message of a file, and no list of them", async () => {
  const one = file("one.bin", Buffer.from("050a036f2d35", "hex"));
  const read = await wirebench(["encode", ...own, "-c", "json", "--delimited", one]);
  expect(JSON.parse(read.stdout)).toMatchObject({ id: "o-5" });
  const two = file("two.bin", Buffer.from("050a036f2d35".repeat(2), "hex"));
  const refused = await wirebench(["encode", ...own, "-c", "json", "--delimited", two]);
  expect(refused).toMatchObject({ code: 2, stderr: `error: ${two}: expected one value, got 2\n` });
});

describe("bytes of a newer program", () => {
  // A number of an order in five bytes, two fields that the schema lacks, and one that an item does.
  const newer = file(
    "newer.bin",
    Buffer.from("0a036f2d35 1a044a000a00 28ffffffff0f a20601ff a20600 a80605".replaceAll(" ", ""), "hex"),
  );
  const leftOut = "4 values of 3 unknown fields left out: shop.Item 9, shop.Order 100, shop.Order 101\n";
  const commands = [
    ["verify", "-c", "protobufjs,json", "--data", newer],
    ["encode", "-c", "json", "--data", newer],
    ["encode", "-c", "json", newer],
    ["decode", "-c", "protobufjs", newer],
  ];

  it.each(commands)("are read by %s without what is new, which a line says", async (command, ...args) => {
    const { code, stdout, stderr } = await wirebench([command!, ...own, ...args]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(leftOut);
    if (command !== "verify") expect(JSON.parse(stdout)).toMatchObject({ id: "o-5", items: [{}] });
  });

  it.each(commands)("are refused by %s where they are to be", async (command, ...args) => {
    const { code, stderr } = await wirebench([command!, ...own, ...args, "--unknown", "refuse"]);
    expect(code).toBe(2);
    expect(stderr).toContain("shop.Item has no field 9, its data would be lost");
    const strict = await wirebench([command!, ...own, ...args, "--strict"]);
    expect(strict.stderr).toContain("4294967295 is outside int32");
  });

  it("are kept as fields of their own, and written again", async () => {
    const decoded = await wirebench(["decode", ...own, "-c", "protobufjs", "--unknown", "keep", newer]);
    expect(decoded.stderr).toBe("");
    expect(JSON.parse(decoded.stdout)).toMatchObject({
      unknown100: ["/w==", ""],
      unknown101: ["5"],
      status: -1,
    });
    const encoded = await wirebench([
      "encode",
      ...own,
      "-c",
      "protobufjs",
      "--unknown",
      "keep",
      "--data",
      newer,
    ]);
    const again = await wirebench([
      ...["decode", ...own, "-c", "protobufjs", "--unknown", "keep"],
      file("again.bin", encoded.bytes),
    ]);
    expect(again.stdout).toBe(decoded.stdout);
    const other = await wirebench(["decode", ...own, "-c", "json", "--unknown", "keep", order]);
    expect([other.code, other.stderr]).toEqual([
      2,
      "error: --unknown keep is for protobuf, and json is json\n",
    ]);
  });
});

describe("encode and decode", () => {
  const text =
    '{"customerId":"5","id":"é","labels":{"2":"b","a":"c"},"status":"PAID","gift":null,"discount":1.5}';
  const rich = file("rich.json", text);

  it("print the user's own object, with its names and texts", async () => {
    const encoded = await wirebench(["encode", ...own, "-c", "json", rich]);
    expect(encoded.stdout).toBe(text);
    const bytes = file("rich.bytes", encoded.bytes);
    const decoded = await wirebench(["decode", ...own, "-c", "json", bytes]);
    expect(JSON.stringify(JSON.parse(decoded.stdout))).toBe(text);
    const canonical = await wirebench(["decode", ...own, "-c", "json", "--fill-defaults", rich]);
    expect(canonical.code).toBe(2);
    expect(canonical.stderr).toContain("customer_id");
  });

  it.each(["msgpackr", "msgpackr:records", "v8", "amf3", "python-pickle", "erlang-etf:z6", "json:string"])(
    "carry it through %s, and by a dataset of the same schema",
    async (codec) => {
      for (const more of [[], ["--data", order]]) {
        const subject = [...own, "-c", codec, ...more];
        const encoded = await wirebench(["encode", ...subject, rich]);
        expect(encoded.stderr).toBe("");
        const decoded = await wirebench(["decode", ...subject, file("some.bytes", encoded.bytes)]);
        expect(JSON.parse(decoded.stdout)).toEqual(JSON.parse(text));
      }
    },
  );

  it("take the values of --data for their bounds alone", async () => {
    const tree = file("tree.proto", 'syntax = "proto3"; message M { int64 a = 1; M m = 2; double d = 3; }');
    const [first, second] = [file("1.json", '{"a":7,"m":{"a":1}}'), file("2.json", '{"d":"NaN"}')];
    for (const codec of [
      "flatbuffers",
      "flatbuffers:object",
      "json",
      "protobufjs",
      "capnp-ts",
      "amf3",
      "v8",
    ]) {
      const subject = ["--schema", tree, "--message", "M", "--data", first, "-c", codec];
      const encoded = await wirebench(["encode", ...subject, second]);
      expect([encoded.code, encoded.stderr], codec).toEqual([0, ""]);
      const decoded = await wirebench(["decode", ...subject, file("2.bytes", encoded.bytes)]);
      expect([decoded.stdout, decoded.stderr], codec).toEqual(['{\n  "d": "NaN"\n}\n', ""]);
    }
  });

  it("print protobuf's JSON of bytes, with names for enums or their numbers", async () => {
    const subject = [...own, "-c", "protobufjs"];
    const bytes = file("rich.bin", (await wirebench(["encode", ...subject, rich])).bytes);
    const decoded = await wirebench(["decode", ...subject, bytes]);
    const { gift: _, ...printed } = JSON.parse(text);
    expect(JSON.parse(decoded.stdout)).toEqual(printed);
    const numbers = await wirebench(["decode", ...subject, "--enum-numbers", bytes]);
    expect(JSON.parse(numbers.stdout)).toEqual({ ...printed, status: 1 });
  });

  it("take no empty standard input for a message", () => {
    const subject = [...own, "-c", "protobufjs"];
    for (const args of [
      ["decode", ...subject],
      ["verify", ...subject, "--data", "-"],
    ]) {
      const { code, stdout, stderr } = spawned(args, { input: "" });
      expect([code, stdout, stderr]).toEqual([2, "", "error: -: standard input is empty\n"]);
    }
  });

  it("keep the sign of zero", async () => {
    const zero = file("zero.json", '{"discount":-0}');
    const encoded = await wirebench(["encode", ...own, "-c", "v8", zero]);
    const decoded = await wirebench(["decode", ...own, "-c", "v8", file("zero.v8", encoded.bytes)]);
    expect(decoded.stdout).toBe('{\n  "discount": -0\n}\n');
  });

  it("refuse a field that the schema lacks, and one that is given by both of its names", async () => {
    for (const [content, problem] of [
      ['{"coupon":1}', "coupon"],
      ['{"customerId":1,"customer_id":1}', "given twice"],
    ] as const) {
      const { code, stderr } = await wirebench(["decode", ...own, "-c", "json", file("bad.json", content)]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
    }
  });
});

it("gives a plugin's schemaless codec the same objects, by one word", async () => {
  const { cells } = await verifiedItem(["--plugin", path.join(import.meta.dirname, "../plugins/spaced.js")]);
  const own = JSON.stringify(JSON.parse(ITEM), null, 1).length;
  const canonical = JSON.stringify({ sku: "x", quantity: 0, weights: [0.5] }, null, 1).length;
  expect(cells.map(({ codec, status, bytes }) => [codec, status, bytes])).toEqual([
    ["spaced", "ok", own],
    ["spaced:direct", "ok", own],
    ["spaced:canonical", "ok", canonical],
  ]);
});

const ITEM = '{"weights":["0.5"],"sku":"x"}';

async function verifiedItem(args: readonly string[]): Promise<RunRecord> {
  const data = ["--schema", proto, "--message", "shop.Item", "--data", file("item.json", ITEM)];
  const { code, stdout, stderr } = await wirebench(["verify", ...data, "--json", "-c", "spaced*", ...args]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

it("sends them between processes", async () => {
  const args = ["ipc", "latency", ...own, "--data", order, "-c", "json,msgpackr", "--transport", "worker"];
  const out = path.join(folder, "ipc");
  const { code, stdout, stderr } = await wirebench([...args, "--messages", "5", "--out", out, "--json"]);
  expect(code, stderr).toBe(0);
  const { tests, datasets } = JSON.parse(stdout) as IpcRecord;
  expect(tests.map(({ codec, encodedBytes }) => [codec, encodedBytes])).toEqual([
    ["json", 48],
    ["msgpackr", 33],
  ]);
  expect(datasets).toMatchObject([{ fileBytes: 48, schemaless: "documents" }]);
});
