/** Files of data as records: how they are divided, packed or not, and what is wrong with those that cannot be. */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { type FileRecord, ownRecord } from "../../src/catalog/file-record.ts";
import { recordsIn } from "../../src/catalog/file-records.ts";
import { jsonDocument } from "../../src/catalog/json-document.ts";
import { Reservoir } from "../../src/catalog/reservoir.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-records-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Uint8Array): string {
  const full = path.join(folder, name);
  writeFileSync(full, content);
  return full;
}

async function read(name: string, content: string | Uint8Array, delimited = false) {
  const full = file(name, content);
  const { form, records } = await recordsIn(full, { delimited });
  const found: FileRecord[] = [];
  for await (const record of records) found.push(record);
  const places = found.map((record) => record.name.slice(full.length));
  return { form, found, places, texts: found.map(({ bytes }) => Buffer.from(bytes).toString("latin1")) };
}

describe("recordsIn", () => {
  it.each<[string, string, "whole" | "values", string[]]>([
    ["a.json", '{"a":1}', "whole", [""]],
    ["newline.json", '{"a":1}\n\n  \r\n', "whole", [""]],
    ["pretty.json", '{\n"a":1\n}\n', "whole", [""]],
    ["list.json", '[{"a":1},\n{"a":2}]', "whole", [""]],
    ["two.json", '{"a":1}\n{"a":2}\n', "values", [":1", ":2"]],
    ["lists.json", "[1]\r\n[2]", "values", [":1", ":2"]],
    ["blank.json", '{"a":1}\n\n \t\r\n{"a":2}\n\n', "values", [":1", ":4"]],
    ["mark.json", '\uFEFF{"a":1}\n{"a":2}', "values", [":1", ":2"]],
    ["one.ndjson", '{"a":1}\n', "values", [":1"]],
    ["pretty.ndjson", '{\n"a":1\n}\n{\n"a":2\n}\n', "values", [":1", ":4"]],
    ["none.jsonl", "", "values", []],
    ["none.json", "", "whole", [""]],
    ["numbers.txt", "1\n2\n", "whole", [""]],
    ["cut.json", '{"a":\n1}{"b":\n2\n', "values", [":1", ":2:3"]],
    ["pretty.txt", '{\n"a":1\n}\n\n{\n"a":"}\\"}"\n}\n', "values", [":1", ":5"]],
    ["one-line", ' {"é":1} {"a":2}[3]\n', "values", [":1:2", ":1:10", ":1:17"]],
    ["first-short.json", '{"a":1}\n{\n  "a":2\n}\n', "values", [":1", ":2"]],
    ["empty-first.json", "[]\n[]\n[\n  1\n]", "values", [":1", ":2", ":3"]],
    ["between.json", "{\n}{\n}\n,\n{\n}", "values", [":1", ":2:2", ":4", ":5"]],
    ["cut-line.json", '{"a":1}\n{"a":\n{"a":3}\n', "values", [":1", ":2", ":3"]],
    ["after.json", '{\n"a":1\n},\n{}', "whole", [""]],
    ["comment.json", '{ // }\n"a":1 /* "} { */\n}\n', "whole", [""]],
    ["text.txtpb", "[a.b] { c: 1 }\n[a.c] { c: 1 }\n", "whole", [""]],
  ])("divides %s", async (name, content, form, places) => {
    expect(await read(name, content)).toMatchObject({ form, places });
    expect(await read(`${name}.gz`, gzipSync(content))).toMatchObject({ form, places });
  });

  it("divides lines of any length wherever a part of the file ends", async () => {
    const lines = Array.from({ length: 900 }, (_, i) =>
      JSON.stringify({ i, text: "é".repeat((i * 37) % 3000) }),
    );
    lines.push(JSON.stringify("x".repeat(3 << 20)));
    for (const content of [Buffer.from(lines.join("\n")), gzipSync(lines.join("\r\n"))]) {
      const { form, found } = await read("long", content);
      expect(form).toBe("values");
      expect(found.map((record) => jsonDocument(record).value)).toEqual(
        lines.map((line) => JSON.parse(line)),
      );
    }
  });

  it("divides values over several lines wherever a part of the file ends", async () => {
    const values = Array.from({ length: 900 }, (_, i) => ({ i, text: '\\"}{é'.repeat((i * 37) % 1500) }));
    for (const indent of [0, 2]) {
      const text = values
        .map((value) => JSON.stringify(value, undefined, indent))
        .join(indent === 0 ? "" : "\n");
      for (const content of [text, gzipSync(text)]) {
        const { form, found } = await read("values", content);
        expect(form).toBe("values");
        expect(found.map((record) => jsonDocument(record).value)).toEqual(values);
      }
    }
  });

  it("takes what goes over lines for a mebibyte for one value, and what is on one line for what the next says", async () => {
    const long = { text: "x".repeat(3 << 20) };
    const [line, lines] = [JSON.stringify(long), JSON.stringify([1, long], undefined, 1)];
    expect(await read("long-lines", `${lines}\n${lines}\n`)).toMatchObject({ form: "whole" });
    expect(await read("long-line", `${line}\n`)).toMatchObject({ form: "whole" });
    expect(await read("two-long", `${line}\n${line}`)).toMatchObject({
      form: "values",
      places: [":1", ":2"],
    });
  });

  it("says the place in the file of what is wrong in a value", async () => {
    const { found } = await read("places", '{\n"a":1\n} {"é":2} {"a":\n x}');
    expect(found.map(({ line, column }) => [line, column])).toEqual([
      [1, 1],
      [3, 3],
      [3, 11],
    ]);
    expect(() => jsonDocument(found[2]!)).toThrow(/places:4:2: /);
  });

  it("divides messages after their lengths", async () => {
    const large = "z".repeat(5 << 20);
    const content = Buffer.concat([
      Buffer.from([0, 1, 0x61, 2, 0x62, 0x63]),
      Buffer.from([0x80, 0x80, 0xc0, 0x02]),
      Buffer.from(large),
      Buffer.from([0x81, 0x80, 0x00, 0x64]),
    ]);
    for (const packed of [content, gzipSync(content)]) {
      const { form, texts, places } = await read("all.bin", packed, true);
      expect(form).toBe("delimited");
      expect(texts).toEqual(["", "a", "bc", large, "d"]);
      expect(places).toEqual(["[0]", "[1]", "[2]", "[3]", "[4]"]);
    }
    expect((await read("none.bin", "", true)).texts).toEqual([]);
  });

  it.each<[string, Uint8Array, RegExp]>([
    [
      "cut.bin",
      Buffer.from([1, 0x61, 3, 0x61]),
      /cut\.bin: byte 2: message 1 is cut: expected at least 4 bytes .*, got 2$/,
    ],
    ["length.bin", Buffer.from([1, 0x61, 0x80]), /byte 2: message 1 is cut: expected at least 2 bytes/],
    ["wide.bin", Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 1]), /wide\.bin: byte 0: no length of a message/],
    ["large.bin", Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f]), /large\.bin: byte 0: no length of a message/],
  ])("says where %s is no list of messages", async (name, content, problem) => {
    await expect(read(name, content, true)).rejects.toThrow(problem);
  });

  it.each<[string, Uint8Array, RegExp]>([
    ["cut.gz", gzipSync("x".repeat(1000)).subarray(0, 20), /cut\.gz: gzip: unexpected end of file/],
    ["wrong.gz", Buffer.from("1f8b0800000000000003ffffffffff", "hex"), /wrong\.gz: gzip: invalid/],
  ])("says what is wrong with %s", async (name, content, problem) => {
    await expect(read(name, content)).rejects.toThrow(problem);
  });

  it("says when a file is missing, is a folder or changes while it is read", async () => {
    const open = async (name: string) => {
      const { records } = await recordsIn(name);
      for await (const { line } of records) if (line === 1) appendFileSync(name, "{}\n");
    };
    await expect(open(path.join(folder, "gone"))).rejects.toThrow("gone: no such file");
    await expect(open(folder)).rejects.toThrow("is a folder");
    await expect(open(file("grows.ndjson", '{"a":1}\n'.repeat(1 << 16)))).rejects.toThrow(
      "changed while it was read",
    );
  });
});

