/** Regions of messages whose schema names an identifier. */
import { expect, it } from "vitest";
import flatbuffers from "../../../src/codecs/flatbuffers/index.ts";
import { bytesOf } from "../../../src/model/codec.ts";
import type { Schema } from "../../../src/model/schema.ts";
import { flatbuffersRegions } from "../../../src/schema/regions/flatbuffers.ts";
import { encodeValue } from "../../../src/schema/values/transcode.ts";
import { schemaOf } from "../schema-of.ts";
import { expectWhole } from "./tiling.ts";

it.each([
  ["is there", "ABCD", 1],
  ["is not there, as in messages of an older program", undefined, 0],
])("an identifier is a region where it %s", async (_, written, count) => {
  const schema: Schema = { ...schemaOf("", [{}]), language: "flatbuffers" };
  const value = { f1: 5 };
  const datasetOf = (identifier?: string) => ({
    name: "m",
    schema: identifier === undefined ? schema : { ...schema, identifier },
    values: [value],
    int64: "number" as const,
  });
  const bytes = bytesOf(encodeValue(await flatbuffers.bind(datasetOf(written)), value), "flatbuffers");
  const anatomy = flatbuffersRegions(bytes, datasetOf("ABCD"));
  expectWhole(bytes, anatomy, value, false);
  expect([...anatomy.regions].filter(({ type }) => type === "identifier")).toHaveLength(count);
});
