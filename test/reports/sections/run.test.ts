/** What reports say of noise, memory, cold starts and of codecs that share a process. */
import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../../src/model/records/run.ts";
import { memoryFindings, memoryTable } from "../../../src/reports/sections/run/bytes.ts";
import { noiseLines } from "../../../src/reports/sections/run/noise.ts";
import {
  headlineTable,
  sharedRefusals,
  sharedTable,
  startTable,
} from "../../../src/reports/sections/run/timing.ts";
import { type DatasetView, viewOf } from "../../../src/reports/view.ts";
import { fullCell, fullRecord, memory, quietProcess, standing } from "../full-record.ts";
import { measured, nanosOf, recordOf, refused } from "../record.ts";

/** What a record has of its dataset. */
function tellist(record: RunRecord): DatasetView {
  return viewOf(record).dataset("tellist")!;
}

/** A record of cells that were compared. */
function compared(...cells: RunRecord["cells"]): RunRecord {
  return { ...fullRecord(), cells };
}

describe("ranks", () => {
  const cells = [
    fullCell("raw", "encode", 10, { standing: standing({ tier: 1, ratio: 0.1, verdict: "faster" }) }),
    fullCell("json", "encode", 100, { standing: standing({ tier: 2 }) }),
    fullCell("near", "encode", 104, { standing: standing({ tier: 2, ratio: 1.04, verdict: "undecided" }) }),
    fullCell("slow", "encode", 300, { standing: standing({ tier: 3, ratio: 3, verdict: "slower" }) }),
    fullCell("json (A/A)", "encode", 101, { twinOf: "json", standing: standing({ tier: 2 }) }),
  ];
  const { columns, rows } = headlineTable(tellist(compared(...cells)), { rates: false });

  it("are those of tiers, with ~ where several share one, and twins have none", () => {
    const at = columns.findIndex(({ heading }) => heading === "rank");
    expect(rows.map((row) => [row[0], row[at]])).toEqual([
      ["raw", "1"],
      ["json", "2~"],
      ["near", "2~"],
      ["slow", "4"],
    ]);
  });

  it("leave ~ beside a ratio that cannot be told from the baseline", () => {
    const at = columns.findIndex(({ heading }) => heading === "× json");
    expect(rows.map((row) => row[at])).toEqual(["0.10", "1.00 ~", "1.04 ~", "3.00"]);
  });

  it("are left out of a record in which nothing was compared", () => {
    const table = headlineTable(tellist(recordOf([measured("json", "encode", 1, 2)])), { rates: false });
    expect(table.columns.map(({ heading }) => heading)).not.toContain("rank");
  });
});

describe("noise", () => {
  it("is told of A/A, of what could be detected, of disturbances and of warm-up", () => {
    const lines = noiseLines(fullRecord());
    expect(lines).toEqual([
      "A/A: json against itself, under other names: encode 1.00 (0.99 to 1.01).",
      "Differences within 1.2 % are not called differences (A/A spread 1.2 %, threshold 1.0 %).",
      expect.stringMatching(/^Minimum detectable effect against the baseline: 2\.1 % /),
      "1 of 2 measuring processes were disturbed, and count like the others: 1 waited for a core, 1 lost time to other machines of the host.",
      "While it was measured, the time per call was steady in 9 of 9 measurements.",
    ]);
  });

  it("counts outlying processes where there are enough for one to be", () => {
    const of = (outliers: readonly number[]) => ({ ...nanosOf(10), processes: [10, 10, 10, 30], outliers });
    const lines = (...each: readonly (readonly number[])[]) =>
      noiseLines(
        recordOf(each.map((outliers) => ({ ...measured("json", "encode", 1, 10), nanos: of(outliers) }))),
      );
    expect(lines([3], [])[0]).toBe(
      "1 of 8 process times is an outlier (beyond Tukey's fences), and counts like the others.",
    );
    expect(lines([3], [0])[0]).toBe(
      "2 of 8 process times are outliers (beyond Tukey's fences), and count like the others.",
    );
    expect(lines([])[0]).toBe("None of 4 process times is an outlier (beyond Tukey's fences).");
  });

  it("says of a difference that nobody could miss only that it is more than 1,000 %", () => {
    const cell = fullCell("json", "encode", 10, { standing: standing({ detectable: 536369.87 }) });
    expect(noiseLines(compared(cell)).find((line) => line.startsWith("Minimum"))).toBe(
      "Minimum detectable effect against the baseline: more than 1,000 %.",
    );
  });

  it("names the cells that were mostly not steady", () => {
    const nanos = { ...nanosOf(10), warmUp: ["warming", "erratic", "steady"] as const };
    const [line] = noiseLines(recordOf([{ ...measured("json", "encode", 1, 10), nanos }]));
    expect(line).toBe(
      "While it was measured, the time per call was steady in 1 of 3 measurements; 1 warming, 1 erratic. Mostly not steady: encode/tellist/json.",
    );
  });

  it("is quiet where every process was", () => {
    const record = { ...recordOf([]), processes: [quietProcess(), quietProcess()] };
    expect(noiseLines(record)).toEqual(["None of 2 measuring processes was disturbed."]);
  });
});

