/** Protobuf's text format: what is read is what protoc encodes, and what protoc refuses is refused. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import protobufjs from "../../src/codecs/protobufjs/index.ts";
import { ValueError } from "../../src/model/errors.ts";
import { firstDifference, type Value } from "../../src/model/value.ts";
import { readProto } from "../../src/schema/read/proto.ts";
import { conform } from "../../src/schema/values/conform.ts";
import { readTextFormat } from "../../src/schema/values/text-format.ts";
import { decodeUntrusted } from "../../src/schema/values/transcode.ts";

interface Vector {
  readonly message: string;
  readonly text: string;
  readonly hex: string | null;
}

const folder = path.join(import.meta.dirname, "../vectors/protobuf-text");
const vectors = JSON.parse(readFileSync(path.join(folder, "vectors.json"), "utf8")) as Vector[];
const schemas = new Map(
  [
    ["json.M", "../protobuf-json/json.proto"],
    ["group.G", "group.proto"],
  ].map(([message, file]) => [message!, readProto(path.join(folder, file!), message)]),
);

function meaning(message: string, text: string): Value {
  const schema = schemas.get(message)!;
  return conform(schema, readTextFormat(schema, text), { form: "plain", int64: "bigint" }).value;
}

/** Texts with a group's name in lower case, which protoc 3.21 refuses, and the conformance suite of protobuf 33 requires. */
const TAKEN_SINCE: readonly string[] = ["id: 1 mine { a: 2 }", "id: 1 many { c: 1 }"];

describe("readTextFormat", () => {
  it.each(vectors.filter(({ hex }) => hex !== null))("$text is what protoc makes of it", async (vector) => {
    const { message, text, hex } = vector;
    const dataset = { name: message, schema: schemas.get(message)!, values: [], int64: "bigint" } as const;
    const bytes = Buffer.from(hex!, "hex");
    const expected = decodeUntrusted("protobufjs", await protobufjs.bind(dataset), dataset, bytes);
    expect(firstDifference(expected, meaning(message, text))).toBeUndefined();
  });

  it("takes a group by its name in lower case, as by that of its type", () => {
    for (const text of TAKEN_SINCE) {
      const ofType = text.replace(/ (m)(?=\w+ \{)/, (_, letter: string) => ` ${letter.toUpperCase()}`);
      expect(meaning("group.G", text)).toEqual(meaning("group.G", ofType));
    }
  });

  it.each(vectors.filter(({ hex, text }) => hex === null && !TAKEN_SINCE.includes(text)))(
    "$text is refused, as protoc does",
    ({ message, text }) => {
      expect(() => meaning(message, text)).toThrow(ValueError);
    },
  );

  it.each([
    ["i32: 5\n  nope: 1", "line 2, column 3: json.M has no field nope"],
    ["n { a: x }", "line 1, column 8: expected an integer"],
    ["n {\n", "line 2, column 1: expected }"],
    ["e: NOPE", "line 1, column 4: json.E has no value NOPE"],
    ['str: "a\n"', "line 1, column 6: the string does not end in its line"],
    ['str: "\\q"', "line 1, column 7: no escape that text format has"],
    ["i32: 1 i32: 2", "line 1, column 8: i32 is given twice"],
    ["i32 5", "line 1, column 5: expected : after i32"],
    ["i32: 5 ?", 'line 1, column 8: unexpected "?"'],
    ["any { [x/no.M] {} }", 'line 1, column 7: the schema has no message "x/no.M"'],
    ['str: "\\377"', "line 1, column 6: not valid UTF-8"],
    ["i32: 2147483648", "i32: 2147483648 is outside int32"],
    [`${"n { m { ".repeat(60)}`, "nested deeper than 100 messages"],
  ])("says where %s is wrong", (text, problem) => {
    expect(() => meaning("json.M", text)).toThrow(problem);
  });
});
