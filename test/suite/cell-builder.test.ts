/** What becomes of the samples of several processes, and of the refusals among them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import recordSchema from "../../schemas/run-record.schema.json" with { type: "json" };
import type { Measured, MemberResult } from "../../src/measure/job.ts";
import type { Samples } from "../../src/measure/sampler.ts";
import type { Refusal } from "../../src/model/errors.ts";
import type { Cell, Nanos } from "../../src/model/records/run.ts";
import { renderJson } from "../../src/reports/any/json.ts";
import { renderCsv } from "../../src/reports/run/csv.ts";
import { readRecord } from "../../src/store/read-record.ts";
import { CellBuilder } from "../../src/suite/cell-builder.ts";
import { recordOf } from "../reports/record.ts";
import { runs, SEED } from "../seed.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-cells-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const IDENTITY = {
  operation: "encode",
  dataset: "tellist",
  codec: "json",
  format: "json",
  library: "node",
  version: "20.1.2",
};
const FAILED: Refusal = { status: "failed", reason: "no such luck" };
const HOLE: Refusal = { status: "unsupported", reason: "too deep" };

/** One process's measurement of an operation. */
function measurement(batches: readonly number[], loop = 0): Measured {
  const start = { importNanos: 4e6, bindNanos: 3e6, firstCallNanos: 2e5, steadyNanos: 1e7 };
  return { samples: { batches, batchCalls: 8, loop }, warmUp: "steady", start };
}

/** What a process answers that measured `encode`. */
function measured(batches: readonly number[], loop = 0): MemberResult {
  return { bytes: 100, operations: [{ operation: "encode", ...measurement(batches, loop) }] };
}

function cellOf(...results: readonly MemberResult[]): Cell | undefined {
  const builder = new CellBuilder(IDENTITY);
  for (const [block, result] of results.entries()) builder.add(result, block);
  return builder.cell();
}

function nanosOf(...results: readonly MemberResult[]): Nanos {
  const nanos = cellOf(...results)?.nanos;
  if (nanos === undefined) throw new Error("the cell has no times");
  return nanos;
}

/** What a process answers that was timed on a core. */
function onCore(
  nanos: number,
  beside: Partial<Pick<Samples, "wall" | "allThreads" | "preempted" | "slowed" | "scaled">>,
): MemberResult {
  const one = measurement([nanos, nanos, nanos]);
  const samples = { ...one.samples, ...beside };
  return { bytes: 100, operations: [{ operation: "encode", ...one, samples }] };
}

describe("a cell that was timed on a core", () => {
  it("has the time by the clock and that of all threads beside, per process", () => {
    const nanos = nanosOf(
      onCore(10, { wall: 11, allThreads: 15, preempted: 0.125 }),
      onCore(12, { wall: 30, allThreads: 12, preempted: 0 }),
    );
    expect(nanos).toMatchObject({
      median: 11,
      processes: [10, 12],
      wall: [11, 30],
      allThreads: [15, 12],
      preempted: [0.125, 0],
    });
  });

  it("has none for a process that had no other clock, and nothing of it where none had", () => {
    const nanos = nanosOf(measured([10, 10]), onCore(12, { wall: 30, allThreads: 12 }));
    expect(nanos).toMatchObject({ wall: [null, 30], allThreads: [null, 12] });
    expect(nanos).not.toHaveProperty("preempted");
    expect(nanosOf(measured([10, 10]))).not.toHaveProperty("wall");
  });

  it("says of each process how often its core was slow, and which are scaled", () => {
    const nanos = nanosOf(onCore(10, { slowed: 0.1 }), onCore(12, { slowed: 1, scaled: true }));
    expect(nanos).toMatchObject({ slowed: [0.1, 1], scaled: [1] });
    expect(nanosOf(onCore(10, { slowed: 0 }))).not.toHaveProperty("scaled");
  });
});

