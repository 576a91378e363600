/** Protobuf's JSON mapping, against what Google's Python runtime made of the same texts: test/vectors/protobuf-json. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import protobufjs from "../../src/codecs/protobufjs/index.ts";
import { ValueError } from "../../src/model/errors.ts";
import { messageOf } from "../../src/model/schema.ts";
import { firstDifference, type RecordValue, type Value } from "../../src/model/value.ts";
import { readProto } from "../../src/schema/read/proto.ts";
import { decodeMessage, encodeMessage } from "../../src/schema/values/any-bytes.ts";
import { conform } from "../../src/schema/values/conform.ts";
import { readJson } from "../../src/schema/values/json-source.ts";
import { documentText } from "../../src/schema/values/json-text.ts";
import { documentOf } from "../../src/schema/values/print-document.ts";
import { readDocument } from "../../src/schema/values/read-document.ts";
import { decodeUntrusted } from "../../src/schema/values/transcode.ts";

interface Vector {
  readonly text: string;
  readonly hex?: string;
  readonly json?: Value;
}

const folder = path.join(import.meta.dirname, "../vectors/protobuf-json");
const read = (name: string): unknown => JSON.parse(readFileSync(path.join(folder, name), "utf8"));
const vectors = read("vectors.json") as Vector[];
const departures = read("departures.json") as Record<"refused" | "taken", string[]>;

const schema = readProto(path.join(folder, "json.proto"), "json.M");
const root = messageOf(schema, schema.root);
const dataset = { name: "json", schema, values: [], int64: "bigint" } as const;
const binding = await protobufjs.bind(dataset);
const decoded = (hex: string): Value =>
  decodeUntrusted("protobufjs", binding, dataset, Buffer.from(hex, "hex"));

/** The canonical value of a text, or undefined where it is refused. */
function meaning(text: string): Value | undefined {
  const given = readJson(text);
  if ("problem" in given) return undefined;
  try {
    return conform(schema, given.value, { form: "json", int64: "bigint" }).value;
  } catch (error) {
    expect(error).toBeInstanceOf(ValueError);
    return undefined;
  }
}

const accepted = vectors.filter(({ hex, text }) => hex !== undefined && !departures.refused.includes(text));
const refused = vectors.filter(({ hex, text }) => hex === undefined && !departures.taken.includes(text));

describe("protobuf's JSON", () => {
  it("is all there, and every departure is one", () => {
    expect(vectors.length).toBe(
      accepted.length + refused.length + departures.refused.length + departures.taken.length,
    );
    for (const text of departures.refused) expect(meaning(text), text).toBeUndefined();
    for (const text of departures.taken) expect(meaning(text), text).toBeDefined();
  });

  it.each(accepted)("$text is the value that Google's runtime reads", ({ text, hex = "" }) => {
    expect(firstDifference(decoded(hex), meaning(text))).toBeUndefined();
  });

  it.each(refused)("$text is refused", ({ text }) => {
    expect(meaning(text)).toBeUndefined();
  });

  it.each(accepted.filter(({ json }) => json !== null))(
    "prints $text as Google's runtime does",
    ({ hex, json }) => {
      const value = decoded(hex ?? "");
      const printed = documentOf(schema, value);
      expect(firstDifference(json, JSON.parse(documentText(printed)))).toBeUndefined();
      expect(firstDifference(value, meaning(documentText(printed)))).toBeUndefined();
    },
  );

  it.each(accepted)("$text, as a program reads it, is the same value without a bigint", ({ text }) => {
    const given = readJson(text) as { readonly value: unknown };
    const document = readDocument(schema, given.value);
    expect(firstDifference(meaning(text), meaning(documentText(document)))).toBeUndefined();
    expect(JSON.parse(documentText(document))).toEqual(document);
  });

  it.each(accepted)("$text goes into bytes and out of them, as an Any holds it", ({ hex = "" }) => {
    const value = decoded(hex) as RecordValue;
    const bytes = Buffer.from(encodeMessage(schema, root, value));
    expect(firstDifference(value, decoded(bytes.toString("hex")))).toBeUndefined();
    const fields = decodeMessage(schema, root, Buffer.from(hex, "hex"));
    const back = conform(schema, fields, { form: "plain", int64: "bigint" }).value;
    expect(firstDifference(value, back)).toBeUndefined();
  });

  it("prints enums as numbers where they are asked for", () => {
    const value = meaning('{"e":"ONE","re":["NEG"],"onull":null}')!;
    expect(documentOf(schema, value, { enumNumbers: true })).toEqual({ e: 1, re: [-1], onull: null });
  });

  it.each<[string, RecordValue, string]>([
    [
      "a time of the year 10000",
      { ts: { seconds: 253402300800n, nanos: 0 } },
      "ts: 253402300800 s and 0 ns: no ",
    ],
    ["nanoseconds below 0", { ts: { seconds: 0n, nanos: -1 } }, "ts: "],
    ["a duration of two signs", { rdur: [{ seconds: 1n, nanos: -1 }] }, "rdur[0]: "],
    ["a path that does not come back", { fm: { paths: ["fooBar"] } }, "fm: a path that JSON cannot name"],
    ["a value of nothing", { val: {} }, "val: google.protobuf.Value without a value"],
    ["an infinite value", { mval: { a: { number_value: Number.POSITIVE_INFINITY } } }, "mval.a: Infinity"],
    [
      "a message that the schema lacks",
      { any: { type_url: "x/a.B", value: new Uint8Array(1) } },
      'any: the schema has no message "x/a.B"',
    ],
    [
      "bytes that are none",
      { any: { type_url: "x/json.N", value: Uint8Array.of(8) } },
      "any: no json.N: protobuf",
    ],
    [
      "a field that the message lacks",
      { any: { type_url: "x/json.N", value: Uint8Array.of(80, 1) } },
      "any: json.N has no field 10",
    ],
  ])("has no form for %s", (_, given, problem) => {
    const { value } = conform(schema, given, { form: "plain", int64: "bigint" });
    expect(() => documentOf(schema, value)).toThrow(problem);
  });

  it("tells where a message in an Any is wrong", () => {
    const given = { rany: [{ "@type": "x/json.M", n: { a: "b" } }] };
    expect(() => conform(schema, given, { form: "json", int64: "auto" })).toThrow(
      'rany[0].n.a: expected an integer (int32), got "b"',
    );
  });
});
