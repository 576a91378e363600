/** Records of runs are read as they were written, and damage is refused with its place. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, describe, expect, it } from "vitest";
import recordSchema from "../../schemas/run-record.schema.json" with { type: "json" };
import { RECORD_VERSION } from "../../src/model/records/run.ts";
import { renderJson } from "../../src/reports/any/json.ts";
import { renderCsv } from "../../src/reports/run/csv.ts";
import { renderMarkdown } from "../../src/reports/run/markdown.ts";
import { renderSummary } from "../../src/reports/run/summary.ts";
import { renderText } from "../../src/reports/run/text.ts";
import { readRecord } from "../../src/store/read-record.ts";
import { fullRecord } from "../reports/full-record.ts";

const RENDERERS = [renderCsv, renderJson, renderMarkdown, renderSummary, renderText];

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-record-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = path.join(folder, "run.json");

function read(record: unknown): ReturnType<typeof readRecord> {
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

  it("is that in a folder, unless the run there did not end", () => {
    const record = fullRecord();
    read(record);
    expect(readRecord(folder)).toEqual(record);
    const [empty, killed] = ["empty", "killed"].map((name) => path.join(folder, name)) as [string, string];
    for (const one of [empty, killed]) mkdirSync(one);
    expect(() => readRecord(empty)).toThrow(`${path.join(empty, "run.json")}: no such file`);
    for (const name of ["run.json", "journal.ndjson"]) writeFileSync(path.join(killed, name), "{}");
    expect(() => readRecord(killed)).toThrow(`"wirebench report ${killed}" makes its record`);
  });

  it.each<[readonly (string | number)[], unknown, string]>([
    [["options", "threshold"], undefined, "options.threshold: expected a number from 0 to 1, got nothing"],
    [["processes", 1, "block"], "two", 'processes[1].block: expected a whole number from 0 on, got "two"'],
    [
      ["processes", 0, "steal"],
      "much",
      'processes[0].steal: expected a number from 0 on or null, got "much"',
    ],
    [["noise"], { twin: "json (A/A)" }, "noise.spread: expected a number from 0 on, got nothing"],
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
    [
      ["cells", 0, "nanos", "scaled"],
      [2, 4],
      "cells[0].nanos.scaled[1]: expected the index of a process, got 4",
    ],
    [["cells", 2, "shared", "batches"], [], "cells[2].shared.batches: expected 3 of them, one per process"],
    [
      ["cells", 1, "standing", "verdict"],
      "better",
      "cells[1].standing.verdict: expected faster, slower, same or undecided",
    ],
    [
      ["cells", 1, "start", "steadyNanos"],
      "soon",
      "cells[1].start.steadyNanos: expected a number from 0 on or null",
    ],
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

  it("of a run that is not over is read too, and so is a field that is not known", () => {
    const { finishedAt: _, ...record } = { ...fullRecord(), complete: false };
    expect(read(record)).toEqual(record);
    expect(read({ ...record, another: 1 })).toEqual({ ...record, another: 1 });
  });

  it.each([1, 3, "2", null])("of version %j is refused", (schemaVersion) => {
    expect(() => read({ ...fullRecord(), schemaVersion })).toThrow(
      `${file}: expected schemaVersion 2, got ${JSON.stringify(schemaVersion)}: written by another version of wirebench`,
    );
  });

  it("that was published is rendered by every report", () => {
    for (const name of ["2026-11-20-address-book", "2026-11-22-address-book", "2026-11-23-address-book"]) {
      const record = readRecord(path.join(import.meta.dirname, "../../results", name, "run.json"));
      expect(record.cells.every(({ standing }) => standing !== undefined)).toBe(true);
      for (const render of RENDERERS) expect(render(record)).not.toMatch(/NaN|undefined/);
    }
  });
});
