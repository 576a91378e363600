/** The schema that is inferred of documents: every rule by its minimal case, and that nothing is lost. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Schema } from "../../../src/model/schema.ts";
import type { Value } from "../../../src/model/value.ts";
import { emitProto } from "../../../src/schema/emit/proto.ts";
import { Inference, type InferredSchema } from "../../../src/schema/infer/infer.ts";
import { readProto } from "../../../src/schema/read/proto.ts";
import { conform } from "../../../src/schema/values/conform.ts";
import { readJson } from "../../../src/schema/values/json-source.ts";
import { lossIn } from "../../../src/schema/values/loss.ts";
import { documentOf } from "../../../src/schema/values/print-document.ts";
import { readDocument } from "../../../src/schema/values/read-document.ts";
import { itWith } from "../../references.ts";
import { cases, SEED } from "../../seed.ts";

function infer(documents: readonly string[], { hints = [] as string[], each = false } = {}): InferredSchema {
  const inference = new Inference({ hints });
  for (const document of documents) inference.add(Buffer.from(document));
  return inference.schema("Root", each);
}

/** The schema as a .proto file, a line for each declaration, without comments that only tell what was seen. */
function proto(documents: string | readonly string[], options?: Parameters<typeof infer>[1]): string[] {
  const { schema } = infer([documents].flat(), options);
  return emitProto(schema)
    .split("\n")
    .slice(2)
    .map((line) => line.replace(/(?<!^\s*)\s+\/\/.*$/, "").trim())
    .filter((line) => line !== "" && line !== "}" && !/^\/\/ [^@]/.test(line));
}

/** A document as it is measured: integers beyond 2^53 are text. */
function documentIn({ schema }: InferredSchema, text: string): Value {
  return readDocument(schema, (readJson(text) as { readonly value: unknown }).value);
}

function proven({ schema }: InferredSchema, document: Value): Value {
  const { value } = conform(schema, document, { form: "json", int64: "auto" });
  expect(lossIn(schema, document, value)).toBeUndefined();
  return value;
}

describe("what was seen of integers beyond 2^53", () => {
  it.each([
    ["[9007199254740993]", "9007199254740993"],
    ["[18446744073709551615,9007199254740993]", "9007199254740993 … 18446744073709551615"],
    ["[-9007199254740993,5]", "-9007199254740993 … 5"],
    ["[123456789012345678901234567890]", "123456789012345678901234567890"],
  ])("%s is told digit by digit", (list, told) => {
    expect(emitProto(infer([`{"n":${list}}`]).schema)).toMatch(new RegExp(`elements? of ${told}$`, "m"));
  });
});

describe("numbers", () => {
  it.each([
    ["[1,-2]", "int32"],
    ["[2147483647,-2147483648]", "int32"],
    ["[2147483648]", "int64"],
    ["[-2147483649]", "int64"],
    ["[9007199254740993]", "int64"],
    ["[18446744073709551615]", "uint64"],
    ["[1,1.5]", "double"],
    ["[1.0]", "double"],
    ["[1e3]", "double"],
    ["[-0]", "double"],
    ["[9223372036854775808,1]", "uint64"],
  ])("%s are %s", (list, scalar) => {
    expect(proto(`{"n":${list}}`)).toEqual(["message Root {", `repeated ${scalar} n = 1;`]);
  });

  it.each(["[18446744073709551616]", "[-1,18446744073709551615]", "[9007199254740993,0.5]"])(
    "%s are text that is JSON, and that is told",
    (list) => {
      expect(proto(`{"n":${list}}`)).toContain("repeated string n = 1;");
      expect(infer([`{"n":${list}}`]).choices).toEqual([
        "/n/-: integers that no number type holds: text of their digits",
      ]);
    },
  );
});

describe("null and absence", () => {
  it("make a field optional, and both together are told", () => {
    const documents = ['{"a":1,"b":"x"}', '{"a":null}', "{}"];
    expect(proto(documents)).toEqual(["message Root {", "optional int32 a = 1;", "optional string b = 2;"]);
    expect(infer(documents).choices).toEqual(["/a: null in 1 and absent in 1 of 3: both are absent"]);
  });

  it("leave out what is always null, and say so", () => {
    expect(proto('{"a":null,"b":1}')).toEqual(['// @json null "a"', "message Root {", "int32 b = 2;"]);
    proven(infer(['{"a":null,"b":1}']), { a: null, b: 1 });
  });

  it("tell an absent list from an empty one, and a null in a list from nothing", () => {
    const documents = ['{"l":[]}', "{}", '{"l":[1]}'];
    expect(proto(documents)).toContain("L l = 1;");
    for (const text of documents) proven(infer(documents), JSON.parse(text));
    const nulls = '{"l":[[],null,[1]]}';
    expect(proven(infer([nulls]), JSON.parse(nulls))).toMatchObject({ l: [{ list: { list: [] } }, {}, {}] });
  });
});