describe("jsonDocument", () => {
  const record = (content: string, name = "f.json", line?: number): FileRecord => ({
    name,
    file: name,
    bytes: Buffer.from(content),
    ...(line === undefined ? {} : { line }),
  });

  it("keeps integers beyond 2^53, in any form, and only these, as bigints", () => {
    const read = (text: string) => jsonDocument(record(text)).value;
    expect(read("[9007199254740991,-9007199254740991]")).toEqual([2 ** 53 - 1, 1 - 2 ** 53]);
    expect(read("[9007199254740992, -9007199254740993]")).toEqual([2n ** 53n, -(2n ** 53n) - 1n]);
    expect(read('{"a":[18446744073709551615,{"b":9223372036854775807}]}')).toEqual({
      a: [2n ** 64n - 1n, { b: 2n ** 63n - 1n }],
    });
    expect(read("[1.8446744073709551615e19,1e19,123456789012345678.90e1]")).toEqual([
      2n ** 64n - 1n,
      10n ** 19n,
      1234567890123456789n,
    ]);
    expect(read("[1e21,1e300,0.1234567890123456,12345678901234567.5]")).toEqual([
      1e21, 1e300, 0.1234567890123456, 12345678901234568,
    ]);
    expect(read('["9007199254740993","integer 0: \\"9007199254740993",9007199254740993]')).toEqual([
      "9007199254740993",
      'integer 0: "9007199254740993',
      2n ** 53n + 1n,
    ]);
  });

  it("reads comments and last commas where they are asked for, and keeps places", () => {
    const text = '{ // "a": 2,\n "a": "//x,]", /* }, */ "b": [1, 2, /* 3 */ ], }';
    expect(jsonDocument(record(text, "f.jsonc")).value).toEqual({ a: "//x,]", b: [1, 2] });
    expect(jsonDocument(record(text), { comments: true }).value).toEqual({ a: "//x,]", b: [1, 2] });
    expect(() => jsonDocument(record(text))).toThrow("f.json:1:3: ");
    expect(() => jsonDocument(record("{ // a\n 'b' }", "f.jsonc"))).toThrow("f.jsonc:2:2: ");
    expect(() => jsonDocument(record("[1 /* 2 ]", "f.jsonc"))).toThrow("f.jsonc:1:4: ");
    expect(() => jsonDocument(record("[,]", "f.jsonc"))).toThrow("f.jsonc:1:2: ");
  });

  it("says where a line is wrong, and where a key stands twice", () => {
    expect(() => jsonDocument(record('{"a":}', "log.ndjson", 17))).toThrow("log.ndjson:17:6: ");
    expect(() => jsonDocument(record('{"a":{"b":1,\n"b" :2}}'))).toThrow(
      'f.json:2:1: the key "b" stands twice',
    );
    expect(() => jsonDocument(record('{"":1,"":2}'))).toThrow("stands twice");
    expect(jsonDocument(record('{"a\\"":{"a":"x:","b":":"},"b":"\\\\"}')).value).toEqual({
      'a"': { a: "x:", b: ":" },
      b: "\\",
    });
  });
});

