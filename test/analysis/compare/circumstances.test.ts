/** Which circumstances forbid a comparison, and which make one careful. */
import { describe, expect, it } from "vitest";
import { compareRecords } from "../../../src/analysis/compare/compare.ts";
import { UsageError } from "../../../src/model/errors.ts";
import type { RunRecord } from "../../../src/model/records/run.ts";
import { measured, recordOf } from "../../reports/record.ts";

const record = recordOf([measured("json", "encode", 1, 10)]);
const { environment, options, tool } = record;

const withNode = (version: string, v8 = "11.3"): RunRecord => ({
  ...record,
  runtimes: record.runtimes.map((runtime) => ({ ...runtime, version, engine: { name: "V8", version: v8 } })),
});

/** Of the same numbers. */
const BUN = {
  ...record.runtimes[0]!,
  label: "bun",
  name: "bun",
  engine: { name: "JavaScriptCore", version: "11.3" },
};

describe("other data under the same name", () => {
  const [dataset] = record.datasets;
  const other: RunRecord = { ...record, datasets: [{ ...dataset!, sha256: "f".repeat(64) }] };

  it.each([false, true])("is refused, also with force %s", (force) => {
    expect(() => compareRecords(record, other, { force })).toThrow(UsageError);
    expect(() => compareRecords(record, other, { force })).toThrow(
      'dataset "tellist": the two records have different data under this name: expected SHA-256 0123456789abcdef…, got ffff',
    );
  });

  it("is not found where no process told it", () => {
    const { sha256: _, ...untold } = dataset!;
    expect(compareRecords(record, { ...record, datasets: [untold] }).cells).toHaveLength(1);
  });
});

describe("another machine or engine", () => {
  it.each<[string, RunRecord, string]>([
    [
      "CPU model",
      { ...record, environment: { ...environment, cpu: { ...environment.cpu, model: "Slide rule" } } },
      "CPU model Abacus 9000 and Slide rule",
    ],
    [
      "platform",
      { ...record, environment: { ...environment, os: { ...environment.os, arch: "arm64" } } },
      "platform linux x64 and linux arm64",
    ],
    ["runtime", withNode("22.0.0"), "runtime node 20 and node 22"],
    ["engine", withNode("20.1.2", "12.4.254"), "engine V8 11.3 and V8 12.4"],
    [
      "runtime",
      { ...record, runtimes: [BUN] },
      "runtime node 20 and bun 20; engine V8 11.3 and JavaScriptCore 11.3",
    ],
    ["runtime", { ...record, runtimes: [...record.runtimes, BUN] }, "runtime node 20 and node 20, bun 20"],
  ])("(%s) is refused unless it is forced", (what, other, words) => {
    expect(() => compareRecords(record, other)).toThrow(UsageError);
    expect(() => compareRecords(record, other)).toThrow(words);
    const forced = compareRecords(record, other, { force: true });
    expect(forced.differences[0]).toMatchObject({ what, weight: "forced" });
    expect(forced.warnings[0]).toMatch(/cannot be compared$/);
  });
});

describe("a warning has both values", () => {
  it.each<[string, RunRecord, string]>([
    [
      "cores",
      { ...record, environment: { ...environment, cpu: { ...environment.cpu, cores: 4 } } },
      "cores: 2 in the base, 4 in the head",
    ],
    [
      "governor",
      { ...record, environment: { ...environment, cpu: { ...environment.cpu, governor: "powersave" } } },
      "CPU governor: unknown in the base, powersave in the head",
    ],
    ["a runtime", withNode("20.9.0"), "runtime version: node 20.1.2 in the base, node 20.9.0 in the head"],
    [
      "a browser that was opened by hand",
      { ...record, runtimes: record.runtimes.map((one) => ({ ...one, userAgent: "a telephone" })) },
      "browser opened by hand: none in the base, a telephone in the head",
    ],
    [
      "wirebench",
      { ...record, tool: { ...tool, version: "10.0.0" } },
      "wirebench: 9.8.7 in the base, 10.0.0",
    ],
    [
      "profile",
      { ...record, options: { ...options, profile: "thorough" } },
      "profile: quick in the base, thorough",
    ],
    ["isolate", { ...record, options: { ...options, isolate: "cell" } }, "isolate: codec in the base, cell"],
    ["jit", { ...record, options: { ...options, jit: "shared" } }, "jit: isolated in the base, shared"],
    [
      "threshold",
      { ...record, options: { ...options, threshold: 0.05 } },
      "threshold: 0.01 in the base, 0.05",
    ],
    ["an interruption", { ...record, complete: false }, "B: the run was interrupted"],
  ])("of %s", (_, other, words) => {
    const { warnings } = compareRecords(record, other, { sources: { base: "A", head: "B" } });
    expect(warnings.join("\n")).toContain(words);
  });

  it("of another library behind the same codec", () => {
    const cells = record.cells.map((cell) => ({ ...cell, library: "another" }));
    const { differences, warnings } = compareRecords(record, { ...record, cells });
    expect(differences).toEqual([
      { what: "library of json", base: "lib-json", head: "another", weight: "warning" },
    ]);
    expect(warnings).toContain("library of json: lib-json in the base, another in the head");
  });

  it("of a library's version, which is noted", () => {
    const cells = record.cells.map((cell) => ({ ...cell, version: "1.3.0" }));
    const { differences, warnings } = compareRecords(record, { ...record, cells });
    expect(differences).toEqual([{ what: "lib-json", base: "1.2.3", head: "1.3.0", weight: "note" }]);
    expect(warnings).toContain("lib-json: 1.2.3 in the base, 1.3.0 in the head");
  });
});
