/** What a record of tests between processes says of each published claim. */
import { describe, expect, it } from "vitest";
import { interprocessResults } from "../../../src/analysis/claims/interprocess.ts";
import type { ClaimResult, Side } from "../../../src/model/records/claims.ts";
import type { IpcTestRecord } from "../../../src/model/records/ipc.ts";
import {
  ipcRecordOf,
  measuredTest,
  type Pace,
  pairOf,
  refusedTest,
  timesOf,
} from "../../reports/ipc-record.ts";

const QUICK: Pace = { encodeMs: 2, transportMs: 4, decodeMs: 4 };
const SLOW: Pace = { encodeMs: 10, transportMs: 6, decodeMs: 5 };

function resultOn(
  claim: string,
  tests: readonly IpcTestRecord[],
  dataset = "frame",
  side: Side = "typescript",
): ClaimResult {
  const found = interprocessResults(ipcRecordOf(tests), claim, side).filter(
    (one) => one.dataset === undefined || one.dataset === dataset,
  );
  expect(found).toHaveLength(1);
  return found[0]!;
}

describe("the claim of half the latency", () => {
  const latencies = (capnp: Pace, protobuf: Pace, own: Partial<IpcTestRecord> = {}): IpcTestRecord[] => [
    measuredTest("latency", "capnp-ts", capnp, own),
    measuredTest("latency", "protobufjs", protobuf, own),
  ];
  const on = (tests: readonly IpcTestRecord[]): ClaimResult => resultOn("capnp-latency", tests);

  it("holds where the ratio is at most two thirds for certain, and the stage is named", () => {
    const { verdict, parts } = on(latencies(QUICK, SLOW));
    expect(verdict).toBe("holds");
    expect(parts).toEqual([
      {
        what: "median from encode to every field read",
        published: [expect.closeTo(0.481, 3)],
        figures: [
          { of: "capnp-ts", value: 10e6, unit: "nanoseconds" },
          { of: "protobufjs", value: 21e6, unit: "nanoseconds" },
        ],
        ratio: expect.closeTo(0.476, 3),
        ci95: [expect.closeTo(0.394, 3), expect.closeTo(0.576, 3)],
        verdict: "holds",
        decisive: "encode",
      },
    ]);
  });

  it.each([
    ["slower", "reversed", SLOW, QUICK],
    ["as quick", "does not hold", QUICK, QUICK],
    ["quicker by a tenth", "does not hold", QUICK, { ...QUICK, encodeMs: 3.1 }],
    ["quicker, and maybe by a third", "holds weaker", QUICK, { ...QUICK, encodeMs: 7 }],
    ["quicker by less than a third", "holds weaker", QUICK, { ...QUICK, encodeMs: 5.5 }],
  ] as const)("where Cap'n Proto is %s: %s", (_, verdict, capnp, protobuf) => {
    expect(on(latencies(capnp, protobuf)).verdict).toBe(verdict);
  });

  it("names the stage that made Cap'n Proto slower", () => {
    expect(on(latencies({ ...QUICK, decodeMs: 30 }, SLOW)).parts[0]?.decisive).toBe("decode");
  });

  it.each([
    ["nothing was measured", [], "capnp-ts was not measured"],
    [
      "the test was not made",
      [measuredTest("stability", "capnp-ts", QUICK), measuredTest("stability", "protobufjs", QUICK)],
      "the test latency was not made on frame",
    ],
    ["a codec was not measured", [measuredTest("latency", "capnp-ts", QUICK)], "protobufjs was not measured"],
    [
      "a codec failed",
      [
        measuredTest("latency", "capnp-ts", QUICK),
        refusedTest("latency", "protobufjs", "failed", "out of memory"),
      ],
      "protobufjs: failed: out of memory",
    ],
    [
      "there are too few messages",
      latencies(QUICK, SLOW, { messages: 23 }),
      "fewer than 24 messages arrived",
    ],
    [
      "messages have another size",
      latencies(QUICK, SLOW, { payloadBytes: 650_000 }),
      "messages are of 0.65 MB, the published ones of 6.5 MB",
    ],
    [
      "threads talk, not processes",
      latencies(QUICK, SLOW, { scope: "inter-thread" }),
      "capnp-ts was measured between threads, not between processes",
    ],
    [
      "the codecs were not measured alike",
      [
        measuredTest("latency", "capnp-ts", QUICK),
        measuredTest("latency", "protobufjs", SLOW, { rateHz: 20 }),
      ],
      "capnp-ts and protobufjs were not measured alike",
    ],
  ])("is not testable where %s", (_, tests, reason) => {
    expect(on(tests)).toMatchObject({ verdict: "not testable", reason, parts: [] });
  });

  it("does not take a variant for the codec", () => {
    const tests = [
      measuredTest("latency", "capnp-ts:packed", QUICK),
      measuredTest("latency", "protobufjs", SLOW),
    ];
    expect(on(tests).reason).toBe("capnp-ts was not measured");
  });

  it("is judged on cloud by itself, whatever size stands behind the name", () => {
    const tests = [...latencies(QUICK, SLOW), ...latencies(SLOW, QUICK, { dataset: "cloud:6500000" })];
    expect(resultOn("capnp-latency", tests).verdict).toBe("holds");
    expect(resultOn("capnp-latency", tests, "cloud").verdict).toBe("reversed");
  });

  it("is judged for the originals by themselves", () => {
    const native = (name: string, pace: Pace): IpcTestRecord =>
      measuredTest("latency", name, pace, { program: "cpp/talker" });
    const tests = [
      ...latencies(SLOW, QUICK),
      native("capnp (C++ 0.9)", QUICK),
      native("protobuf (C++ 3.21)", SLOW),
    ];
    expect(resultOn("capnp-latency", tests, "frame", "native").verdict).toBe("holds");
    expect(resultOn("capnp-latency", tests).verdict).toBe("reversed");
    expect(resultOn("capnp-latency", tests.slice(0, 2), "frame", "native")).toMatchObject({
      verdict: "not testable",
      reason: "the original of Cap'n Proto was not measured",
    });
  });
});

