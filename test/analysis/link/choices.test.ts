import { describe, expect, it } from "vitest";
import { choicesOf, gateOf, totalNanos } from "../../../src/analysis/link/choices.ts";
import type { Cell, RunRecord } from "../../../src/model/records/run.ts";
import { refused } from "../../reports/record.ts";
import { wireRecord } from "./record.ts";

const GZIP = { algorithm: "gzip", bytes: 400, compress: 2000, inflate: 500, spread: 0.1 } as const;
const record = wireRecord([
  { codec: "json", bytes: 1000, encode: 300, decode: 700, spread: 0.1, compressed: [GZIP] },
  { codec: "v8", bytes: 900, encode: 100, decode: 200 },
]);

function named({ codec, compression }: { codec: string; compression: { algorithm: string } | null }): string {
  return compression === null ? codec : `${codec}+${compression.algorithm}`;
}

function withCells(change: (cell: Cell) => Cell[]): RunRecord {
  return { ...record, cells: record.cells.flatMap(change) };
}

const isDecodeOfJson = ({ codec, operation }: Cell): boolean => codec === "json" && operation === "decode";

describe("the choices to send a message", () => {
  it("are each codec as it is and with each compression, with the time of both ends", () => {
    const choices = choicesOf(record, "tellist");
    expect(
      choices.map((choice) => [named(choice), choice.bytes, choice.nanos, choice.compressionNanos]),
    ).toEqual([
      ["json", 1000, 1000, 0],
      ["json+gzip", 400, 3500, 2500],
      ["v8", 900, 300, 0],
    ]);
    expect(choices.map(({ codecCi95 }) => codecCi95)).toEqual([
      [900, 1100],
      [900, 1100],
      [300, 300],
    ]);
    expect(choices.map(({ compressionCi95 }) => compressionCi95)).toEqual([
      [0, 0],
      [2250, 2750],
      [0, 0],
    ]);
  });

  it("take 8 bits per byte on top on a link", () => {
    const [json] = choicesOf(record, "tellist");
    // 8,000 bits at 1 Gbit/s are 8 µs.
    expect(json && totalNanos(json, 1e9)).toBe(9000);
  });

  it("are scaled to the mean size where the values' sizes differ", () => {
    const choices = choicesOf(
      withCells((cell) => [{ ...cell, bytes: 2 * (cell.bytes ?? 0) }]),
      "tellist",
    );
    expect(choices.map(({ bytes, nanos }) => [bytes, nanos])).toEqual([
      [2000, 1000],
      [800, 6000],
      [1800, 300],
    ]);
  });

  it("are taken for right within a factor of 2 where compressing was timed once", () => {
    const once = { ...GZIP, spread: null };
    const choices = choicesOf(
      wireRecord([{ codec: "json", bytes: 1, encode: 1, decode: 1, compressed: [once] }]),
      "tellist",
    );
    expect(choices[1]?.compressionCi95).toEqual([1250, 5000]);
  });

  it.each<[string, RunRecord, readonly string[]]>([
    ["without decode", withCells((cell) => (isDecodeOfJson(cell) ? [] : [cell])), ["v8"]],
    [
      "with a failed decode",
      withCells((cell) => [isDecodeOfJson(cell) ? refused("json", "decode", "failed", "why") : cell]),
      ["v8"],
    ],
    [
      "without a payload",
      { ...record, payloads: record.payloads.filter(({ codec }) => codec === "json") },
      ["json", "json+gzip"],
    ],
    ["without compression", { ...record, compression: [] }, ["json", "v8"]],
    [
      "that is the baseline's second measurement",
      withCells((cell) => [cell.codec === "v8" ? { ...cell, twinOf: "json" } : cell]),
      ["json", "json+gzip"],
    ],
    [
      "that reads a part only",
      withCells((cell) => [isDecodeOfJson(cell) ? { ...cell, reads: { records: 1, fields: 0 } } : cell]),
      ["v8"],
    ],
    ["with nothing at all", { ...record, payloads: [], cells: [], compression: [] }, []],
  ])("leave out a codec %s", (_, given, expected) => {
    expect(choicesOf(given, "tellist").map(named)).toEqual(expected);
  });

  it("are of the dataset asked for", () => {
    expect(choicesOf(record, "packet")).toEqual([]);
  });

  it("survive messages of no bytes and calls of no time", () => {
    const empty = wireRecord([
      { codec: "json", bytes: 0, encode: 0, decode: 0, spread: null, compressed: [GZIP] },
    ]);
    expect(choicesOf(empty, "tellist").map(({ bytes, nanos }) => [bytes, nanos])).toEqual([
      [0, 0],
      [400, 2500],
    ]);
  });
});

describe("the gate", () => {
  it("is the run's noise, or its threshold where no noise was measured", () => {
    expect(gateOf(wireRecord([], { threshold: 0.02 }))).toBe(0.02);
    expect(gateOf({ ...record, noise: { twin: "json'", spread: 0.05, gate: 0.05 } })).toBe(0.05);
  });
});