describe("ownRecord", () => {
  it("keeps nothing of the part of a file that a line came in", async () => {
    const { form, found } = await read("own.ndjson", '{"a":1}\n{"a":2}\n');
    const own = found.map((record) => ownRecord(form, record));
    expect(own.map(({ bytes }) => bytes.buffer.byteLength)).toEqual([7, 7]);
    expect(own.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['{"a":1}', '{"a":2}']);
  });
});

describe("Reservoir", () => {
  const sample = (most: number, count: number, seed = 1): number[] => {
    const kept = new Reservoir<number>(most, seed);
    for (let i = 0; i < count; i++) kept.add(() => i);
    return kept.items();
  };

  it("keeps all of few, and some of many in their order, by the seed", () => {
    expect(sample(5, 3)).toEqual([0, 1, 2]);
    expect(sample(5, 5)).toEqual([0, 1, 2, 3, 4]);
    const some = sample(100, 10_000);
    expect(some).toEqual([...new Set(some)].sort((a, b) => a - b));
    expect(some).toHaveLength(100);
    expect(sample(100, 10_000)).toEqual(some);
    expect(sample(100, 10_000, 2)).not.toEqual(some);
  });

  it("keeps each with the same probability", () => {
    const counts = new Array<number>(10).fill(0);
    for (let seed = 0; seed < 2000; seed++)
      for (const item of sample(100, 1000, seed)) counts[Math.floor(item / 100)]! += 1;
    for (const count of counts) expect(Math.abs(count - 20_000)).toBeLessThan(5 * Math.sqrt(20_000 * 0.9));
  });

  it("keeps fewer of what it has from a limit on", () => {
    const kept = new Reservoir<number>(Number.POSITIVE_INFINITY, 3);
    for (let i = 0; i < 1000; i++) {
      if (i >= 500) kept.limit(100, (item) => item);
      kept.add(() => i);
    }
    expect(kept.met).toBe(1000);
    expect(kept.items()).toEqual(sample(100, 1000, 3));
  });
});
