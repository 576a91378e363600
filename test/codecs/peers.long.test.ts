/** CBOR, BSON, MessagePack, Avro, Ion and Arrow against Python's libraries: their bytes are read, and they read ours. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Registry } from "../../src/catalog/registry.ts";
import { avroSchema } from "../../src/codecs/avsc/mapping.ts";
import { UnsupportedError } from "../../src/model/errors.ts";
import { firstDifference, type Value } from "../../src/model/value.ts";
import { decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { datasetFor, datasets } from "../arbitrary-schema.ts";
import { itWith, pythonWithPeers } from "../references.ts";
import { list, mapOf, messageType, of, ofMessage, schemaOf, single } from "../schema/schema-of.ts";
import { runs, SEED } from "../seed.ts";
import { datasetOf } from "./dataset.ts";

const FOLDER = path.join(import.meta.dirname, "../vectors/peers");
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  arrow: ["apache-arrow"],
  avro: ["avsc"],
  bson: ["bson"],
  cbor: ["cbor-x", "cborg"],
  ion: ["ion-js"],
  msgpack: ["msgpack", "msgpackr"],
};
const CASES = Object.entries(FORMATS).flatMap(([format, names]) =>
  names.map((name) => [name, format] as const),
);

/** A value with its bytes and objects marked, as JSON has it. */
type Marked =
  | null
  | boolean
  | number
  | string
  | readonly Marked[]
  | { bytes: string }
  | { record: Record<string, Marked> };

interface Vector {
  readonly name: string;
  readonly value: Marked;
  readonly hex: Readonly<Record<string, string>>;
}

const vectors = JSON.parse(readFileSync(path.join(FOLDER, "vectors.json"), "utf8")) as readonly Vector[];
const registry = await Registry.open();
const python = pythonWithPeers();

const always = single("always");
const schema = schemaOf(
  "peers",
  [
    { name: "integers", type: of("int64"), repetition: list },
    { name: "doubles", type: of("double"), repetition: list },
    { name: "texts", type: of("string"), repetition: list },
    { name: "flag", type: of("bool"), repetition: always },
    { name: "blob", type: of("bytes"), repetition: always },
    { name: "map", type: of("string"), repetition: mapOf("string") },
    { name: "absent", type: of("string") },
    { name: "inner", type: ofMessage("peers.N") },
  ],
  { messages: [messageType("peers.N", [{ name: "id", repetition: always }])] },
);

function unmarked(value: Marked): Value {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(unmarked);
  if ("bytes" in value) return Buffer.from(value["bytes"] as string, "hex");
  const { record } = value as { record: Record<string, Marked> };
  return Object.fromEntries(Object.entries(record).map(([key, item]) => [key, unmarked(item)]));
}

/** Random datasets that are exchanged where all are asked for. */
const ALL = 150;

describe.each(CASES)("%s", (name, format) => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))(
    "reads %s of Python",
    async (_, vector) => {
      const value = unmarked(vector.value);
      for (const int64 of ["number", "bigint"] as const) {
        const dataset = datasetFor(name, datasetOf(schema, [value], int64));
        const binding = await (await registry.codec(name)).bind(dataset);
        const bytes = Buffer.from(vector.hex[format]!, "hex");
        const decoded = decodeUntrusted(name, binding, dataset, bytes);
        expect(firstDifference(dataset.values[0], decoded)).toBeUndefined();
      }
    },
  );

  itWith(python)("is read by Python, and reads what that writes", async () => {
    const jobs: { line: string; check(hex: string): void }[] = [];
    await fc.assert(
      fc.asyncProperty(datasets(), async (given) => {
        const dataset = datasetFor(name, given);
        try {
          const binding = await (await registry.codec(name)).bind(dataset);
          for (const value of dataset.values) {
            const hex = Buffer.from(encodeValue(binding, value) as Uint8Array).toString("hex");
            const avro = format === "avro" ? { schema: avroSchema(dataset.schema) } : {};
            jobs.push({
              line: JSON.stringify({ format, hex, ...avro }),
              check: (again) => {
                const decoded = decodeUntrusted(name, binding, dataset, Buffer.from(again, "hex"));
                expect(firstDifference(value, decoded)).toBeUndefined();
              },
            });
          }
        } catch (error) {
          if (!(error instanceof UnsupportedError)) throw error;
        }
      }),
      { numRuns: runs(ALL), seed: SEED },
    );
    const input = jobs.map(({ line }) => `${line}\n`).join("");
    const output = execFileSync(python.program!, [path.join(FOLDER, "make.py"), "--read"], {
      input,
      encoding: "utf8",
    });
    // Of a share of the schemas a codec may carry few.
    expect(jobs.length).toBeGreaterThan(runs(ALL) < ALL ? 0 : 20);
    const lines = output.trimEnd().split("\n");
    expect(lines.length).toBe(jobs.length);
    for (const [index, { check }] of jobs.entries()) check(lines[index]!);
  });
});
