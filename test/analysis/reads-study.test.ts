/** Crossovers of hand-made times that are known. */

import { describe, expect, it } from "vitest";
import { type ReadsOutcome, readsStudies } from "../../src/analysis/reads-study.ts";
import type { Cell, RunRecord } from "../../src/model/records/run.ts";
import { renderPage } from "../../src/reports/page/page.ts";
import { picturesOf } from "../../src/reports/picture.ts";
import {
  outcomeText,
  readsStudySections,
  readsStudyText,
} from "../../src/reports/sections/run/reads-study.ts";
import { measured, nanosOf, recordOf } from "../reports/record.ts";

const SHARES = [0, 0.25, 0.5, 1];

interface Curve {
  readonly inPlace?: boolean;
  /** Nanoseconds by share. */
  readonly time: (share: number) => number;
  readonly decode: number;
  /** Half of the interval, as a share of the time. */
  readonly spread?: number;
}

function cellsOf(codec: string, { inPlace = false, time, decode, spread = 0.01 }: Curve): Cell[] {
  const cell = (operation: string, nanos: number): Cell => ({
    ...measured(codec, operation, 100, nanos),
    nanos: { ...nanosOf(nanos), ci95: [nanos * (1 - spread), nanos * (1 + spread)] },
  });
  return [
    cell("decode", decode),
    ...SHARES.map((share) => ({
      ...cell(`reads:${share === 0 ? 0 : 1 / share}:${share === 0 ? 0 : 5}`, time(share)),
      reads: { records: share, fields: share === 0 ? 0 : 1 },
      ...(inPlace ? { inPlace: true as const } : {}),
    })),
  ];
}

function studyRecord(curves: Readonly<Record<string, Curve>>): RunRecord {
  const record = recordOf(Object.entries(curves).flatMap(([codec, curve]) => cellsOf(codec, curve)));
  return { ...record, options: { ...record.options, study: "reads" } };
}

/** What the only codec that reads in place comes to, by what it is compared with. */
function outcomes(curves: Readonly<Record<string, Curve>>): Record<string, ReadsOutcome> {
  const [study] = readsStudies(studyRecord(curves));
  return Object.fromEntries((study?.crossovers ?? []).map(({ against, outcome }) => [against, outcome]));
}

const json: Curve = { time: () => 1000, decode: 990 };

describe("a study of partial reads", () => {
  it("is none where the record is of something else", () => {
    const record = studyRecord({ json });
    expect(readsStudies({ ...record, options: recordOf([]).options })).toEqual([]);
  });

  it("finds where a straight line crosses what decodes everything, and between which shares", () => {
    const line: Curve = { inPlace: true, time: (share) => 100 + 2400 * share, decode: 1300 };
    const { json: rival, lazy: own } = outcomes({ json, lazy: line });
    expect(rival).toMatchObject({ kind: "crossover", between: [0.25, 0.5] });
    expect(rival?.kind === "crossover" && rival.share).toBeCloseTo(0.375, 6);
    // At a half it takes exactly as long as its own decode.
    expect(own).toMatchObject({ kind: "crossover", between: [0.25, 1] });
    expect(own?.kind === "crossover" && own.share).toBeCloseTo(0.5, 6);
  });

  it("is always faster, or never", () => {
    const quick: Curve = { inPlace: true, time: (share) => 10 + 90 * share, decode: 310 };
    expect(outcomes({ json, lazy: quick })).toEqual({
      lazy: { kind: "always", factor: 3.1, share: 1 },
      json: { kind: "always", factor: 10, share: 1 },
    });
    const slow: Curve = { inPlace: true, time: (share) => 2000 + share, decode: 500 };
    expect(outcomes({ json, lazy: slow })).toEqual({
      lazy: { kind: "never", factor: 4 },
      json: { kind: "never", factor: 2 },
    });
  });

  it("says what cannot be told from noise", () => {
    const noisy: Curve = { inPlace: true, time: (share) => 100 + 880 * share, decode: 5000, spread: 0.05 };
    expect(outcomes({ json, lazy: noisy })["json"]).toEqual({ kind: "undecided", wins: 0.5, loses: null });
    const wild: Curve = { inPlace: true, time: (share) => 900 + 200 * share, decode: 5000, spread: 0.9 };
    expect(outcomes({ json, lazy: wild })["json"]).toMatchObject({
      kind: "crossover",
      between: [null, null],
    });
  });

  it("compares with the fastest of the codecs that decode everything", () => {
    const lazy: Curve = { inPlace: true, time: (share) => 1 + share, decode: 5 };
    const slower: Curve = { time: () => 3000, decode: 2900 };
    const quicker: Curve = { time: () => 500, decode: 490 };
    expect(Object.keys(outcomes({ slower, json, lazy, quicker }))).toEqual(["lazy", "quicker"]);
    expect(Object.keys(outcomes({ lazy }))).toEqual(["lazy"]);
    expect(outcomes({ json, slower })).toEqual({});
  });

  it("has a crossover for each share of the fields, of which the message is the most that is read", () => {
    const record = studyRecord({
      json,
      lazy: { inPlace: true, time: (share) => 10 + share, decode: 900 },
    });
    const few = record.cells
      .filter(({ reads }) => reads !== undefined && reads.records > 0)
      .map((cell) => ({
        ...cell,
        operation: cell.operation.replace(":5", ":1"),
        reads: { records: cell.reads?.records ?? 0, fields: 0.2 },
      }));
    const [study] = readsStudies({ ...record, cells: [...record.cells, ...few] });
    expect(study?.amounts.map(({ share }) => share)).toEqual([0, 0.05, 0.1, 0.2, 0.25, 0.5, 1]);
    expect(study?.crossovers.map(({ fields, against }) => [fields, against])).toEqual([
      [1, "lazy"],
      [1, "json"],
      [0.2, "lazy"],
      [0.2, "json"],
    ]);
    expect(study?.crossovers[3]?.outcome).toMatchObject({ kind: "always", share: 0.2 });
  });
});

