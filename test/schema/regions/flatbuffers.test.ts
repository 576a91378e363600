/** Regions of messages whose schema names an identifier, or aligns its structs. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import flatbuffers from "../../../src/codecs/flatbuffers/index.ts";
import { bytesOf } from "../../../src/model/codec.ts";
import type { Schema } from "../../../src/model/schema.ts";
import { readFbs } from "../../../src/schema/read/fbs.ts";
import { flatbuffersRegions } from "../../../src/schema/regions/flatbuffers.ts";
import { encodeValue } from "../../../src/schema/values/transcode.ts";
import { datasetOf as datasetFor } from "../../codecs/dataset.ts";
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

it("what aligns a struct to 32 bytes is padding", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "wirebench-regions-fbs-"));
  const file = path.join(folder, "a.fbs");
  writeFileSync(
    file,
    "struct S (force_align: 32) { x:ubyte; } table M { s:S; y:ubyte; v:[S]; } root_type M;",
  );
  const schema = readFbs(file);
  rmSync(folder, { recursive: true });
  const value = { s: { x: 1 }, y: 2, v: [{ x: 3 }, { x: 4 }] };
  const dataset = datasetFor(schema, [value]);
  const bytes = bytesOf(encodeValue(await flatbuffers.bind(dataset), dataset.values[0]!), "flatbuffers");
  const anatomy = flatbuffersRegions(bytes, dataset);
  expectWhole(bytes, anatomy, dataset.values[0]!, false);
  expect([...anatomy.regions].filter(({ role }) => role === "unknown")).toEqual([]);
});