describe("a cell's levels", () => {
  it("are those of its processes, which are absent where one explains them", () => {
    const two = [23, 52, 23.5, 23.2, 53, 52.5, 23.1, 23.3];
    expect(nanosOf(...two.map((nanos) => measured([nanos, nanos]))).levels).toEqual([
      { nanos: 23.2, share: 0.625 },
      { nanos: 52.5, share: 0.375 },
    ]);
    const one = [23, 23.5, 24, 22.8, 23.6, 23.3, 22.9, 23.2];
    expect(nanosOf(...one.map((nanos) => measured([nanos, nanos])))).not.toHaveProperty("levels");
  });

  it("are those between which processes flip, as shares of the time, without the loop", () => {
    const flips = (offset: number): number[] =>
      Array.from({ length: 200 }, (_, i) => 2 + (i % 100 < 50 ? 20 : 40) * (1 + 0.01 * ((i + offset) % 3)));
    const nanos = nanosOf(...[0, 1, 2, 0, 1, 2, 0, 1].map((offset) => measured(flips(offset), 2)));
    expect(nanos.levels?.map(({ share }) => share)).toEqual([0.5, 0.5]);
    expect(nanos.levels?.map((level) => Math.round(level.nanos))).toEqual([20, 40]);
  });
});

describe("a cell that was measured", () => {
  it("is the median of its processes' medians, however many batches each has", () => {
    const { median, processes, mad } = nanosOf(
      measured([10, 10, 10, 10, 10, 10, 10]),
      measured([30]),
      measured([23, 21, 22]),
    );
    expect(processes).toEqual([10, 30, 22]);
    expect(median).toBe(22);
    expect(mad).toBe(8);
  });

  it("counts what happens throughout a process with its share", () => {
    const collected = Array.from({ length: 100 }, (_, i) => (i % 10 === 0 ? 110 : 10));
    expect(nanosOf(measured(collected)).processes).toEqual([20]);
  });

  it("has the loop taken off in each process, and every batch kept as it was", () => {
    const nanos = nanosOf(measured([12, 12, 12], 2), measured([15, 15], 3));
    expect(nanos).toMatchObject({ processes: [10, 12], median: 11, min: 10, loops: [2, 3] });
    expect(nanos.batches).toEqual([
      [12, 12, 12],
      [15, 15],
    ]);
    expect(nanos.batchCalls).toEqual([8, 8]);
  });

  it("never costs less than nothing", () => {
    expect(nanosOf(measured([1, 2, 12], 5))).toMatchObject({ processes: [0], median: 0, min: 0 });
    // The stretches are pairs; a batch that is short of the loop takes nothing from the other of its pair.
    expect(nanosOf(measured([1, 12, 1, 12, 1, 12, 1, 12, 1, 12], 2)).processes).toEqual([5]);
  });

  it("has its least time and its 99th percentile from all batches of all processes", () => {
    const numbers = Array.from({ length: 101 }, (_, i) => i + 5);
    const nanos = nanosOf(
      measured(numbers.slice(60)),
      measured(numbers.slice(0, 20)),
      measured(numbers.slice(20, 60)),
    );
    expect(nanos).toMatchObject({ min: 5, p99: 104 });
  });

  it("has no interval from one process, and one around the median from two", () => {
    expect(nanosOf(measured([10])).ci95).toBeNull();
    const { ci95 } = nanosOf(measured([10]), measured([11]));
    expect(ci95?.[0]).toBeLessThan(10.5);
    expect(ci95?.[1]).toBeGreaterThan(10.5);
  });

  it("names the processes whose times are beyond Tukey's fences, which count like the others", () => {
    const { outliers, processes } = nanosOf(...[10, 11, 10, 50, 11, 10].map((time) => measured([time])));
    expect(outliers).toEqual([3]);
    expect(processes).toHaveLength(6);
  });

  it("has the times of processes of all codecs beside its own, or why there are none", () => {
    const builder = new CellBuilder(IDENTITY);
    builder.add(measured([10]), 0);
    builder.addShared({ refused: FAILED, bytes: 0, operations: [] }, 0);
    expect(builder.cell()).toMatchObject({ status: "measured", sharedReason: FAILED.reason });
    expect(builder.cell()?.shared).toBeUndefined();
    builder.addShared(measured([30]), 1);
    expect(builder.cell()).toMatchObject({
      nanos: { processes: [10] },
      shared: { processes: [30], blocks: [1] },
      sharedReason: FAILED.reason,
    });
  });

  it("follows each process that is added", () => {
    const builder = new CellBuilder(IDENTITY);
    builder.add(measured([10]), 0);
    expect(builder.cell()?.nanos?.median).toBe(10);
    builder.add(measured([20]), 1);
    builder.add(measured([30]), 2);
    expect(builder.cell()).toMatchObject({
      ...IDENTITY,
      status: "measured",
      bytes: 100,
      nanos: { median: 20 },
    });
  });

  it("has the same figures in whatever order its processes ran, and none that is not a number", () => {
    const batches = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 30 });
    const batchesAndLoop = fc.tuple(batches, fc.integer({ min: 0, max: 300 }));
    fc.assert(
      fc.property(fc.array(batchesAndLoop, { minLength: 1, maxLength: 10 }), (given) => {
        const results = given.map(([times, loop]) => measured(times, loop));
        const nanos = nanosOf(...results);
        const { median, mad, p99, min } = nanosOf(...results.toReversed());
        expect({ median, mad, p99, min }).toEqual({
          median: nanos.median,
          mad: nanos.mad,
          p99: nanos.p99,
          min: nanos.min,
        });
        for (const number of [median, mad, p99, min, ...nanos.processes, ...(nanos.ci95 ?? [])]) {
          expect(number).toBeGreaterThanOrEqual(0);
          expect(number).toBeLessThan(Number.POSITIVE_INFINITY);
        }
        expect(min).toBeLessThanOrEqual(median);
        expect(min).toBeLessThanOrEqual(p99);
      }),
      { numRuns: runs(300), seed: SEED },
    );
  });
});

