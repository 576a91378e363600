import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import protobufjs from "../../src/codecs/protobufjs/index.ts";
import { DecodeError } from "../../src/model/errors.ts";
import { firstDifference } from "../../src/model/value.ts";
import { readProto } from "../../src/schema/read/proto.ts";
import { conform } from "../../src/schema/values/conform.ts";
import { decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";

interface Vector {
  readonly name: string;
  readonly message: string;
  /** In protobuf's JSON form. */
  readonly value: unknown;
  readonly hex: string;
}

const folder = path.join(import.meta.dirname, "../vectors/protobuf");
const vectors = JSON.parse(readFileSync(path.join(folder, "vectors.json"), "utf8")) as Vector[];

describe("protobufjs on what protoc has made", () => {
  it.each(vectors)("reads and writes $name", async ({ message, value, hex }) => {
    const [pkg] = message.split(".");
    const schema = readProto(path.join(folder, `${pkg}.proto`), message);
    const expected = conform(schema, value, { form: "json", int64: "bigint" }).value;
    const dataset = { name: "vectors", schema, values: [], int64: "bigint" } as const;
    const binding = await protobufjs.bind(dataset);
    const decoded = decodeUntrusted("protobufjs", binding, dataset, Buffer.from(hex, "hex"));
    expect(firstDifference(expected, decoded)).toBeUndefined();
    expect(Buffer.from(encodeValue(binding, expected) as Uint8Array).toString("hex")).toBe(hex);
  });

  it.each(vectors)("takes a part of $name for a shorter message or refuses it", async ({ message, hex }) => {
    const schema = readProto(path.join(folder, `${message.split(".")[0]}.proto`), message);
    const dataset = { name: "vectors", schema, values: [], int64: "bigint" } as const;
    const binding = await protobufjs.bind(dataset);
    for (let length = 0; length < hex.length; length += 2) {
      const part = Buffer.from(hex.slice(0, length), "hex");
      try {
        const value = decodeUntrusted("protobufjs", binding, dataset, part);
        expect((encodeValue(binding, value) as Uint8Array).length).toBeLessThanOrEqual(part.length);
      } catch (error) {
        expect(error, `${length / 2} bytes`).toBeInstanceOf(DecodeError);
      }
    }
  });
});