describe("the claim of a higher throughput", () => {
  const throughputs = (capnp: number, protobuf: number, messages = 154): IpcTestRecord[] => {
    const at = (codec: string, pace: Pace, payloadBytesPerSecond: number): IpcTestRecord =>
      measuredTest("throughput", codec, pace, {
        messages,
        depth: 2,
        throughput: {
          messagesPerSecond: payloadBytesPerSecond / 6.5e6,
          payloadBytesPerSecond,
          encodedBytesPerSecond: payloadBytesPerSecond,
          shareOfMemcpy: 0.1,
        },
      });
    return [at("capnp-ts", QUICK, capnp), at("protobufjs", SLOW, protobuf)];
  };
  const on = (tests: readonly IpcTestRecord[]): ClaimResult => resultOn("capnp-throughput", tests);

  it("holds where it is higher by more than noise", () => {
    const { verdict, parts } = on(throughputs(1.3e9, 1e9));
    expect(verdict).toBe("holds");
    expect(parts[0]).toMatchObject({
      ratio: expect.closeTo(1.3),
      ci95: [expect.closeTo(1.07), expect.closeTo(1.573)],
      decisive: "encode",
    });
  });

  it("does not hold where it is lower, and waiting for the message before is no cause", () => {
    const { verdict, parts } = on(throughputs(1e9, 1.3e9));
    expect(verdict).toBe("reversed");
    expect(parts[0]).not.toHaveProperty("decisive");
  });

  it("is not testable where the difference is within noise, with the numbers", () => {
    expect(on(throughputs(1.1e9, 1e9))).toMatchObject({
      verdict: "not testable",
      reason: "chance may have made it: the interval is 0.909 to 1.33",
    });
  });

  it("is not testable from less than 1000 MB, or without a throughput", () => {
    expect(on(throughputs(2e9, 1e9, 20)).reason).toBe("130 MB arrived, where the published test has 1000 MB");
    const without = throughputs(2e9, 1e9).map(({ throughput: _, ...row }) => row);
    expect(on(without).reason).toBe("too few messages arrived");
  });
});

