/** The check of a record that is read says of every damage what its published schema says, and where it is. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { compareRecords } from "../../src/analysis/compare/compare.ts";
import { seededRandom, shuffled } from "../../src/model/random.ts";
import type { FactsRecord } from "../../src/model/records/facts.ts";
import { type JsonSchema, SchemaCheck } from "../../src/store/schema-check.ts";
import { doctorRecordOf } from "../reports/doctor-record.ts";
import { fullRecord } from "../reports/full-record.ts";
import { ipcRecordOf, measuredTest, refusedTest } from "../reports/ipc-record.ts";
import { refused } from "../reports/record.ts";
import { cases, SEED } from "../seed.ts";
import { trialOf } from "../suite/doctor/trials.ts";

const PACE = { encodeMs: 2, transportMs: 4, decodeMs: 4 };
const { cells } = fullRecord();
const compressed = {
  ...{ dataset: "tellist", codec: "json", algorithm: "gzip", level: 6, bytes: 400 },
  ...{ compressNanos: 9000, compressCi95: [8000, 10_000], decompressNanos: 3000, decompressCi95: null },
};

const FACTS: FactsRecord = {
  ...{ kind: "facts", schemaVersion: 1, command: "wirebench facts", complete: true },
  ...{ wirebench: "0.1.0", node: "20.20.2" },
  libraries: { pbf: { library: "pbf", version: "5.1.2" } },
  tables: [
    {
      ...{ table: "hostile", dataset: "tellist", codecs: ["pbf"], refused: { json: "no such luck" } },
      rows: [
        {
          ...{ name: "trailing bytes", path: "", given: "00", written: "1", expected: "2" },
          cells: {
            pbf: { outcome: "error", got: "no", at: "a", step: "read", counts: { same: 1 }, price: 0.5 },
          },
        },
      ],
    },
  ],
  libraryTables: [
    {
      ...{ table: "libraries", dataset: "tellist", bundler: "esbuild 1.0.0", refused: {} },
      rows: [
        {
          ...{ codec: "pbf", library: "pbf", version: "5.1.2", noEval: { works: false, why: "eval" } },
          install: { bytes: 1, packages: 1, scripts: ["pbf: postinstall"], licence: "BSD" },
          bundle: { decode: { minified: 2, gzip: 1 }, both: { minified: 2, gzip: 1 } },
        },
      ],
    },
  ],
};

/** Records with most of the fields that there are, by their schemas. */
const RECORDS: Readonly<Record<string, unknown>> = {
  "run-record": {
    ...fullRecord(),
    compression: [compressed],
    cells: [cells[0], refused("amf3", "decode", "failed", "no such luck")],
  },
  "ipc-record": ipcRecordOf([
    measuredTest("latency", "v8", PACE, { messages: 20_000 }),
    refusedTest("latency", "amf3", "failed", "no such luck"),
  ]),
  "doctor-record": doctorRecordOf([trialOf()]),
  comparison: compareRecords(fullRecord(), fullRecord(), { failIfSlower: 0.05 }),
  "facts-record": FACTS,
};

/** What a field may turn into. Undefined is no field. */
const DAMAGE: readonly unknown[] = [
  ...[undefined, null, true, false, 0, -1, 0.5, 2, 1e12, "", "x", "failed", "measured", [], {}],
  ...[["x"], [1], [1, 2], [-1, 2], [1, 2, 3], ["1", 2], { x: 1 }, "2026-11-20", "2026-11-20T12:30:05Z"],
];

/** Every field and the first element of every list, with its path. */
function places(value: unknown, at = ""): { at: string; owner: Record<string, unknown>; key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  const owner = value as Record<string, unknown>;
  const list = Array.isArray(value);
  const keys = list ? Object.keys(owner).slice(0, 2) : Object.keys(owner);
  return keys.flatMap((key) => {
    const here = list ? `${at}[${key}]` : `${at}${at && "."}${key}`;
    return [{ at: here, owner, key }, ...places(owner[key], here)];
  });
}

describe.each(Object.entries(RECORDS))("the check of %s", (name, record) => {
  const file = path.join(import.meta.dirname, `../../schemas/${name}.schema.json`);
  const schema = JSON.parse(readFileSync(file, "utf8")) as JsonSchema & object;
  const check = new SchemaCheck(schema);
  const validate = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(
    schema,
  );

  it("accepts and refuses what the schema does, at its place", () => {
    const copy = JSON.parse(JSON.stringify(record)) as unknown;
    expect(check.problem(copy)).toBeUndefined();
    let refusals = 0;
    const all = places(copy);
    const some = shuffled(all, seededRandom(SEED)).slice(0, cases(all.length));
    for (const { at, owner, key } of some) {
      const before = owner[key];
      for (const damage of DAMAGE) {
        if (damage === undefined && Array.isArray(owner)) continue;
        owner[key] = damage;
        if (damage === undefined) delete owner[key];
        const problem = check.problem(copy);
        // A field that is not known is passed over in a record that is read.
        const known =
          validate(copy) || validate.errors?.every((one) => one.keyword === "additionalProperties");
        expect(problem === undefined, `${at}: ${JSON.stringify(damage)}: ${problem}`).toBe(known);
        if (problem !== undefined) refusals += 1;
        owner[key] = before;
      }
      expect(check.problem(copy)).toBeUndefined();
    }
    expect(refusals).toBeGreaterThan(some.length * 5);
  });

  it("names the place", () => {
    const copy = JSON.parse(JSON.stringify(record)) as unknown;
    for (const { at, owner, key } of places(copy)) {
      const before = owner[key];
      owner[key] = Symbol("no JSON");
      expect(check.problem(copy), at).toMatch(/^[^:]+: expected .+, got a symbol$/);
      expect(check.problem(copy)?.startsWith(`${at}: `), `${at}: ${check.problem(copy)}`).toBe(true);
      owner[key] = before;
    }
  });
});