describe("lists", () => {
  it("in a list are messages", () => {
    expect(proto('{"rows":[[1,2],[3]]}')).toEqual([
      "message Root {",
      "repeated Row rows = 1;",
      "// @json in place",
      "message Row {",
      "repeated int32 list = 4;",
    ]);
  });

  it("take the kind that another value shows, else text", () => {
    expect(proto(['{"a":[],"b":[]}', '{"a":[true]}'])).toEqual([
      "message Root {",
      "repeated bool a = 1;",
      "B b = 2;",
      "// @json in place",
      "message B {",
      "repeated string list = 4;",
    ]);
  });

  it("at the root are a message, or a value for each element", () => {
    expect(proto('[{"a":1},{"a":2}]')).toEqual([
      "// @json in place",
      "message Root {",
      "repeated Root_2 list = 4;",
      "message Root_2 {",
      "int32 a = 1;",
    ]);
    expect(proto('[{"a":1},{"a":2}]', { each: true })).toEqual(["message Root {", "int32 a = 1;"]);
  });
});

describe("keys in brackets", () => {
  it("are no json_name, which protoc refuses, but come back", () => {
    expect(proto('{"[a-z]":1}')).toEqual(["message Root {", '// @json name "[a-z]"', "int32 a_z = 1;"]);
    expect(proven(infer(['{"[a-z]":1}']), { "[a-z]": 1 })).toEqual({ a_z: 1 });
  });
});

describe("mixed kinds", () => {
  it("are a oneof of up to three", () => {
    expect(proto('{"v":[1,"a",true]}').slice(2)).toEqual([
      "// @json in place",
      "message V {",
      "oneof kind {",
      "string text = 1;",
      "int32 number = 2;",
      "bool bool_value = 3;",
    ]);
  });

  it("are text that is JSON beyond that", () => {
    const text = '{"v":[1,"a",{"x":1},[null,1]]}';
    expect(proto(text)).toEqual(["message Root {", "// @json text", "repeated string v = 1;"]);
    expect(infer([text]).choices).toEqual(["/v/-: text, number, list, object: text that is JSON"]);
    expect(proven(infer([text]), JSON.parse(text))).toEqual({ v: ["1", '"a"', '{"x":1}', "[null,1]"] });
  });
});

describe("maps", () => {
  const keys = (count: number, name: (i: number) => string): string =>
    `{"m":{${Array.from({ length: count }, (_, i) => `${JSON.stringify(name(i))}:${i}`).join()}}}`;

  it.each([
    ["keys that are digits", '{"m":{"1":"a","20":"b"}}', "map<string, string> m = 1;"],
    ["keys that are no identifiers", '{"m":{"a-b":1,"c":2}}', "map<string, int32> m = 1;"],
    ["more than 200 keys", keys(201, (i) => `k${i}`), "map<string, int32> m = 1;"],
    [
      "keys that few objects have",
      `{"m":[${Array.from({ length: 20 }, (_, i) => `{"k${i}":1}`).join()}]}`,
      "map<string, int32> object = 5;",
    ],
  ])("%s", (_, text, line) => {
    expect(proto(text)).toContain(line);
  });

  it.each([
    ["200 keys", keys(200, (i) => `k${i}`)],
    ["values of different kinds", '{"m":{"a-b":1,"c":"x"}}'],
    ["one odd key", '{"m":{"$ref":"x"}}'],
    ["the same odd keys in all objects", '{"m":[{"a-b":1,"c-d":1},{"a-b":1,"c-d":1},{"a-b":1,"c-d":1}]}'],
  ])("and messages: %s", (_, text) => {
    expect(proto(text).join()).not.toContain("map<");
  });
});

it("gives odd keys a name, keeps theirs in JSON, and tells alike names apart", () => {
  const text =
    '{"first name":"x","first_name":2,"firstName":3,"名":4,"__proto__":5,"constructor":6,"1x":7,"":8}';
  expect(proto(text)).toEqual([
    "message Root {",
    'string first_name = 1 [json_name = "first name"];',
    'int32 first_name_2 = 2 [json_name = "first_name"];',
    'int32 firstName_3 = 3 [json_name = "firstName"];',
    'int32 field_4 = 4 [json_name = "名"];',
    'int32 proto = 5 [json_name = "__proto__"];',
    "int32 constructor = 6;",
    "int32 _1x = 7;",
    'int32 field_8 = 8 [json_name = ""];',
  ]);
  proven(infer([text]), JSON.parse(text));
});

