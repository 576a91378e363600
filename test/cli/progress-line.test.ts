/** How far a run is: one line that changes on a terminal, and elsewhere no more lines than somebody would read. */
import { describe, expect, it } from "vitest";
import type { Io } from "../../src/cli/io.ts";
import { ipcProgressLine, progressLine } from "../../src/cli/progress-line.ts";
import type { IpcProgress } from "../../src/ipc/run.ts";
import type { Progress } from "../../src/suite/progress-meter.ts";

/** What is said on a terminal of so many columns, or elsewhere. */
function recorder(columns?: number): { readonly io: Io; readonly said: string[] } {
  const said: string[] = [];
  const io: Io = {
    isShown: () => columns !== undefined,
    columns: () => columns,
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
