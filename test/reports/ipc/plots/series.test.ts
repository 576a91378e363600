import { describe, expect, it } from "vitest";
import type { IpcMessage } from "../../../../src/model/records/ipc.ts";
import { driftSeries, latencySeries, stageSeries } from "../../../../src/reports/ipc/plots/plots.ts";

/** A message that was encoded in 1 ms, sent in 2, waited 0.5 and was decoded in `decode` ms. */
function received(sequence: number, decode = 4, more: Partial<IpcMessage> = {}): IpcMessage {
  const encodeStart = sequence * 10e6 + 1e6;
  const times = {
    intended: encodeStart - 1e6,
    encodeStart,
    encoded: encodeStart + 1e6,
    sent: encodeStart + 1.5e6,
    firstByte: encodeStart + 2e6,
    lastByte: encodeStart + 3e6,
    taken: encodeStart + 3.5e6,
    read: encodeStart + 3.5e6 + decode * 1e6,
  };
  return {
    phase: "measured",
    talker: 0,
    listener: 0,
    sequence,
    outcome: "received",
    encodedBytes: 1,
    ...times,
    ...more,
  };
}

function dropped(
  sequence: number,
  outcome: IpcMessage["outcome"],
  more: Partial<IpcMessage> = {},
): IpcMessage {
  const { phase, talker, listener, intended, encodeStart, encoded } = received(sequence);
  return {
    phase,
    talker,
    listener,
    sequence,
    outcome,
    encodedBytes: 1,
    intended,
    encodeStart,
    encoded,
    ...more,
  };
}

const WARMUP = received(0, 1000, { phase: "warmup" });

describe("latency", () => {
  it("is from the start of encode until every field was read, in milliseconds", () => {
    const series = latencySeries("json", [
      WARMUP,
      received(0),
      dropped(1, "dropped-sender"),
      received(2, 5.5),
    ]);
    expect(series).toEqual({
      name: "json",
      index: Float64Array.of(0, 2),
      ms: Float64Array.of(7.5, 9),
      dropped: Float64Array.of(1),
    });
  });

  it("of nothing is empty", () => {
    expect(latencySeries("json", [])).toMatchObject({ index: new Float64Array(), ms: new Float64Array() });
  });
});

describe("drift", () => {
  const rising = Array.from({ length: 101 }, (_, at) => received(at, 4 + at / 100));

  it("has the line of the slope that has as many messages above as below", () => {
    const { trend } = driftSeries("json", rising, 10e6);
    expect(trend?.slopeMsPer1000).toBe(10);
    expect(trend?.interceptMs).toBeCloseTo(7.5, 9);
  });

  it("has no line without a slope, or without messages", () => {
    expect(driftSeries("json", rising).trend).toBeUndefined();
    expect(driftSeries("json", [WARMUP], 5).trend).toBeUndefined();
  });
});

describe("stages", () => {
  it("are medians over the messages that were received", () => {
    const messages = [WARMUP, received(0, 2), received(1, 4), received(2, 90), dropped(3, "dropped-sender")];
    expect(stageSeries("json", messages)).toEqual({
      name: "json",
      messages: 3,
      encode: 1,
      transport: 2,
      queue: 0.5,
      decode: 4,
    });
  });

  it("are absent where nothing was received", () => {
    expect(stageSeries("json", [WARMUP])).toMatchObject({
      messages: 0,
      encode: undefined,
      decode: undefined,
    });
  });
});
