/** The same cells in runs one after the other: what is one line, and where it is broken. */
import { describe, expect, it } from "vitest";
import { type History, historyOf, latestChange, runTimesOf } from "../../src/analysis/history.ts";
import type { Cell, RunRecord } from "../../src/model/records/run.ts";
import { renderHistoryHtml, renderHistoryMarkdown } from "../../src/reports/history.ts";
import { measured, recordOf, refused } from "../reports/record.ts";
import { parseXml } from "../reports/xml.ts";

/** A run of that day, with its cells and what else is another. */
function runOn(day: number, cells: readonly Cell[], other: Partial<RunRecord> = {}): RunRecord {
  return { ...recordOf(cells), startedAt: `2026-11-${String(day).padStart(2, "0")}T00:00:00Z`, ...other };
}

function history(...records: readonly RunRecord[]): History {
  return historyOf(records.map((record) => runTimesOf(record, `day ${record.startedAt.slice(8, 10)}`)));
}

const json = (median: number): Cell => measured("json", "encode", 2617, median);
const { environment, runtimes, datasets, options } = recordOf([]);

/** What breaks the line of `json` from one run to the next. */
function breaksOf(after: RunRecord, before = runOn(1, [json(100)])): string[] {
  const [line] = history(before, after).lines;
  return (line?.points[1]?.breaks ?? []).map((one) => `${one.what}: ${one.before} → ${one.after}`);
}

describe("the history of cells", () => {
  it("has a point for each run that has a time, the earliest first, however they are given", () => {
    const { runs, lines } = history(
      runOn(9, [json(300), measured("v8", "encode", 5, 50)]),
      runOn(2, [json(100), refused("v8", "encode", "failed", "lost")]),
      runOn(5, [{ ...measured("json (A/A)", "encode", 2617, 1), twinOf: "json" }]),
    );
    expect(runs.map(({ source }) => source)).toEqual(["day 02", "day 05", "day 09"]);
    expect(lines.map(({ codec, points }) => [codec, points.map(({ run, median }) => [run, median])])).toEqual(
      [
        [
          "json",
          [
            [0, 100],
            [2, 300],
          ],
        ],
        ["v8", [[2, 50]]],
      ],
    );
    expect(lines[0]?.points[0]).toEqual({ run: 0, bytes: 2617, median: 100, ci95: [95, 105], processes: 3 });
  });

  it("is not broken by what does not change a time", () => {
    const others = [
      runOn(2, [json(200)], { options: { ...options, seed: 7, profile: "thorough", baseline: "v8" } }),
      runOn(2, [json(200)], { environment: { ...environment, load: [9, 9, 9], memoryBytes: 1 } }),
      runOn(2, [json(200)], { payloads: [], complete: false }),
    ];
    for (const other of others) expect(breaksOf(other)).toEqual([]);
  });

  it("is broken where the CPU, the runtime, the library, the data or how it is timed changes", () => {
    const [node] = runtimes;
    const [data] = datasets;
    const other = (more: Partial<RunRecord>, cell: Partial<Cell> = {}): string[] =>
      breaksOf(runOn(2, [{ ...json(100), ...cell }], more));
    const cpu = { ...environment.cpu, model: "Soroban" };
    expect(other({ environment: { ...environment, cpu } })).toEqual(["CPU: Abacus 9000 → Soroban"]);
    const os = { ...environment.os, arch: "arm64" };
    expect(other({ environment: { ...environment, os } })).toEqual(["platform: linux x64 → linux arm64"]);
    expect(other({ runtimes: [{ ...node!, version: "22.0.0" }] })).toEqual([
      "runtime: node 20.1.2 (V8 11.3) → node 22.0.0 (V8 11.3)",
    ]);
    expect(other({ runtimes: [{ ...node!, execArgv: [] }] })).toEqual(["flags: --expose-gc → none"]);
    expect(other({ runtimes: [{ ...node!, timeSource: "schedstat" }] })).toEqual([
      "timed by: wall → schedstat",
    ]);
    expect(other({}, { version: "2.0.0" })).toEqual(["library: lib-json 1.2.3 → lib-json 2.0.0"]);
    expect(other({}, { build: "with its native part" })).toEqual([
      "library: lib-json 1.2.3 → lib-json 1.2.3 (with its native part)",
    ]);
    expect(other({ datasets: [{ ...data!, sha256: "f".repeat(64) }] })).toEqual([
      "data: 0123456789abcdef… → ffffffffffffffff…",
    ]);
    expect(other({ options: { ...options, cores: 1 } })).toEqual(["cores: all → 1"]);
  });

  it("is broken for the cells of one runtime alone where that changes", () => {
    const [node] = runtimes;
    const cells = ["node", "bun"].map((runtime) => ({ ...json(100), codec: `json (${runtime})`, runtime }));
    const both = (version: string) => [node!, { ...node!, label: "bun", name: "bun", version }];
    const { lines } = history(
      runOn(1, cells, { runtimes: both("1.2.0") }),
      runOn(2, cells, { runtimes: both("1.3.0") }),
    );
    expect(lines.map(({ points }) => points[1]?.breaks?.map(({ what }) => what))).toEqual([
      undefined,
      ["runtime"],
    ]);
  });

  it("compares with the last run that has the cell, and says what changed since the line was broken last", () => {
    const newer = (median: number): Cell => ({ ...json(median), version: "2.0.0" });
    const { lines } = history(
      runOn(1, [json(100)]),
      runOn(2, [newer(50)]),
      runOn(3, [measured("v8", "encode", 5, 5)]),
      runOn(4, [newer(60)]),
    );
    expect(lines[0]?.points.map(({ breaks }) => breaks?.length ?? 0)).toEqual([0, 1, 0]);
    expect(latestChange(lines[0]!)).toMatchObject({ ratio: 1.2, since: { run: 1 } });
    expect(latestChange(lines[1]!)).toBeUndefined();
  });

  it("has a line for each machine of a merged record", () => {
    const machine = (label: string) => ({
      label,
      blocks: [0],
      environment: { ...environment, cpu: { ...environment.cpu, model: label } },
      runtimes,
    });
    const time = (label: string, median: number) => ({ machine: label, processes: 1, median, ci95: null });
    const merged = { runs: [], machines: [machine("Abacus"), machine("Soroban")] };
    const cell = { ...json(150), machines: [time("Abacus", 100), time("Soroban", 200)] };
    expect(history(runOn(1, [cell], { merged })).lines).toMatchObject([
      { codec: "json (Abacus)", points: [{ median: 100 }] },
      { codec: "json (Soroban)", points: [{ median: 200 }] },
    ]);
  });

  it("refuses a run that is given twice", () => {
    const run = runOn(1, [json(100)]);
    expect(() => history(run, runOn(2, []), run)).toThrow("day 01 and day 01: both hold the same run");
  });
});

