/** The figures of a run between processes as tidy CSV: one a row, with what it is of. */
import { expect, it } from "vitest";
import type { IpcRecord } from "../../../src/model/records/ipc.ts";
import { renderIpcCsv } from "../../../src/reports/ipc/csv.ts";
import { csvRows } from "../csv-rows.ts";
import { ipcRecordOf, measuredTest, refusedTest } from "../ipc-record.ts";

const PACE = { encodeMs: 2, transportMs: 4, decodeMs: 4 };

function figuresOf(record: IpcRecord): Record<string, string>[] {
  const [names = [], ...rows] = csvRows(renderIpcCsv(record));
  expect(new Set(names).size).toBe(names.length);
  for (const row of rows) expect(row.length).toBe(names.length);
  return rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]!])));
}

const everything = measuredTest("two-to-one", "capnp-ts", PACE, {
  messages: 20_000,
  rateHz: 20,
  program: "cpp/talker",
  throughput: {
    messagesPerSecond: 100,
    payloadBytesPerSecond: 650e6,
    encodedBytesPerSecond: 660e6,
    shareOfMemcpy: 1.2,
  },
  drift: { slopePer1000: -1.5, ci95: [-4, 1], firstDecile: 1e7, lastDecile: 9e6 },
  unfairness: 1.25,
  first: { talkers: [5e6, 6e6], listeners: [7e6] },
});
const native = { program: "cpp/talker", language: "cpp", compiler: "g++ 12.2.0", libraries: [], flags: [] };
const record = ipcRecordOf(
  [
    everything,
    refusedTest("latency", "amf3", "failed", 'no "such", luck'),
    measuredTest("latency", "v8", PACE),
  ],
  { natives: [native] },
);

it("has each figure of the record once, in nanoseconds and bytes", () => {
  const figures = figuresOf(record);
  const keys = figures.map(({ number, talker, listener, measure, statistic }) =>
    [number, talker, listener, measure, statistic].join(),
  );
  // What the first message took is of a native program, or of processes: a record that has both is of this test's making.
  expect(new Set(keys).size).toBe(keys.length - 3);
  const valueAt = (key: string): string | undefined => figures[keys.indexOf(key)]?.["value"];
  expect(valueAt("0,,,encode,p50")).toBe("2000000");
  expect(valueAt("0,,,end_to_end,n")).toBe("20000");
  expect(valueAt("0,,,end_to_end,p999")).toBe("20000000");
  expect(valueAt("2,,,end_to_end,p999")).toBeUndefined();
  expect(valueAt("0,,,throughput,encoded")).toBe("660000000");
  expect(valueAt("0,,,drift,slope_per_1000_ci95_low")).toBe("-4");
  expect(valueAt("0,,,unfairness,slowest_to_quickest")).toBe("1.25");
  expect(valueAt("0,1,0,messages,published")).toBe("20000");
  expect(valueAt("0,1,0,messages,total")).toBe("1234500000");
  expect(valueAt("0,1,0,end_to_end,p50")).toBe("10000000");
  expect(valueAt("0,1,,process,rss_peak")).toBe("150000000");
  expect(valueAt("0,,0,process,gc_longest")).toBe("5000000");
});

it("says of each figure what tells its test and its run from others", () => {
  const figures = figuresOf(record);
  expect(figures[0]).toMatchObject({
    test: "two-to-one",
    codec: "capnp-ts",
    dataset: "frame",
    transport: "uds",
    rate_hz: "20",
    encoded_bytes: "6500040",
    status: "measured",
    unit: "messages",
    runtime: "cpp",
    runtime_version: "g++ 12.2.0",
    profile: "standard",
    complete: "true",
  });
  expect(figures.at(-1)).toMatchObject({ number: "2", program: "", runtime: "node" });
});

it("has a row with the reason of a test without figures", () => {
  const refused = figuresOf(record).filter(({ number }) => number === "1");
  expect(refused).toMatchObject([{ status: "failed", reason: 'no "such", luck', measure: "", value: "" }]);
  expect(figuresOf(ipcRecordOf([]))).toEqual([]);
});
