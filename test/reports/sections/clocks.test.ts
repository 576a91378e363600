/** What reports say of clocks, threads and levels. */
import { describe, expect, it } from "vitest";
import type { Cell, Nanos, RunRecord } from "../../../src/model/records/run.ts";
import { renderMarkdown } from "../../../src/reports/run/markdown.ts";
import { renderText } from "../../../src/reports/run/text.ts";
import {
  clockNotes,
  clocksTable,
  formatLevels,
  timeSourceLines,
} from "../../../src/reports/sections/run/clocks.ts";
import { headlineTable } from "../../../src/reports/sections/run/timing.ts";
import { type DatasetView, viewOf } from "../../../src/reports/view.ts";
import { fullRecord } from "../full-record.ts";
import { measured, nanosOf, recordOf } from "../record.ts";

const LEVELS = [
  { nanos: 23_000, share: 0.5 },
  { nanos: 52_400, share: 0.5 },
];

/** What is said of shares of batches beside which the core was slow, one list of processes per cell. */
function saidOfSlow(...cells: readonly (readonly (number | null)[])[]): string[] {
  return clockNotes(tellist(...cells.map((slowed, i) => withNanos(`codec-${i}`, { slowed }))));
}

describe("slow cores", () => {
  it("are said with the share of the batches that they cost, over all processes that tell it", () => {
    expect(saidOfSlow([0.1, 0.3], [null, 0])).toEqual([
      "the core was slower than usual beside 10 % of the batches, as others on the same core make it: these are left out",
    ]);
  });

  it("are said to be scaled where half of a cell's processes are", () => {
    const cells = [[0, 1], [0]].map((scaled, i) =>
      withNanos(`codec-${i}`, { slowed: [1, 1, 1], scaled, processes: [1000, 1000, 1000] }),
    );
    expect(clockNotes(tellist(...cells))).toEqual([
      "the core was slower than usual beside 100 % of the batches, as others on the same core make it: these are left out, but in half of the processes of 1 of 2 cells there were few others, and slow batches are divided by how much longer fixed work took",
    ]);
  });

  it("are not mentioned where they are rare, or not told", () => {
    expect(saidOfSlow([0.01, 0.02])).toEqual([]);
    expect(saidOfSlow([null])).toEqual([]);
  });
});

/** A cell whose processes are at two levels. */
function bistable(allThreads: readonly number[]): Cell {
  const processes = [23_000, 52_400, 23_000, 52_400];
  const nanos: Nanos = { ...nanosOf(30_000), processes, blocks: [0, 1, 2, 3], levels: LEVELS, allThreads };
  return { ...measured("flatbuffers", "encode", 1712, 30_000), nanos };
}

function withNanos(codec: string, overrides: Partial<Nanos>): Cell {
  return { ...measured(codec, "encode", 100, 1000), nanos: { ...nanosOf(1000), ...overrides } };
}

function tellist(...cells: readonly Cell[]): DatasetView {
  return viewOf(recordOf(cells)).dataset("tellist")!;
}

describe("two levels", () => {
  it("stand in place of the median, which has no interval then", () => {
    const { rows } = headlineTable(tellist(bistable([])), { rates: false });
    expect(rows[0]?.slice(0, 4)).toEqual(["flatbuffers", "1,712", "23.0 | 52.4 µs", ""]);
  });

  it("have their own units where they differ", () => {
    expect(formatLevels([{ nanos: 950 }, { nanos: 1200 }])).toBe("950 ns | 1.20 µs");
    expect(formatLevels([{ nanos: 1.5 }, { nanos: 3 }])).toBe("1.50 | 3.00 ns");
  });

  it.each([
    [
      "the other threads make them",
      [23_500, 87_000, 24_500, 89_000],
      "its other threads take 1.00 µs a call at the one and 35.6 µs at the other",
    ],
    [
      "the other threads take the same",
      [24_000, 53_400, 24_000, 53_400],
      "its other threads take the same at both, so that probably V8 compiled it in two ways",
    ],
  ])("are named with their reason where %s", (_, allThreads, reason) => {
    expect(clockNotes(tellist(bistable(allThreads)))).toContain(
      `encode of flatbuffers has two levels, 23.0 µs in 50 % and 52.4 µs in 50 % of 4 processes: ${reason}`,
    );
  });

  it("are those of the time where processes flip", () => {
    const cell = bistable([]);
    const levels = [
      { nanos: 23_000, share: 0.8 },
      { nanos: 52_400, share: 0.2 },
    ];
    const [line = ""] = clockNotes(tellist({ ...cell, nanos: { ...cell.nanos!, levels } }));
    expect(line).toContain("23.0 µs in 80 % and 52.4 µs in 20 % of the time in 4 processes");
  });

  it("are named without one where nothing is known of threads", () => {
    const { allThreads: _, ...nanos } = bistable([]).nanos!;
    expect(clockNotes(tellist({ ...bistable([]), nanos }))).toEqual([
      "encode of flatbuffers has two levels, 23.0 µs in 50 % and 52.4 µs in 50 % of 4 processes",
    ]);
  });
});