describe("what is unsupported or failed", () => {
  it("are a line per codec, or one for all codecs where the reason is the same", () => {
    const unsupported = (codec: string, operation: string, reason: string) =>
      refused(codec, operation, "unsupported", reason);
    const cells = [
      measured("json", "encode", 1, 2),
      measured("v8", "encode", 1, 2),
      unsupported("json", "update", "no number"),
      unsupported("v8", "update", "no number"),
      unsupported("v8", "pick", "too deep"),
    ];
    expect(tellist(recordOf(cells)).refusals()).toEqual([
      "every codec (update): unsupported: no number",
      "v8 (pick): unsupported: too deep",
    ]);
  });
});

describe("memory", () => {
  it("is a row per codec: what a call allocates, what collecting takes, what a result keeps, and the peak", () => {
    const table = memoryTable(tellist(compared(fullCell("json", "encode", 10))));
    expect(table?.rows).toEqual([["json", "1,235", "841", "56.0 ns", "1.20 ms", "905", "80"]]);
  });

  it("is not there where it was not measured", () => {
    expect(memoryTable(tellist(recordOf([measured("json", "encode", 1, 2)])))).toBeUndefined();
  });

  it("names leaks and views of larger buffers", () => {
    const record = compared(
      fullCell("leaky", "decode", 10, { memory: memory({ leakedBytes: 64.04, findings: ["leak"] }) }),
      fullCell("pool", "encode", 10, { memory: memory({ retainedBytes: 8300, findings: ["pooled-view"] }) }),
      fullCell("pool", "decode", 10, { memory: memory({ retainedBytes: 9300, findings: ["pooled-view"] }) }),
    );
    expect(memoryFindings(tellist(record))).toEqual([
      "leaks, in bytes that a call leaves for good: decode of leaky (64)",
      "results that are views of a larger buffer, in bytes that one keeps alive: encode of pool (8,300), decode of pool (9,300)",
    ]);
    expect(memoryFindings(tellist(compared(fullCell("json", "encode", 10))))).toEqual([]);
  });
});

describe("cold starts", () => {
  it("are a row per codec: import, bind, first calls and the time until they are steady", () => {
    const never = { importNanos: 1e6, bindNanos: 1e3, firstCallNanos: 5e5, steadyNanos: null };
    const record = compared(fullCell("json", "encode", 10), fullCell("cold", "encode", 10, { start: never }));
    expect(startTable(tellist(record))?.rows).toEqual([
      ["json", "41.0 ms", "3.50 ms", "210 µs", "12.0 ms"],
      ["cold", "1.00 ms", "1.00 µs", "500 µs", "not yet"],
    ]);
  });
});

const RUNS_OF_GZIP = {
  dataset: "tellist",
  algorithm: "gzip",
  level: 6,
  bytes: 10,
  compressNanos: 1,
  compressCi95: null,
  decompressNanos: 1,
  decompressCi95: null,
} as const;

it("says why memory was not measured, a line for each reason", () => {
  const died = (codec: string) => fullCell(codec, "encode", 10, { memoryReason: "crashed\nhere" });
  const record = compared(died("one"), died("two"), fullCell("fine", "encode", 10));
  expect(memoryFindings(tellist(record))).toEqual([
    "memory and compression were not measured of one, two: crashed here",
  ]);
  const compression = ["one", "two"].map((codec) => ({ ...RUNS_OF_GZIP, codec }));
  expect(memoryFindings(tellist({ ...record, compression }))).toEqual([
    "memory was not measured of one, two: crashed here",
  ]);
});

describe("a process of all codecs", () => {
  it("is beside the isolated one, with the penalty, and ~ where intervals overlap", () => {
    const record = compared(
      fullCell("json", "encode", 100, { shared: nanosOf(102) }),
      fullCell("fast", "encode", 10, { shared: nanosOf(25) }),
    );
    expect(sharedTable(tellist(record))?.rows).toEqual([
      ["json", "100 ns", "102 ns", "× 1.02 ~"],
      ["fast", "10.0 ns", "25.0 ns", "× 2.50"],
    ]);
  });

  it("says for which codecs it failed, and why", () => {
    const crashed = (codec: string) => fullCell(codec, "encode", 100, { sharedReason: "crashed\nhere" });
    const record = compared(crashed("json"), crashed("fast"), fullCell("fine", "encode", 1));
    expect(sharedRefusals(tellist(record))).toEqual([
      "in a process with all codecs and shapes: json, fast: crashed here",
    ]);
    const garden = { name: "garden", story: "", message: "M" };
    const both = { ...record, datasets: [...record.datasets, garden] };
    expect(sharedRefusals(viewOf(both).dataset("garden")!)).toEqual([]);
  });

  it("is not there where it was not measured", () => {
    expect(sharedTable(tellist(recordOf([measured("json", "encode", 1, 2)])))).toBeUndefined();
  });
});