describe("a message that is one record", () => {
  it("has its crossover over the fields", () => {
    const lazy: Curve = { inPlace: true, time: (share) => 100 + 2400 * share, decode: 1300 };
    const record = studyRecord({ json, lazy });
    const cells = record.cells.map((cell) =>
      cell.reads === undefined || cell.reads.records === 0
        ? cell
        : { ...cell, reads: { records: 1, fields: cell.reads.records } },
    );
    const [study] = readsStudies({ ...record, cells });
    expect(study?.crossovers.map(({ fields, against }) => [fields, against])).toEqual([
      [1, "lazy"],
      [1, "json"],
    ]);
    expect(study?.crossovers[1]?.outcome).toMatchObject({ kind: "crossover", between: [0.25, 0.5] });
  });
});

describe("its report", () => {
  const record = studyRecord({
    json,
    lazy: { inPlace: true, time: (share) => 100 + 2400 * share, decode: 1300 },
  });

  it("has a row per share, and marks what reads in place", () => {
    const text = readsStudySections(record).join("\n\n").replaceAll("\u00a0", " ");
    expect(text).toMatch(/\| +share \| +records \| fields \| +json \| +lazy \* \|/);
    expect(text).toMatch(/\| +0 % \| the first \| +0 % \| +1\.00 µs \| +100 ns \|/);
    expect(text).toMatch(/\| +25 % \| +1 in 4 \| +100 % \| +1\.00 µs \| +700 ns \|/);
    expect(text).toMatch(/\| decode +\| +\| +\| +990 ns \| +1\.30 µs \|/);
    expect(text).toContain("up to about 38 % of the message (between 25 % and 50 %)");
    expect(readsStudyText(record).join("\n")).toContain("(between 25 % and 50 %)");
  });

  it("has a picture, in the page too: a line per codec, from the first record to all", () => {
    const [picture] = picturesOf(record);
    expect(picture).toMatchObject({ section: "reads", file: "plots/study-1-tellist-parts.svg" });
    expect(picture?.svg).toContain("lazy *: the first 100 ns");
    expect(picture?.svg).toMatch(/json: the first 1\.00 µs.*, all 1\.00 µs; lazy/);
    const page = renderPage(record);
    expect(page).toContain("Parts of tellist");
    expect(page.indexOf("lazy *: the first")).toBeLessThan(page.indexOf("Time by share of the message"));
  });

  it("says where nothing reads in place", () => {
    expect(readsStudySections(studyRecord({ json })).join("\n")).toContain(
      "No codec reads this message in place.",
    );
  });

  it.each<[ReadsOutcome, string]>([
    [{ kind: "always", factor: 3.1, share: 1 }, "always: still 3.10 x faster at 100 %"],
    [{ kind: "never", factor: 2 }, "never: 2.00 x slower already where the least is read"],
    [
      { kind: "crossover", share: 0.3, between: [0.25, null] },
      "up to about 30 % of the message (above 25 %)",
    ],
    [{ kind: "crossover", share: 0.3, between: [null, 0.5] }, "up to about 30 % of the message (below 50 %)"],
    [
      { kind: "crossover", share: 0.013, between: [null, null] },
      "up to about 1.3 % of the message (within the noise)",
    ],
    [{ kind: "undecided", wins: 0.5, loses: null }, "up to 50 %; otherwise it cannot be told"],
    [{ kind: "undecided", wins: null, loses: null }, "cannot be told"],
  ])("puts %j into words", (outcome, words) => {
    expect(outcomeText({ codec: "lazy", fields: 1, against: "json", outcome })).toBe(words);
  });
});