describe("other threads", () => {
  it("are named where they take noticeably more", () => {
    const cells = [
      withNanos("capnp-ts", { allThreads: [1700, 1600, 1800] }),
      withNanos("json", { allThreads: [1010, 1020, 1030] }),
    ];
    expect(clockNotes(tellist(...cells))).toEqual([
      "other threads of the process work too, all threads taking more than the times above say: encode of capnp-ts (× 1.70)",
    ]);
  });

  it("are not named where V8 still compiles, on other threads, what is mostly not steady", () => {
    const overrides = { allThreads: [1700, 1600, 1800], warmUp: ["warming", "steady", "warming"] } as const;
    expect(clockNotes(tellist(withNanos("capnp-ts", overrides)))).toEqual([]);
  });
});

describe("the table of clocks", () => {
  it("has the time by the clock and of all threads, and the middle batch where others were let on the core", () => {
    const calm = withNanos("json", { wall: [1020, 1030, 1040], allThreads: [1010, 1010, 1010] });
    expect(clocksTable(tellist(calm))?.columns.map(({ heading }) => heading)).toEqual([
      "codec",
      "encode",
      "clock",
      "all threads",
    ]);
    const busy = withNanos("json", { ...calm.nanos, preempted: [0.2, 0.3, 0.2] });
    const table = clocksTable(tellist(busy));
    expect(table?.columns.at(-1)?.heading).toBe("middle batch");
    expect(table?.rows).toEqual([["json", "1.00 µs", "1.03 µs", "1.01 µs", "1.00 µs"]]);
    expect(clockNotes(tellist(busy))).toHaveLength(1);
  });

  it("is not there where times are the clock's", () => {
    expect(clocksTable(tellist(measured("json", "encode", 1, 2)))).toBeUndefined();
  });
});

describe("what times are", () => {
  const lines = (...sources: readonly RunRecord["runtimes"][number]["timeSource"][]): string[] => {
    const { runtimes, ...record } = fullRecord();
    const [{ timeSource: _, ...runtime }] = runtimes as [RunRecord["runtimes"][number]];
    const several = sources.map((timeSource, i) => ({
      ...runtime,
      label: `runtime ${i}`,
      ...(timeSource === undefined ? {} : { timeSource }),
    }));
    return timeSourceLines({ ...record, runtimes: several });
  };

  it("is said once where all runtimes are alike, and for each where they differ", () => {
    expect(lines("schedstat", "schedstat")).toEqual([
      "Times are time on a core (the kernel's account of the thread).",
    ]);
    expect(lines("thread-cpu", "wall")).toEqual([
      "Times in runtime 0 are time on a core (process.threadCpuUsage).",
      "Times in runtime 1 are time by the clock: nothing tells the time on a core here, and a busy machine makes it longer.",
    ]);
    expect(lines(undefined)).toEqual([]);
  });

  it("stands in the report and on a terminal", () => {
    for (const text of [renderMarkdown(fullRecord()), renderText(fullRecord())])
      expect(text).toContain("Times are time on a core (the kernel's account of the thread).");
    expect(renderMarkdown(fullRecord())).toContain("### On a core, by the clock, and on all threads");
  });
});