describe("a cell that was refused", () => {
  it("stays refused although other processes measured it", () => {
    const refusal: MemberResult = { bytes: 100, operations: [{ operation: "encode", refused: FAILED }] };
    const expected = { ...IDENTITY, ...FAILED };
    expect(cellOf(measured([10]), refusal, measured([10]))).toEqual(expected);
    expect(cellOf(refusal, measured([10]), measured([10]))).toEqual(expected);
  });

  it("has the reason of the process, whatever its operations say", () => {
    expect(cellOf({ ...measured([10]), refused: HOLE })).toEqual({ ...IDENTITY, ...HOLE });
    const both: MemberResult = {
      refused: HOLE,
      bytes: 0,
      operations: [{ operation: "encode", refused: FAILED }],
    };
    expect(cellOf(both)).toEqual({ ...IDENTITY, ...HOLE });
  });

  it("keeps the first reason", () => {
    const builder = new CellBuilder(IDENTITY);
    builder.refuse(HOLE);
    builder.refuse(FAILED);
    builder.add({ bytes: 0, operations: [], refused: FAILED }, 0);
    expect(builder.cell()).toEqual({ ...IDENTITY, ...HOLE });
  });

  it("says so, for it is not measured again", () => {
    const builder = new CellBuilder(IDENTITY);
    builder.add(measured([10]), 0);
    expect(builder.isRefused).toBe(false);
    builder.refuse(HOLE);
    expect(builder.isRefused).toBe(true);
  });
});

describe("a cell of which nothing is known", () => {
  it("is not there", () => {
    expect(cellOf()).toBeUndefined();
  });

  it("is not there when a process told of other operations only", () => {
    const other: MemberResult = {
      bytes: 100,
      operations: [
        { operation: "decode", ...measurement([10]) },
        { operation: "access", refused: FAILED },
      ],
    };
    expect(cellOf(other)).toBeUndefined();
  });
});

describe("a cell that costs nothing", () => {
  const free = cellOf(measured([1.5, 1.9], 2), measured([2, 2], 2), measured([0.1, 2.1], 2.2));

  it("has times of zero and no interval", () => {
    expect(free?.nanos).toMatchObject({
      median: 0,
      ci95: null,
      mad: 0,
      p99: 0,
      min: 0,
      processes: [0, 0, 0],
    });
  });

  it("is in a record that is read again as it was written, and fits the schema of records", () => {
    const record = recordOf([free!]);
    const file = path.join(folder, "run.json");
    writeFileSync(file, renderJson(record));
    expect(readRecord(file)).toEqual(record);
    const validate = new Ajv2020().compile(recordSchema);
    validate(JSON.parse(renderJson(record)));
    expect(validate.errors ?? []).toEqual([]);
  });

  it("is zero in the CSV", () => {
    const [headings = [], cell = []] = renderCsv(recordOf([free!]))
      .split("\r\n")
      .map((line) => line.split(","));
    expect(cell[headings.indexOf("median_ns")]).toBe("0");
    expect(cell[headings.indexOf("ci95_low_ns")]).toBe("");
  });
});