describe("the history as Markdown", () => {
  const rows = (text: string, title: string): string[][] =>
    (text.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "")
      .split("\n")
      .filter((line) => line.startsWith("|") && !/^[|\-: ]+$/.test(line))
      .map((line) =>
        line
          .slice(1, -1)
          .split("|")
          .map((cell) => cell.trim().replaceAll("\u00a0", " ")),
      );

  it("has a row for each cell with its times and intervals, and says where and why they are not to be compared", () => {
    const newer = { ...measured("v8", "encode", 5, 5000), version: "2.0.0" };
    const text = renderHistoryMarkdown(
      history(
        runOn(1, [json(1000), measured("v8", "encode", 5, 4000)]),
        runOn(2, [newer]),
        runOn(3, [json(1100)]),
      ),
    );
    expect(rows(text, "encode of tellist")).toEqual([
      ["codec", "run 1", "run 2", "run 3", "change"],
      ["json", "1.00 µs ±5.0 %", "–", "1.10 µs ±5.0 %", "+10 % since 1"],
      ["v8", "4.00 µs ±5.0 %", "‖ 5.00 µs ±5.0 %", "–", ""],
    ]);
    expect(text).toContain("- run 2: library lib-v8 1.2.3 before, lib-v8 2.0.0 then: v8\n");
  });

  it("parts a long history into tables that fit a page", () => {
    const days = Array.from({ length: 28 }, (_, i) =>
      runOn(i + 1, [json(100 + i), measured("v8", "encode", 5, 9)]),
    );
    const text = renderHistoryMarkdown(history(...days));
    const tables = text.split("## encode of tellist")[1]?.split("\n## ")[0] ?? "";
    for (const line of tables.split("\n")) expect(line.length).toBeLessThanOrEqual(110);
    expect(rows(text, "encode of tellist").filter(([codec]) => codec === "json").length).toBeGreaterThan(4);
  });

  it("keeps a row a row, whatever is in a name", () => {
    const name = "a|b\nc";
    const text = renderHistoryMarkdown(history(runOn(1, [{ ...json(5), codec: name }])));
    expect(text).toContain("| a\\|b c |");
  });

  it("of runs without times says so", () => {
    expect(renderHistoryMarkdown(history(runOn(1, [refused("json", "encode", "failed", "x")])))).toContain(
      "No run has a time.",
    );
  });
});

describe("the history as a page", () => {
  const pictures = (page: string): string[] => page.match(/<svg.*?<\/svg>/gs) ?? [];

  it("has a picture for each operation and dataset, in which a broken line is two", () => {
    const newer = (median: number): Cell => ({ ...json(median), version: "2.0.0" });
    const runs = [runOn(1, [json(100)]), runOn(2, [json(110)]), runOn(3, [newer(50)]), runOn(4, [newer(55)])];
    const drawn = pictures(renderHistoryHtml(history(...runs, runOn(5, [measured("v8", "decode", 5, 9)]))));
    expect(drawn).toHaveLength(2);
    const curves = [...drawn[0]!.matchAll(/<path d="([^"]*)" class="s-blue"[^>]*stroke-linejoin/g)];
    expect(curves.map(([, path = ""]) => path.match(/[ML]/g)?.length)).toEqual([2, 2]);
    expect(drawn[0]!.match(/stroke-dasharray/g)).toHaveLength(1);
    expect(drawn[0]!.match(/<circle/g)).toHaveLength(4);
  });

  it("is one file without a script, which names cannot break out of", () => {
    const name = "<script>alert(1)</script>&\"'";
    const cells = [{ ...json(5), codec: name, operation: name }, measured("v8", "encode", 5, 0)];
    const page = renderHistoryHtml(
      history(runOn(1, cells), runOn(2, [{ ...json(5), codec: name, version: name }])),
    );
    expect(page).not.toMatch(/<script|https?:(?!\/\/www\.w3\.org\/2000\/svg)|NaN|undefined|Infinity/);
    for (const svg of pictures(page)) expect(() => parseXml(svg)).not.toThrow();
  });

  it("of runs without times says so", () => {
    expect(renderHistoryHtml(history(runOn(1, [])))).toContain("<p>No run has a time.</p>");
  });
});
