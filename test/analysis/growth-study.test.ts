/** Exponents of hand-made times whose growth is known. */

import { describe, expect, it } from "vitest";
import { growthStudies } from "../../src/analysis/growth-study.ts";
import type { Cell, RunRecord } from "../../src/model/records/run.ts";
import { renderPage } from "../../src/reports/page/page.ts";
import { picturesOf } from "../../src/reports/picture.ts";
import { growthLines, sizeStudySections, sizeStudyText } from "../../src/reports/sections/run/size-study.ts";
import { measured, nanosOf, recordOf, refused } from "../reports/record.ts";

const SIZES = [1, 37, 1000, 30_000];

/** A cell whose interval is 1 % to both sides. */
function cellAt(codec: string, size: number, nanos: number): Cell {
  return {
    ...measured(codec, "decode", 20 * size, nanos),
    dataset: `tellist:${size}`,
    nanos: { ...nanosOf(nanos), ci95: [nanos * 0.99, nanos * 1.01] },
    start: { importNanos: 1, bindNanos: 1, firstCallNanos: 5 * nanos, steadyNanos: null },
    memory: {
      heapBytes: 100 * size,
      externalBytes: 0,
      gcNanos: 0,
      longestPauseNanos: 0,
      retainedBytes: 0,
      leakedBytes: 0,
      findings: [],
    },
  };
}

function studyOf(cells: readonly Cell[], sizes: readonly number[] = SIZES): RunRecord {
  const record = recordOf(cells);
  const [process] = cells.map(({ codec, dataset, operation }) => ({
    ...{ block: 0, codec, dataset, operations: [operation], wallSeconds: 1, cpuSeconds: 1 },
    ...{ involuntarySwitches: 0, pressure: null, steal: null, throttled: null, disturbedBy: [] },
    peakBytes: 64 * 2 ** 20,
  }));
  return {
    ...record,
    options: { ...record.options, study: "size" },
    // A record lists datasets as they were asked for.
    datasets: [...sizes].reverse().map((count) => ({
      name: `tellist:${count}`,
      story: "People.",
      message: "m",
      size: { unit: "records", count },
    })),
    processes: process === undefined ? [] : [process],
  };
}

function cells(codec: string, time: (size: number) => number): Cell[] {
  return SIZES.map((size) => cellAt(codec, size, time(size)));
}

