/** A user's data crosses to a measuring process as JSON, and is there what it was. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Job } from "../../src/measure/job.ts";
import { PROFILES } from "../../src/measure/profiles.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import type { Field, Schema } from "../../src/model/schema.ts";
import { jobLine, parsedJob } from "../../src/runtimes/launch/job-line.ts";
import { conform } from "../../src/schema/values/conform.ts";
import { documentText } from "../../src/schema/values/json-text.ts";
import { documentedDatasets } from "../arbitrary-documents.ts";
import { datasets } from "../arbitrary-schema.ts";
import { mapOf, of, schemaOf } from "../schema/schema-of.ts";
import { runs, SEED } from "../seed.ts";

function jobOf(dataset: string | Dataset): Job {
  const source = { codec: "json", plugins: ["a\nfile.js"] };
  const member = { source, dataset, operations: ["encode"], describe: true, survey: false };
  return { members: [member], int64: undefined, profile: PROFILES.quick, others: ["garden"] };
}

/** What crosses of it: only a coordinator tells a story. */
function crossed(dataset: string | Dataset): string | Dataset | undefined {
  const line = jobLine(jobOf(dataset));
  expect(line.indexOf("\n")).toBe(line.length - 1);
  const { members, ...job } = parsedJob(line);
  expect(job).toEqual({ profile: PROFILES.quick, others: ["garden"] });
  expect(members).toMatchObject([{ source: { plugins: ["a\nfile.js"] }, describe: true }]);
  return members[0]?.dataset;
}

describe("a job", () => {
  it("has the same schema and values on the other side, whatever they are", () => {
    fc.assert(
      fc.property(datasets(), ({ name, schema, values, int64 }) => {
        // Not by toStrictEqual, to which a field called constructor is a class.
        const own = { name, schema, values, int64 };
        expect(isDeepStrictEqual(crossed(own), own)).toBe(true);
      }),
      { numRuns: runs(300), seed: SEED },
    );
  });

  it.each([0, -0, 1.5, Number.NaN, -Infinity, 2n ** 63n, "text", "", true, false])(
    "has the default %s of a field",
    (value) => {
      const field: Field = {
        name: "x",
        number: 1,
        type: { kind: "scalar", scalar: "double" },
        repetition: { kind: "one", presence: "optional" },
        default: value,
      };
      const schema: Schema = {
        package: "",
        root: "M",
        messages: new Map([["M", { name: "M", fields: [field] }]]),
        enums: new Map(),
        header: "struct M;\n",
      };
      const dataset: Dataset = { name: "own", schema, values: [{}, { x: -0 }], int64: "number" };
      expect(crossed(dataset)).toStrictEqual(dataset);
    },
  );

  it("has the names of an integer, whatever their numbers are", () => {
    const names = [
      { name: "A", number: 1 },
      { name: "Z", number: 2n ** 63n },
    ];
    const type = { kind: "scalar", scalar: "uint64" } as const;
    const schema = schemaOf("", [{ name: "x", type, names }]);
    const dataset: Dataset = { name: "own", schema, values: [{ x: 2n ** 63n }], int64: "bigint" };
    expect(crossed(dataset)).toStrictEqual(dataset);
  });

  it("has the same documents on the other side, and the values that they mean", () => {
    fc.assert(
      fc.property(documentedDatasets(), ({ name, schema, values, documents = [], int64 }) => {
        const own = { name, schema, values, documents, int64 };
        const other = crossed(own) as Dataset;
        expect(isDeepStrictEqual(other, own)).toBe(true);
        // The order of fields, and the sign of zero, which deep equality has not and has.
        expect(other.documents?.map(documentText)).toEqual(documents.map(documentText));
      }),
      { numRuns: runs(300), seed: SEED },
    );
  });

  it("has documents with the keys and zeros that JSON.stringify loses", () => {
    const schema = schemaOf("", [
      { name: "m", type: of("double"), repetition: mapOf("string") },
      { name: "__proto__", type: of("double") },
    ]);
    const documents = [JSON.parse('{"__proto__":-0,"m":{"b":-0,"__proto__":0,"a":1e300,"1":5e-324}}')];
    const values = documents.map((one) => conform(schema, one, { form: "json", int64: "number" }).value);
    const own: Dataset = { name: "own", schema, values, documents, int64: "number" };
    const other = crossed(own) as Dataset;
    expect(isDeepStrictEqual(other, own)).toBe(true);
    expect(documentText(other.documents![0]!)).toBe(
      '{"__proto__":-0,"m":{"1":5e-324,"b":-0,"__proto__":0,"a":1e+300}}',
    );
  });

  it("has the text of documents that was made for the first process of a run", () => {
    let reads = 0;
    const document = {
      get x() {
        reads += 1;
        return 1;
      },
    };
    const schema = schemaOf("", [{ name: "x", type: of("double") }]);
    const own: Dataset = { name: "own", schema, values: [{ x: 1 }], documents: [document], int64: "number" };
    const first = jobLine(jobOf(own));
    const needed = reads;
    expect(jobLine(jobOf(own))).toBe(first);
    expect(reads).toBe(needed);
  });

  it("has the name of a built-in dataset as it is", () => {
    expect(crossed("tellist:3700")).toBe("tellist:3700");
  });
});
