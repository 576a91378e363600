/** The table that a terminal shows while codecs are measured: order, marks, bars and width. */
import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../../src/model/records/run.ts";
import { type Room, rankingLines } from "../../../src/reports/sections/run/ranking.ts";
import { type Choice, runOf } from "../../analysis/answer/choices.ts";

const CHOICES: Readonly<Record<string, Choice>> = {
  json: { bytes: 2600, encode: 10_000, decode: 10_000 },
  v8: { bytes: 2600, encode: 30_000, decode: 10_000 },
  "raw-struct": { bytes: 1780, encode: 1000, decode: 1000 },
};

const ROOM: Room = {
  columns: 79,
  rows: 24,
  paint: (text, verdict) =>
    verdict === "faster" ? text.replace(/ (?=\S)/, "+") : text.replace(/ (?=\S)/, "-"),
};

function shown(record: RunRecord, room: Partial<Room> = {}): string[] {
  return rankingLines(record, { ...ROOM, ...room });
}

describe("the table of a run that goes on", () => {
  it("has the codecs by their times, marks what is told, and draws the times", () => {
    expect(shown(runOf(CHOICES, { noise: 0.0001 }))).toEqual([
      "tellist       bytes   encode × json   #   decode × json   #",
      "raw-struct    1,780   999 ns  +0.10   1   982 ns  +0.10   1 ▉",
      "json          2,600  9.99 µs   1.00   2  9.81 µs   1.00  2~ █████████",
      "v8            2,600  30.0 µs  -3.00   3  9.81 µs   1.00  2~ ██████████████████",
    ]);
  });

  it("says nothing yet of what has not been measured, or compared", () => {
    const record = runOf(CHOICES);
    const cells = record.cells
      .filter(({ codec, operation }) => codec !== "json" || operation === "encode")
      .filter(({ codec }) => codec !== "v8")
      .map(({ standing: _, ...cell }) => cell);
    const lines = shown({ ...record, cells });
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/^raw-struct +1,780 +\d+ ns +\d+ ns +█+/);
    expect(lines[2]).toMatch(/^json +2,600 +[\d.]+ µs$/);
  });

  it("keeps to its room, and is not there where it has none", () => {
    const long = runOf({ ...CHOICES, "a-codec:of-a-very-long-name": { bytes: 1, encode: 5, decode: 5 } });
    const paint: Room["paint"] = (text) => text;
    for (const columns of [79, 70, 60]) {
      for (const line of shown(long, { columns, paint })) expect(line.length).toBeLessThanOrEqual(columns);
    }
    expect(shown(long)[1]).toMatch(/^a-codec:of-a-ve… /);
    expect(shown(long, { columns: 50 })).toEqual([]);
    expect(shown(long, { rows: 4 })).toEqual([]);
    expect(shown(long, { rows: 5 })).toHaveLength(5);
    expect(shown({ ...long, cells: [] })).toEqual([]);
  });

  it("shows both ends of a message before other operations", () => {
    const record = runOf(CHOICES);
    const cells = record.cells.flatMap((cell) => [{ ...cell, operation: `a-${cell.operation}` }, cell]);
    expect(shown({ ...record, cells })[0]).toContain("encode × json   #   decode");
  });
});