describe("a study of sizes", () => {
  it("has a picture of each operation, of the time of one record", () => {
    const record = studyOf([...cells("json", (n) => 100 * n), ...cells("slow", (n) => n * n)]);
    const [picture] = picturesOf(record);
    expect(picture).toMatchObject({ section: "growth", file: "plots/study-1-tellist-decode-by-size.svg" });
    expect(picture?.svg).toContain("json: 1: 100 ns, 37: 100 ns, 1,000: 100 ns, 30,000: 100 ns");
    expect(picture?.svg).toContain("slow: 1: 1.00 ns, 37: 37.0 ns, 1,000: 1.00 µs, 30,000: 30.0 µs");
    expect(renderPage(record)).toContain("decode of slow grows as n^2.00");
  });

  it("has none where nothing was measured at two sizes", () => {
    expect(
      picturesOf(studyOf([cellAt("json", 1, 100)])).filter(({ section }) => section === "growth"),
    ).toEqual([]);
  });

  it("is none where the record is of something else", () => {
    const record = studyOf(cells("json", (n) => 100 * n));
    expect(growthStudies({ ...record, options: recordOf([]).options })).toEqual([]);
  });

  it.each<[string, (n: number) => number, number, number]>([
    ["linear", (n) => 100 * n, 1, 0],
    ["n^1.3", (n) => 100 * n ** 1.3, 1.3, 1],
    ["n^2", (n) => 100 * n ** 2, 2, 1],
    ["n^0.5", (n) => 100 * n ** 0.5, 0.5, 0],
  ])("recovers %s", (_, time, exponent, worse) => {
    const [study] = growthStudies(studyOf(cells("json", time)));
    const [row] = study?.rows ?? [];
    expect(study).toMatchObject({ dataset: "tellist", unit: "records", sizes: SIZES });
    expect(row?.growth?.exponent).toBeCloseTo(exponent, 6);
    expect(row?.worse).toHaveLength(worse);
    if (worse > 0) expect(row?.worse[0]).toMatchObject({ from: 1, to: 30_000 });
  });

  it("sees what is quadratic at large sizes behind what is constant at small ones", () => {
    const [study] = growthStudies(studyOf(cells("capnp-ts", (n) => 1e6 + n ** 2)));
    const [row] = study?.rows ?? [];
    expect(row?.growth?.exponent).toBeLessThan(1);
    expect(row?.worse).toMatchObject([{ from: 1000, to: 30_000 }]);
    expect(study && growthLines(study)).toEqual([
      expect.stringMatching(
        /^decode of capnp-ts grows as n\^1\.\d\d between 1,000 and 30,000 records \(95 % interval 1\.\d\d to \d\.\d\d\)$/,
      ),
    ]);
  });

  it("does not call worse than linear what the intervals do not prove", () => {
    const wide = cells("json", (n) => 100 * n ** 1.1).map((cell) => ({
      ...cell,
      nanos: { ...nanosOf(cell.nanos?.median ?? 0), ci95: [1, 1e12] as const },
    }));
    const uncertain = wide.map((cell, i) => (i === 1 ? { ...cell, nanos: nanosOf(1e6) } : cell));
    const [study] = growthStudies(studyOf(uncertain));
    expect(study?.rows[0]?.worse).toEqual([]);
    expect(study && growthLines(study)).toEqual(["Nothing grows faster than linear beyond doubt"]);
  });

  it("says why there is no exponent", () => {
    const holes = cells("json", (n) => 100 * n).map((cell, i) =>
      i < 2 ? cell : { ...refused("json", "decode", "failed", "hung"), dataset: cell.dataset },
    );
    const [study] = growthStudies(studyOf(holes));
    expect(study && growthLines(study)).toEqual(["decode of json: no exponent: measured at 2 of 4 sizes"]);
    const two = [1, 37].map((size) => cellAt("json", size, 100 * size));
    const [short] = growthStudies(studyOf(two, [1, 37]));
    expect(short && growthLines(short)).toEqual(["No exponents: they take 3 sizes or more, got 1 and 37"]);
    const [none] = growthStudies(studyOf(cells("json", () => 0)));
    expect(none && growthLines(none)).toEqual([
      "decode of json: no exponent: it took no time that can be measured",
    ]);
  });

  it("leaves out the baseline's second measurement and datasets of one size", () => {
    const record = studyOf(cells("json", (n) => 100 * n));
    const twin = record.cells.map((cell) => ({ ...cell, codec: "json (A/A)", twinOf: "json" }));
    const garden = { name: "garden", story: "", message: "m" };
    const studies = growthStudies({
      ...record,
      cells: [...record.cells, ...twin],
      datasets: [...record.datasets, garden],
    });
    expect(studies.map(({ dataset, rows }) => [dataset, rows.map(({ codec }) => codec)])).toEqual([
      ["tellist", ["json"]],
    ]);
  });
});

describe("its report", () => {
  const record = studyOf([...cells("json", (n) => 100 * n), ...cells("capnp-ts", (n) => 100 * n ** 1.3)]);

  it("has time, heap, first calls, bytes, peaks and what is worse than linear", () => {
    const text = sizeStudySections(record).join("\n\n").replaceAll("\u00a0", " ");
    expect(text).toMatch(/\| codec +\| +1 \| +37 \| +1,000 \| +30,000 \| exponent \|/);
    expect(text).toMatch(/\| json +\| +100 ns \| +100 ns \| +100 ns \| +100 ns \| +1\.00 \|/);
    expect(text).toContain("Heap bytes per record:");
    expect(text).toMatch(/\| json +\| +500 ns \| +18\.5 µs \| +500 µs \| +15\.0 ms \|/);
    expect(text).toMatch(/### Bytes per record\n\n.*\n.*\n\| json +\| +20 \| +20 \| +20 \| +20 \|/);
    expect(text).toMatch(/### Most memory of a process, MiB\n\n.*\n.*\n\| json +\| +64 \| +– \|/);
    expect(text).toContain("- decode of capnp-ts grows as n^1.30 between 1 and 30,000 records");
  });

  it("has the times in short", () => {
    expect(sizeStudyText(record).join("\n")).toContain("decode of capnp-ts grows as n^1.30");
    expect(sizeStudyText(recordOf([]))).toEqual([]);
  });
});
