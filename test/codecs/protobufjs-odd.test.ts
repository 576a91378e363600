/** What Google's runtime reads in bytes that are odd, we read in them too. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import protobufjs from "../../src/codecs/protobufjs/index.ts";
import { type FieldType, type MessageType, messageOf, type Schema } from "../../src/model/schema.ts";
import { firstDifference, type RecordValue, type Value } from "../../src/model/value.ts";
import { readProto } from "../../src/schema/read/proto.ts";
import { conform } from "../../src/schema/values/conform.ts";
import { decodeUntrusted } from "../../src/schema/values/transcode.ts";

type Case = readonly [message: string, hex: string, value: unknown];

const folder = path.join(import.meta.dirname, "../vectors/protobuf");
const cases = JSON.parse(readFileSync(path.join(folder, "odd-bytes.json"), "utf8")) as readonly Case[];
const SCHEMAS = Object.fromEntries(
  ["odd2", "odd3"].map((name) => [`${name}.M`, readProto(path.join(folder, `${name}.proto`), `${name}.M`)]),
);

/** A value in the form of the vectors. */
function shown(schema: Schema, type: MessageType, value: RecordValue): RecordValue {
  const empty: readonly string[] = ["[]", "{}", '""', '"0"', "false", `"${"0".repeat(16)}"`];
  const entries = type.fields.flatMap(({ name, type: of, repetition }) => {
    const held = value[name];
    if (held === undefined) return [];
    const text =
      repetition.kind === "list"
        ? (held as Value[]).map((item) => leaf(schema, of, item))
        : repetition.kind === "map"
          ? Object.fromEntries(
              Object.entries(held as RecordValue).map(([key, item]) => [key, leaf(schema, of, item)]),
            )
          : leaf(schema, of, held);
    const hasPresence = repetition.kind === "one" && repetition.presence === "optional";
    return hasPresence || !empty.includes(JSON.stringify(text)) ? [[name, text] as const] : [];
  });
  return Object.fromEntries(entries);
}

function leaf(schema: Schema, type: FieldType, value: Value): Value {
  if (type.kind === "message") return shown(schema, messageOf(schema, type.name), value as RecordValue);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (type.kind === "scalar" && (type.scalar === "float" || type.scalar === "double")) {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(value as number);
    return Number.isNaN(value) ? "nan" : bytes.toString("hex");
  }
  return typeof value === "number" || typeof value === "bigint" ? String(value) : value;
}

describe("odd bytes", () => {
  it.each(cases)("of %s: %s", async (message, hex, expected) => {
    const schema = SCHEMAS[message]!;
    const bytes = Buffer.from(hex, "hex");
    const dataset = { name: "odd", schema, values: [], int64: "bigint" } as const;
    const binding = await protobufjs.bind(dataset);
    const rules = { unknown: "skip" } as const;
    if (expected === null) {
      expect(() => binding.load!(bytes, "auto", rules)).toThrow();
      return;
    }
    const decoded = decodeUntrusted("protobufjs", binding, dataset, bytes, rules);
    expect(shown(schema, messageOf(schema, schema.root), decoded as RecordValue)).toEqual(expected);
    const { value, int64 } = binding.load!(bytes, "auto", rules);
    const canonical = conform(schema, decoded, { form: "plain", int64 }).value;
    expect(firstDifference(canonical, value)).toBeUndefined();
    expect(JSON.stringify(Object.keys(value as RecordValue))).toBe(
      JSON.stringify(Object.keys(canonical as RecordValue)),
    );
    const asNumbers = conform(schema, decoded, { form: "plain", int64: "auto" });
    expect(int64).toBe(asNumbers.int64);
  });
});
