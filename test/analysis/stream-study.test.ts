/** Messages a second of hand-made times. */
import { describe, expect, it } from "vitest";
import { streamStudies } from "../../src/analysis/stream-study.ts";
import type { Cell, RunRecord } from "../../src/model/records/run.ts";
import { renderMarkdown } from "../../src/reports/run/markdown.ts";
import { renderText } from "../../src/reports/run/text.ts";
import { streamStudy } from "../../src/reports/sections/run/stream-study.ts";
import { measured, nanosOf, recordOf } from "../reports/record.ts";

function cellOf(operation: string, nanos: number): Cell {
  const cell = { ...measured("json", operation, 100, nanos), dataset: "tellist" };
  return { ...cell, nanos: { ...nanosOf(nanos), ci95: [nanos * 0.8, nanos * 1.25] } };
}

function studyOf(cells: readonly Cell[]): RunRecord {
  const record = recordOf(cells);
  const operations = cells.map(({ operation }) => operation);
  return {
    ...record,
    options: { ...record.options, study: "stream", codecs: ["json"], operations },
    datasets: [{ name: "tellist", story: "People.", message: "m" }],
  };
}

describe("a study of streams", () => {
  const record = studyOf([
    cellOf("decode", 900),
    cellOf("stream:first:1000", 1500),
    cellOf("stream:1000", 1_000_000),
  ]);

  it("is none where the record is of something else", () => {
    expect(streamStudies({ ...record, options: recordOf([]).options })).toEqual([]);
  });

  it("has messages a second, and what each takes", () => {
    const [study] = streamStudies(record);
    expect(study?.count).toBe(1000);
    expect(study?.rows).toMatchObject([
      {
        codec: "json",
        perSecond: 1e6,
        ci95: [8e5, 1.25e6],
        firstNanos: 1500,
        nanos: 1000,
        decodeNanos: 900,
        bytes: 100,
      },
    ]);
    expect(streamStudy.tables(record)[0]?.table.rows[0]?.slice(0, 7)).toEqual([
      "json",
      "1,000,000",
      "800,000 to 1,250,000",
      "100",
      "1.50 µs",
      "1.00 µs",
      "900 ns",
    ]);
  });

  it("leaves out a codec that was not measured", () => {
    expect(streamStudies(studyOf([cellOf("decode", 900)]))).toEqual([]);
  });

  it("is in the reports", () => {
    expect(renderText(record)).toContain("tellist: a stream of 1,000 messages in chunks of 64 KiB");
    expect(renderMarkdown(record)).toContain("## Streams");
  });
});
