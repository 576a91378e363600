/** How far a run is: one line that changes on a terminal, and elsewhere no more lines than somebody would read. */
import { describe, expect, it } from "vitest";
import type { Io } from "../../src/cli/io.ts";
import { ipcProgressLine, progressLine, ReadingLine } from "../../src/cli/progress-line.ts";
import type { IpcProgress } from "../../src/ipc/run.ts";
import type { Progress } from "../../src/suite/progress-meter.ts";

/** What is said on a terminal of so many columns, or elsewhere. */
function recorder(columns?: number): { readonly io: Io; readonly said: string[] } {
  const said: string[] = [];
  const io: Io = {
    isShown: () => columns !== undefined,
    columns: () => columns,
    size: () => (columns === undefined ? undefined : { columns, rows: 24 }),
    isColoured: () => false,
    tell: (text) => said.push(text),
    print: () => {},
  };
  return { io, said };
}

const current = { codec: "json", dataset: "tellist" };
const run = (done: number): Progress => ({ done, total: 40, current, elapsedMs: 2000, remainingMs: 3000 });
const end: Progress = { done: 40, total: 40, elapsedMs: 5000 };

describe("the progress of a run", () => {
  it("is a line for each tenth and one at the end, where lines stay", () => {
    const { io, said } = recorder();
    const line = progressLine(io);
    for (let done = 0; done < 40; done++) line.show(run(done));
    line.show(end);
    line.clear();
    expect(said).toHaveLength(11);
    expect(said[1]).toBe(" 10 %  4/40 processes, 2 s, 3 s left  tellist json\n");
    expect(said.at(-1)).toBe("100 %  40/40 processes, 5 s  done\n");
  });

  it("is one line on a terminal, no longer than it", () => {
    const { io, said } = recorder(20);
    const line = progressLine(io);
    line.show(run(1));
    line.show(end);
    line.clear();
    expect(said).toEqual(["\r\u001b[K  2 %  1/40 process", "\r\u001b[K100 %  40/40 proces", "\r\u001b[K"]);
  });
});

describe("the progress of reading", () => {
  /** Reads 100 MB in ten steps of equal length. */
  function readIn(milliseconds: number, columns?: number): string[] {
    const { io, said } = recorder(columns);
    let time = 0;
    const line = new ReadingLine(io, () => time);
    for (let done = 1; done <= 10; done++) {
      time += milliseconds / 10;
      line.show({ step: "read", done: done * 1e7, total: 1e8 });
    }
    line.show({ step: "parse", done: 0, total: 1e8 });
    // A line of NDJSON, which takes no time.
    line.show({ step: "parse", done: 0, total: 100 });
    line.show({ step: "check", done: 0, total: 2000 });
    time += milliseconds;
    line.show({ step: "check", done: 500, total: 2000 });
    line.clear();
    return said;
  }

  it("is nothing where it takes less than a second", () => {
    expect(readIn(499)).toEqual([]);
    expect(readIn(499, 80)).toEqual([]);
  });

  it("is a line for each quarter of a step, with the time that is left, where lines stay", () => {
    expect(readIn(10_000)).toEqual([
      "reading 100 MB: 10 %, 9 s left\n",
      "reading 100 MB: 30 %, 7 s left\n",
      "reading 100 MB: 50 %, 5 s left\n",
      "reading 100 MB: 80 %, 2 s left\n",
      "reading 100 MB: 100 %, 0 s left\n",
      "parsing 100 MB\n",
      "checking 2,000 values\n",
      "checking 2,000 values: 25 %, 30 s left\n",
    ]);
  });

  it("is one line on a terminal, ten times a second at most", () => {
    const said = readIn(2000, 80);
    expect(said[0]).toBe("\r\u001b[Kreading 100 MB: 50 %, 1 s left");
    expect(said.at(-1)).toBe("\r\u001b[K");
    expect(readIn(1100, 80)).toHaveLength(5);
  });
});

describe("the progress of tests between processes", () => {
  it("is a line for each test and one at the end, where lines stay", () => {
    const { io, said } = recorder();
    const line = ipcProgressLine(io);
    const cell = {
      test: "latency",
      codec: "json",
      dataset: { name: "frame:1000" },
      reliability: "reliable",
      messages: 7,
    };
    const at = (done: number, share: number): IpcProgress =>
      ({ done, total: 2, elapsedMs: 1000, current: { cell, share } }) as unknown as IpcProgress;
    for (const done of [0, 1]) for (const share of [0, 0.5, 1]) line.show(at(done, share));
    line.show({ done: 2, total: 2, elapsedMs: 2000 });
    expect(said).toEqual([
      "0/2 tests, 1 s  latency frame:1000 json, reliable, 7 messages\n",
      "1/2 tests, 1 s  latency frame:1000 json, reliable, 7 messages\n",
      "2/2 tests, 2 s  done\n",
    ]);
  });

  it("says on a terminal which share of the messages went", () => {
    const { io, said } = recorder(200);
    const cell = {
      test: "latency",
      codec: "json",
      dataset: { name: "frame" },
      reliability: "reliable",
      messages: 7,
    };
    ipcProgressLine(io).show({
      done: 0,
      total: 2,
      elapsedMs: 1000,
      current: { cell, share: 0.567 },
    } as unknown as IpcProgress);
    expect(said[0]).toMatch(/7 messages, 56 %$/);
  });
});