describe("recursion", () => {
  it("is one message where the same key repeats", () => {
    const text = '{"text":"a","replies":[{"text":"b","replies":[{"text":"c","replies":[],"likes":1}]}]}';
    expect(proto(text)).toEqual([
      "message Root {",
      "string text = 1;",
      "repeated Root replies = 2;",
      "optional int32 likes = 3;",
    ]);
    proven(infer([text]), JSON.parse(text));
  });

  it.each(["x y", 'a"b', "[]", ""])("may be by the key %j", (key) => {
    const text = JSON.stringify({ [key]: [{ [key]: [{}] }], a: 1 });
    expect(proto(text).filter((line) => line.startsWith("message "))).toHaveLength(1);
    proven(infer([text]), JSON.parse(text));
  });

  it("is none where objects are of different shapes", () => {
    expect(proto('{"a":{"x":1,"y":2,"a":{"p":1,"q":2}}}')).toContain("message A_2 {");
  });

  it("takes what is at one place only into the message", () => {
    const text = '{"c":{"n":1,"c":{"n":2,"c":{"leaf":true}}}}';
    proven(infer([text]), JSON.parse(text));
  });
});

describe("recursion by several keys", () => {
  it("makes one message of what meets in it, and a map stays one with a message of its kind", () => {
    const leaf = { "x-y": { a: 1 }, "y-z": { a: 2 } };
    const text = JSON.stringify({ d: { v: 1, d: { v: 1, m: leaf, d: { v: 2, m: { z: { a: 3 } } } } } });
    expect(proto(text)).toContain("map<string, M> m = 3;");
    proven(infer([text]), JSON.parse(text));
  });

  it("makes a message of a map that meets one with values of several kinds", () => {
    const list = [{ $ref: "x", type: "y" }];
    const other = [{ $ref: "z", n: 1, type: "y" }];
    const text = JSON.stringify({ d: { v: 1, d: { v: 1, m: list, d: { v: 2, m: other } } } });
    expect(proto(text)).toContain('string ref = 1 [json_name = "$ref"];');
    proven(infer([text]), JSON.parse(text));
  });

  it("loses nothing, wherever keys repeat", () => {
    const keys = fc.constantFrom("a", "b", "c", "d", "$ref", "7", "x-y", "type");
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { depthSize: "medium", withCrossShrink: true },
        fc.constantFrom<unknown>(1, "t", {}),
        fc.dictionary(keys, tie("tree"), { minKeys: 1, maxKeys: 5, size: "max" }),
        fc.array(tie("tree"), { maxLength: 3, size: "max" }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(keys, tree, { minKeys: 1 }), (document) => {
        proven(infer([JSON.stringify(document)]), JSON.parse(JSON.stringify(document)));
      }),
      { seed: SEED, numRuns: cases(500) },
    );
  });
});

