/** Which plots a run's tests make, and when. */
import { describe, expect, it } from "vitest";
import type { IpcMessage, IpcTestName, IpcTestRecord } from "../../../../src/model/records/ipc.ts";
import { PlotDrawer } from "../../../../src/reports/ipc/plots/plots.ts";
import { measuredTest } from "../../ipc-record.ts";

const MESSAGES = Array.from(
  { length: 3 },
  (_, sequence): IpcMessage => ({
    phase: "measured",
    talker: 0,
    listener: 0,
    sequence,
    outcome: "received",
    encodedBytes: 1,
    intended: 0,
    encodeStart: 0,
    encoded: 1e6,
    sent: 1e6,
    firstByte: 2e6,
    lastByte: 3e6,
    taken: 3e6,
    read: 4e6,
  }),
);

const testOf = (test: IpcTestName, codec: string, dataset = "frame"): IpcTestRecord => ({
  ...measuredTest(test, codec, { encodeMs: 1, transportMs: 2, decodeMs: 1 }),
  dataset,
});

describe("a drawer of plots", () => {
  it("puts codecs that follow each other into one plot, and draws it once another test begins", () => {
    const drawer = new PlotDrawer();
    expect(drawer.add(0, testOf("latency", "json"), MESSAGES)).toEqual([]);
    expect(drawer.add(1, testOf("latency", "v8"), MESSAGES)).toEqual([]);
    const latency = drawer.add(2, testOf("stability", "json"), MESSAGES);
    expect(latency.map(({ file }) => file.replace(/^plots\/0-latency-frame-reliable-\d+-/, ""))).toEqual([
      "latency-over-index.svg",
      "percentiles.svg",
      "stages.svg",
    ]);
    for (const { svg } of latency) expect(svg).toMatch(/json[\s\S]*v8/);
    expect(drawer.finish().map(({ title }) => title.split(":")[0])).toContain("drift");
    expect(drawer.finish()).toEqual([]);
  });

  it("gives datasets whose names look alike files of their own", () => {
    const drawer = new PlotDrawer();
    drawer.add(0, testOf("latency", "json", "a b"), MESSAGES);
    const first = drawer.add(1, testOf("latency", "json", "a-b"), MESSAGES);
    const second = drawer.finish();
    expect(first[0]?.file).not.toBe(second[0]?.file);
  });
});