describe("the claim of stability", () => {
  /** A drift over 20,000 messages, as shares of a median of 10 ms. */
  const stable = (codec: string, low: number, high: number, messages = 20_000): IpcTestRecord => {
    const slope = (share: number): number => (share * 1e7 * 1000) / messages;
    return measuredTest("stability", codec, QUICK, {
      messages,
      drift: {
        slopePer1000: slope((low + high) / 2),
        ci95: [slope(low), slope(high)],
        firstDecile: 1e7,
        lastDecile: 1e7,
      },
    });
  };
  const on = (capnp: IpcTestRecord, protobuf: IpcTestRecord): ClaimResult =>
    resultOn("capnp-stable", [capnp, protobuf]);

  it("holds where the one is flat and the other drifts", () => {
    const { verdict, parts } = on(stable("capnp-ts", -0.01, 0.02), stable("protobufjs", 0.15, 0.25));
    expect(verdict).toBe("holds");
    expect(parts.map(({ ratio }) => ratio)).toEqual([expect.closeTo(1.005), expect.closeTo(1.2)]);
    expect(parts[1]?.ci95).toEqual([expect.closeTo(1.15), expect.closeTo(1.25)]);
  });

  it.each([
    ["Protobuf is flat too", "does not hold", [-0.01, 0.02], [0.01, 0.02]],
    ["Cap'n Proto drifts", "does not hold", [0.2, 0.3], [0.2, 0.3]],
    ["Cap'n Proto gets quicker", "does not hold", [-0.3, -0.2], [0.2, 0.3]],
    ["Cap'n Proto drifts and Protobuf is flat", "reversed", [0.2, 0.3], [0.01, 0.02]],
  ] as const)("where %s: %s", (_, verdict, [low, high], [from, to]) => {
    expect(on(stable("capnp-ts", low, high), stable("protobufjs", from, to)).verdict).toBe(verdict);
  });

  it.each([
    ["Protobuf may be either", [-0.01, 0.02], [0.02, 0.3]],
    ["Cap'n Proto may be either", [-0.2, 0.2], [0.2, 0.3]],
  ] as const)("is not testable where %s", (_, [low, high], [from, to]) => {
    expect(on(stable("capnp-ts", low, high), stable("protobufjs", from, to))).toMatchObject({
      verdict: "not testable",
      reason: expect.stringContaining("may be flat or drift"),
    });
  });

  it("is not testable from fewer messages, or without a drift", () => {
    const few = on(stable("capnp-ts", 0, 0.01, 500), stable("protobufjs", 0.2, 0.3, 500));
    expect(few.verdict).toBe("not testable");
    expect(few.reason).toBe("500 messages, where the published test has 20000");
    const bare = (codec: string): IpcTestRecord =>
      measuredTest("stability", codec, QUICK, { messages: 20_000 });
    expect(on(bare("capnp-ts"), bare("protobufjs")).reason).toBe("too few messages arrived");
  });
});