describe("hints", () => {
  const text = JSON.stringify({
    people: [
      { kind: "a", photo: "AAECAw==", at: "2026-01-02T03:04:05Z", n: 3_000_000_000, f: 0.5 },
      { kind: "b", photo: "", at: "2026-01-02T03:04:05.500Z", n: 1, f: 1.25 },
    ],
  });

  it("make enums, bytes, timestamps, unsigned integers and floats", () => {
    const types = { kind: "enum", photo: "bytes", at: "timestamp", n: "uint32", f: "float" };
    const hints = Object.entries(types).map(([key, type]) => `/people/-/${key}=${type}`);
    const inferred = infer([text], { hints });
    const lines = proto(text, { hints });
    for (const line of ["bytes photo = 2;", "uint32 n = 4;", "float f = 5;"]) expect(lines).toContain(line);
    expect(inferred.schema.enums.get("People.Kind")?.values.map(({ name }) => name)).toEqual([
      "UNSPECIFIED",
      "a",
      "b",
    ]);
    proven(inferred, JSON.parse(text));
  });

  it.each([
    ["/people/-/kinds=enum", "hint /people/-/kinds: no such path in the data, did you mean /people/-/kind"],
    ["/people/-/kind=enumm", 'hint "/people/-/kind=enumm": no type enumm, did you mean enum?'],
    ["kind", 'hint "kind": expected a path and a type, as /people/-/kind=enum'],
    ["/people/-/n=enum", "hint /people/-/n: enum is for texts, and there are numbers"],
    ["/people/-/kind=uint32", "hint /people/-/kind: uint32 is for numbers, and there are texts"],
    ["/people/-/kind=map", "hint /people/-/kind: map is for objects, and there are texts"],
    ["/people=enum", "hint /people: enum is for texts, and there are lists; /people/- for their elements"],
  ])("that are none, or for no value there, are refused: %s", (hint, message) => {
    expect(() => infer([text], { hints: [hint] })).toThrow(message);
  });

  it("for one key of a map are refused, and for all are not", () => {
    const ages = '{"ages":{"1":4000000000,"2":5}}';
    expect(() => infer([ages], { hints: ["/ages/1=uint32"] })).toThrow(
      "hint /ages/1: /ages is a map: /ages/- for its values",
    );
    expect(proto(ages, { hints: ["/ages/-=uint32"] })).toContain("map<string, uint32> ages = 1;");
  });

  it.each([
    ["/people/-/f=bytes", '{"people":[{"f":"not base64"}]}'],
    ["/people/-/f=float", '{"people":[{"f":0.123456789}]}'],
    ["/people/-/f=bytes", '{"people":[{"f":"AB=="}]}'],
  ])("that lose data are found: %s of %s", (hint, document) => {
    const { schema } = infer([document], { hints: [hint] });
    const check = (): unknown => {
      const { value } = conform(schema, JSON.parse(document), { form: "json", int64: "auto" });
      return lossIn(schema, JSON.parse(document), value);
    };
    let found: unknown;
    try {
      found = check();
    } catch (error) {
      found = (error as Error).message;
    }
    expect(found).toContain("people[0].f");
  });
});

it("keeps names and numbers when more samples come", () => {
  const samples = [
    '{"b":1,"x":{"y":1}}',
    '{"a":"t","b":2,"x":{"z":[{"q":1}]}}',
    '{"c":{"x":1},"b":2.5,"a":null}',
  ];
  const fieldsOf = (documents: readonly string[]): string[] =>
    [...infer(documents).schema.messages.values()].flatMap(({ name, fields }) =>
      fields.map((field) => `${name}.${field.name} = ${field.number}`),
    );
  for (let count = 1; count < samples.length; count++) {
    expect(fieldsOf(samples)).toEqual(expect.arrayContaining(fieldsOf(samples.slice(0, count))));
  }
});

it("carries any JSON without loss, and prints it as it was", () => {
  const documents = fc.array(fc.json({ maxDepth: 5, noUnicodeString: false }), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(documents, (texts) => {
      const isKnown = texts.some((text) => text !== "null" && text !== "[]");
      if (!isKnown || texts.some((text) => /\\u[dD][89a-fA-F]/.test(text))) return;
      const inferred = infer(texts);
      for (const text of texts) {
        const value = proven(inferred, documentIn(inferred, text));
        const printed = documentOf(inferred.schema, value);
        const { value: again } = conform(inferred.schema, printed, { form: "json", int64: "auto" });
        expect(again).toEqual(value);
      }
    }),
    { seed: SEED, numRuns: cases(2000) },
  );
});

itWith("protoc")("prints what protoc takes of any JSON, and reads it back", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "wirebench-"));
  const names = fc.constantFrom("a", "b", "at", "google", "A", "a_", "message", "é", "1", "__proto__", "x y");
  const leaves = fc.constantFrom<unknown>(1, -1.5, "t", null, true, 2 ** 40, "2026-01-02T03:04:05Z");
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: "small" },
      leaves,
      fc.array(tie("tree"), { maxLength: 4 }),
      fc.dictionary(names, tie("tree"), { maxKeys: 5 }),
    ),
  }));
  try {
    const property = fc.property(fc.dictionary(names, tree, { minKeys: 1 }), (document) => {
      const hints = document["at"] === "2026-01-02T03:04:05Z" ? ["/at=timestamp"] : [];
      const text = JSON.stringify(document);
      const inferred = infer([text], { hints });
      const file = path.join(folder, "printed.proto");
      writeFileSync(file, emitProto(inferred.schema));
      execFileSync("protoc", ["-I", folder, `-o${file}.binpb`, file], { stdio: "pipe" });
      const schema = readProto(file, inferred.schema.root);
      const value = (of: Schema): Value =>
        conform(of, documentIn(inferred, text), { form: "json", int64: "auto" }).value;
      expect(documentOf(schema, value(schema))).toEqual(documentOf(inferred.schema, value(inferred.schema)));
    });
    fc.assert(property, { seed: SEED, numRuns: cases(400) });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
