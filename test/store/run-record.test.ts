/** Records of runs are read as they were written, those of older versions too, and damage is told with its place. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, describe, expect, it } from "vitest";
import recordSchema from "../../schemas/run-record.schema.json" with { type: "json" };
import { type Cell, RECORD_VERSION } from "../../src/model/records/run.ts";
import { renderCsv } from "../../src/reports/run/csv.ts";
import { renderJson } from "../../src/reports/run/json.ts";
import { renderMarkdown } from "../../src/reports/run/markdown.ts";
import { renderSummary } from "../../src/reports/run/summary.ts";
import { renderText } from "../../src/reports/run/text.ts";
import { readRecord } from "../../src/store/read-record.ts";
import { fullRecord } from "../reports/full-record.ts";

const RENDERERS = [renderCsv, renderJson, renderMarkdown, renderSummary, renderText];
const FIRST_VERSION = path.join(import.meta.dirname, "../../results/2026-11-20-address-book/run.json");

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-record-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(record: unknown): ReturnType<typeof readRecord> {
  const file = path.join(folder, "run.json");
  writeFileSync(file, JSON.stringify(record));
  return readRecord(file);
}

/** A copy in which a field is changed. */
function changed(steps: readonly (string | number)[], value: unknown): unknown {
  const copy = structuredClone(fullRecord()) as never;
  const last = steps.at(-1)!;
  const inner = steps.slice(0, -1).reduce<Record<string | number, never>>((one, step) => one[step]!, copy);
  inner[last] = value as never;
  return copy;
}

describe("a record", () => {
  it("is read as it was written, with every field that there is, and fits its schema", () => {
    const record = fullRecord();
    expect(read(record)).toEqual(record);
    const validate = new Ajv2020({ allErrors: true }).compile(recordSchema);
    validate(record);
    expect(validate.errors ?? []).toEqual([]);
    expect(recordSchema.properties.schemaVersion.const).toBe(RECORD_VERSION);
  });

  it.each<[readonly (string | number)[], unknown, string]>([
    [["options", "threshold"], undefined, "options.threshold: expected a number, got nothing"],
    [["processes", 1, "block"], "two", 'processes[1].block: expected a number, got "two"'],
    [["processes", 0, "steal"], "much", 'processes[0].steal: expected a number or null, got "much"'],
    [["noise"], { twin: "json (A/A)" }, "noise.spread: expected a number, got nothing"],
    [["compression"], undefined, "compression: expected a list, got nothing"],
    [
      ["cells", 0, "nanos", "warmUp", 1],
      "lukewarm",
      "cells[0].nanos.warmUp[1]: expected steady, warming, slowing or erratic",
    ],
    [
      ["cells", 0, "nanos", "blocks"],
      [0],
      "cells[0].nanos.blocks: expected 3 of them, one per process, got a list of 1",
    ],
    [
      ["cells", 0, "nanos", "outliers"],
      [1, 3],
      "cells[0].nanos.outliers[1]: expected the index of a process, got 3",
    ],
    [["cells", 2, "shared", "batches"], [], "cells[2].shared.batches: expected 3 of them, one per process"],
    [
      ["cells", 1, "standing", "verdict"],
      "better",
      "cells[1].standing.verdict: expected faster, slower, same or undecided",
    ],
    [["cells", 1, "start", "steadyNanos"], "soon", "cells[1].start.steadyNanos: expected a number or null"],
    [
      ["cells", 0, "memory", "heapBytes"],
      -1,
      "cells[0].memory.heapBytes: expected a number from 0 on, got -1",
    ],
    [["cells", 1, "bytes"], -1784, "cells[1].bytes: expected a number from 0 on, got -1784"],
    [["cells", 1], fullRecord().cells[0], "cells[1]: expected one cell of each operation, dataset and codec"],
    [["cells", 0, "memory", "findings"], "leak", 'cells[0].memory.findings: expected a list, got "leak"'],
  ])("with damage at %j is refused with the place", (steps, value, message) => {
    expect(() => read(changed(steps, value))).toThrow(`damaged record: ${message}`);
  });

  it("of a version to come is refused", () => {
    expect(() => read({ ...fullRecord(), schemaVersion: 3 })).toThrow("expected schemaVersion 1 or 2, got 3");
  });
});

describe("a record of the first version", () => {
  it("is read as one of today, with its cells compared", () => {
    const written = JSON.parse(readFileSync(FIRST_VERSION, "utf8")) as { cells: Cell[] };
    const record = readRecord(FIRST_VERSION);
    expect(record.schemaVersion).toBe(RECORD_VERSION);
    expect(record.cells.map(({ nanos }) => nanos?.median)).toEqual(
      written.cells.map(({ nanos }) => nanos?.median),
    );
    expect(record.cells.every(({ standing }) => standing !== undefined)).toBe(true);
    expect(record.noise).toBeUndefined();
    for (const render of RENDERERS) expect(render(record)).not.toMatch(/NaN|undefined/);
  });

  it("is refused with the place of its damage", () => {
    const written = JSON.parse(readFileSync(FIRST_VERSION, "utf8")) as { cells: { nanos: object }[] };
    written.cells[3]!.nanos = { ...written.cells[3]!.nanos, loops: "many" };
    expect(() => read(written)).toThrow('cells[3].nanos.loops: expected a list, got "many"');
  });
});