describe("the claim of fewer drops", () => {
  const drops = (
    test: "one-to-two" | "two-to-one",
    capnp: number,
    protobuf: number,
    own: Partial<IpcTestRecord> = {},
  ): IpcTestRecord[] => {
    const at = (codec: string, pace: Pace, lost: number): IpcTestRecord =>
      measuredTest(test, codec, pace, {
        dataset: "frame:26000000",
        payloadBytes: 26_000_000,
        reliability: "best-effort",
        rateHz: 20,
        pairs: [0, 1].map((id) => pairOf(0, id, 100, timesOf(100 - lost, 1e7), lost)),
        ...own,
      });
    return [at("capnp-ts", QUICK, capnp), at("protobufjs", SLOW, protobuf)];
  };
  const on = (...tests: readonly IpcTestRecord[][]): ClaimResult =>
    resultOn("capnp-drops-less", tests.flat());

  it("holds where fewer are lost in both tests", () => {
    const { verdict, parts } = on(drops("one-to-two", 0, 28), drops("two-to-one", 0, 25));
    expect(verdict).toBe("holds");
    expect(parts).toHaveLength(2);
    expect(parts[0]).toMatchObject({
      what: "share dropped, one-to-two (published: 0 and 28 of 100)",
      figures: [
        { of: "capnp-ts", value: 0, unit: "share", messages: 200 },
        { of: "protobufjs", value: 0.28, unit: "share", messages: 200 },
      ],
      decisive: "encode",
    });
  });

  it("does not hold where more are lost in one of them, even if the other was not made", () => {
    expect(on(drops("one-to-two", 28, 0), drops("two-to-one", 0, 25)).verdict).toBe("does not hold");
    expect(on(drops("two-to-one", 28, 0)).verdict).toBe("does not hold");
  });

  it.each([
    ["as many are lost", drops("two-to-one", 10, 12), "as many may be lost with both"],
    [
      "nothing may be lost",
      drops("two-to-one", 0, 0, { reliability: "reliable" }),
      "nothing was sent that may be lost",
    ],
    [
      "messages are of another size",
      drops("two-to-one", 0, 28, { payloadBytes: 2_600_000 }),
      "messages are of 2.6 MB, the published ones of 26 MB",
    ],
    ["a test was not made", [], "the test two-to-one was not made on frame"],
  ])("is not testable where %s in one of them", (_, tests, reason) => {
    expect(on(drops("one-to-two", 0, 28), tests)).toMatchObject({ verdict: "not testable", reason });
  });

  it("does not hold where Protobuf loses nothing that comes near the published loss", () => {
    expect(on(drops("one-to-two", 0, 0), drops("two-to-one", 0, 0)).verdict).toBe("does not hold");
  });

  it("is reversed where Cap'n Proto loses more in both", () => {
    expect(on(drops("one-to-two", 28, 0), drops("two-to-one", 25, 0)).verdict).toBe("reversed");
  });
});

describe("the claim of less work for a single point", () => {
  /** Of all tests there are processes whose first message counts. */
  const points = (capnp: Pace, protobuf: Pace, messages = 100): IpcTestRecord[] =>
    (["single-point", "latency", "throughput", "stability"] as const).flatMap((test) => [
      measuredTest(test, "capnp-ts", capnp, { messages }),
      measuredTest(test, "protobufjs", protobuf, { messages }),
    ]);
  const on = (tests: readonly IpcTestRecord[]): ClaimResult => resultOn("capnp-single-point", tests);

  it("holds where encode and decode are shorter and steadier, and the first message too", () => {
    const { verdict, parts } = on(points({ ...QUICK, decodeMs: 2 }, SLOW));
    expect(verdict).toBe("holds");
    expect(parts.map(({ what }) => what)).toEqual([
      "median of encode, 100 messages",
      "median of decode, 100 messages",
      "spread of encode, p90 less p50",
      "first message of a talker, 4 and 4 processes",
      "spread of decode, p90 less p50",
      "first message of a listener, 4 and 4 processes",
    ]);
    expect(parts[0]).toMatchObject({
      ratio: 0.2,
      ci95: [expect.closeTo(0.165, 3), expect.closeTo(0.242, 3)],
    });
  });

  it("does not hold where one side has more to do, and is reversed where both have", () => {
    expect(on(points({ ...QUICK, decodeMs: 20 }, SLOW)).verdict).toBe("does not hold");
    expect(on(points({ ...QUICK, encodeMs: 50, decodeMs: 20 }, SLOW)).verdict).toBe("reversed");
  });

  it("is not testable where a side has as much to do", () => {
    expect(on(points({ ...QUICK, decodeMs: 5 }, SLOW)).verdict).toBe("not testable");
  });

  it("is not testable from fewer messages", () => {
    expect(on(points(QUICK, SLOW, 20)).reason).toBe("20 messages, where the published test has 100");
  });

  it("holds weaker where less is certain, and the first messages of three processes tell nothing", () => {
    const { verdict, parts } = on(points({ ...QUICK, decodeMs: 2 }, SLOW).slice(0, 6));
    expect(verdict).toBe("holds weaker");
    expect(parts.filter((part) => part.verdict === "not testable").map(({ what }) => what)).toEqual([
      "first message of a talker, 3 and 3 processes",
      "first message of a listener, 3 and 3 processes",
    ]);
  });
});
