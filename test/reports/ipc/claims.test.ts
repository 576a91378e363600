/** What a record says of the published claims: each outcome of each. */
import { describe, expect, it } from "vitest";
import { type ClaimName, claimOutcomes } from "../../../src/analysis/claims/claims.ts";
import type { IpcRecord, IpcTestRecord } from "../../../src/model/records/ipc.ts";
import { renderIpcMarkdown } from "../../../src/reports/ipc/markdown.ts";
import { type ClaimWords, claimWords } from "../../../src/reports/sections/ipc/claims.ts";
import { ipcRecordOf, measuredTest, type Pace, pairOf, refusedTest, timesOf } from "../ipc-record.ts";

const QUICK: Pace = { encodeMs: 2, transportMs: 4, decodeMs: 4 };
const SLOW: Pace = { encodeMs: 10, transportMs: 6, decodeMs: 5 };

function wordsOn(claim: ClaimName, tests: readonly IpcTestRecord[], dataset = "frame"): ClaimWords {
  const found = claimOutcomes(ipcRecordOf(tests)).filter(
    (one) => one.claim === claim && one.dataset === dataset,
  );
  expect(found).toHaveLength(1);
  return claimWords(found[0]!);
}

describe("the claim of half the latency", () => {
  const latencies = (capnp: Pace, protobuf: Pace, own: Partial<IpcTestRecord> = {}): IpcTestRecord[] => [
    measuredTest("latency", "capnp-ts", capnp, own),
    measuredTest("latency", "protobufjs", protobuf, own),
  ];
  const on = (tests: readonly IpcTestRecord[]): ClaimWords => wordsOn("capnp-latency", tests);

  it("holds where the ratio is at most two thirds for certain, and the stage is named", () => {
    const { outcome, because, stage } = on(latencies(QUICK, SLOW));
    expect(outcome).toBe("holds here");
    expect(because).toContain("capnp-ts 10.0 ms (9.09 ms to 11.0 ms) and protobufjs 21.0 ms");
    expect(because).toContain("0.48 times (0.39 to 0.58), published 0.48 on x86_64 and 0.03 on aarch64");
    expect(stage).toContain("encode made the difference");
    expect(stage).toContain("encode -8.00 ms, transport -2.00 ms, queue +0.00 ns, decode -1.00 ms");
  });

  it.each([
    ["slower", SLOW, QUICK],
    ["as quick", QUICK, QUICK],
    ["quicker by a tenth", QUICK, { ...QUICK, encodeMs: 3.1 }],
  ])("does not hold where Cap'n Proto is %s", (_, capnp, protobuf) => {
    expect(on(latencies(capnp, protobuf)).outcome).toBe("does not hold here");
  });

  it("names the stage that made Cap'n Proto slower", () => {
    expect(on(latencies({ ...QUICK, decodeMs: 30 }, SLOW)).stage).toContain("decode made the difference");
  });

  it("cannot be told where the ratio may be on either side of two thirds", () => {
    const within = on(latencies(QUICK, { ...QUICK, encodeMs: 7 }));
    expect(within.outcome).toBe("cannot be told");
    expect(within).not.toHaveProperty("stage");
  });

  it.each([
    ["the test was not made", [], "the test was not made on frame"],
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
  ])("cannot be told where %s", (_, tests, because) => {
    expect(on(tests)).toMatchObject({ outcome: "cannot be told", because });
    expect(on(tests)).not.toHaveProperty("stage");
  });

  it("does not take a variant for the codec", () => {
    const tests = [
      measuredTest("latency", "capnp-ts:packed", QUICK),
      measuredTest("latency", "protobufjs", SLOW),
    ];
    expect(on(tests).because).toBe("capnp-ts was not measured");
  });

  it("is judged on cloud by itself, whatever size stands behind the name", () => {
    const tests = [...latencies(QUICK, SLOW), ...latencies(SLOW, QUICK, { dataset: "cloud:6500000" })];
    expect(wordsOn("capnp-latency", tests).outcome).toBe("holds here");
    expect(wordsOn("capnp-latency", tests, "cloud").outcome).toBe("does not hold here");
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
  const on = (tests: readonly IpcTestRecord[]): ClaimWords => wordsOn("capnp-throughput", tests);

  it("holds where it is higher by more than noise", () => {
    const { outcome, because, stage } = on(throughputs(1.3e9, 1e9));
    expect(outcome).toBe("holds here");
    expect(because).toBe("capnp-ts 1,300 MB/s, protobufjs 1,000 MB/s of payload: 1.30 times (1.07 to 1.57)");
    expect(stage).toContain("encode made the difference");
  });

  it("does not hold where it is lower, and waiting for the message before is no cause", () => {
    const { outcome, stage } = on(throughputs(1e9, 1.3e9));
    expect(outcome).toBe("does not hold here");
    expect(stage).toMatch(/^none of encode, decode made a difference; /);
  });

  it("cannot be told where the difference is within noise, with the numbers", () => {
    expect(on(throughputs(1.1e9, 1e9))).toMatchObject({
      outcome: "cannot be told",
      because: expect.stringContaining("1.10 times (0.91 to 1.33)"),
    });
  });

  it("cannot be told from less than 1000 MB, or without a throughput", () => {
    expect(on(throughputs(2e9, 1e9, 20)).because).toMatch(
      /^130 MB arrived, where the published test has 1000 MB; /,
    );
    const without = throughputs(2e9, 1e9).map(({ throughput: _, ...row }) => row);
    expect(on(without).because).toBe("too few messages arrived");
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
  const on = (capnp: IpcTestRecord, protobuf: IpcTestRecord): ClaimWords =>
    wordsOn("capnp-stable", [capnp, protobuf]);

  it("holds where the one is flat and the other drifts", () => {
    const { outcome, because, stage } = on(stable("capnp-ts", -0.01, 0.02), stable("protobufjs", 0.15, 0.25));
    expect(outcome).toBe("holds here");
    expect(because).toBe(
      "capnp-ts is flat: +0.5 % of its median over the run (-1.0 % to +2.0 %), p99 is 1.50 times the median; protobufjs drifts: +20 % of its median over the run (+15 % to +25 %), p99 is 1.50 times the median",
    );
    expect(stage).toContain("capnp-ts's times are spread most by transport");
  });

  it.each([
    ["Protobuf is flat too", [-0.01, 0.02], [0.01, 0.02]],
    ["Cap'n Proto drifts", [0.2, 0.3], [0.2, 0.3]],
    ["Cap'n Proto gets quicker", [-0.3, -0.2], [0.2, 0.3]],
  ] as const)("does not hold where %s", (_, [low, high], [from, to]) => {
    expect(on(stable("capnp-ts", low, high), stable("protobufjs", from, to)).outcome).toBe(
      "does not hold here",
    );
  });

  it.each([
    ["Protobuf may be either", [-0.01, 0.02], [0.02, 0.3]],
    ["Cap'n Proto may be either", [-0.2, 0.2], [0.2, 0.3]],
  ] as const)("cannot be told where %s", (_, [low, high], [from, to]) => {
    expect(on(stable("capnp-ts", low, high), stable("protobufjs", from, to))).toMatchObject({
      outcome: "cannot be told",
      because: expect.stringContaining("may be either"),
    });
  });

  it("cannot be told from fewer messages, or without a drift", () => {
    const few = on(stable("capnp-ts", 0, 0.01, 500), stable("protobufjs", 0.2, 0.3, 500));
    expect(few.outcome).toBe("cannot be told");
    expect(few.because).toMatch(/^500 messages, where the published test has 20,000; capnp-ts is flat: /);
    const bare = (codec: string): IpcTestRecord => measuredTest("stability", codec, QUICK);
    expect(on(bare("capnp-ts"), bare("protobufjs")).because).toBe("too few messages arrived");
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
  const on = (...tests: readonly IpcTestRecord[][]): ClaimWords => wordsOn("capnp-drops-less", tests.flat());

  it("holds where fewer are lost in both tests", () => {
    const { outcome, because, stage } = on(drops("one-to-two", 0, 28), drops("two-to-one", 0, 25));
    expect(outcome).toBe("holds here");
    expect(because).toContain(
      "one-to-two, sent at 20 per second to queues that keep 1: capnp-ts drops 0 of 200 (0.0 % to 7.1 %), protobufjs 56 of 200 (17 % to 42 %)",
    );
    expect(because).toContain("two-to-one, sent at 20 per second");
    expect(stage).toMatch(
      /^one-to-two: capnp-ts and protobufjs lost in talkers' queues 0 and 0, overwritten 0 and 0, in listeners' queues 0 and 56; encode made the difference; .*; two-to-one: capnp-ts and/,
    );
  });

  it("does not hold where more are lost in one of them, even if the other was not made", () => {
    expect(on(drops("one-to-two", 28, 0), drops("two-to-one", 0, 25)).outcome).toBe("does not hold here");
    expect(on(drops("two-to-one", 28, 0)).outcome).toBe("does not hold here");
  });

  it.each([
    ["nothing is lost", drops("two-to-one", 0, 0), "nothing was lost, so there is nothing to compare"],
    ["as many are lost", drops("two-to-one", 10, 12), "capnp-ts drops 20 of 200"],
    [
      "nothing may be lost",
      drops("two-to-one", 0, 0, { reliability: "reliable" }),
      "nothing was sent that may be lost",
    ],
    [
      "messages are of another size",
      drops("two-to-one", 0, 28, { payloadBytes: 2_600_000 }),
      "two-to-one: messages are of 2.6 MB, the published ones of 26 MB",
    ],
    ["a test was not made", [], "two-to-one: the test was not made on frame"],
  ])("cannot be told where %s in one of them", (_, tests, because) => {
    expect(on(drops("one-to-two", 0, 28), tests)).toMatchObject({
      outcome: "cannot be told",
      because: expect.stringContaining(because),
    });
  });
});

describe("the claim of less work for a single point", () => {
  /** Of all tests there are processes whose first message counts. */
  const points = (capnp: Pace, protobuf: Pace, messages = 100): IpcTestRecord[] =>
    (["single-point", "latency", "throughput", "stability"] as const).flatMap((test) => [
      measuredTest(test, "capnp-ts", capnp, { messages }),
      measuredTest(test, "protobufjs", protobuf, { messages }),
    ]);
  const on = (tests: readonly IpcTestRecord[]): ClaimWords => wordsOn("capnp-single-point", tests);

  it("holds where encode and decode are shorter and steadier, and the first message too", () => {
    const { outcome, because, stage } = on(points({ ...QUICK, decodeMs: 2 }, SLOW));
    expect(outcome).toBe("holds here");
    expect(because).toContain("encode of 100: 2.00 ms and 10.0 ms (0.17 to 0.24 times)");
    expect(because).toContain("spread of decode: 80.0 µs and 200 µs");
    expect(because).toContain(
      "first message of the talker: 10.0 ms to 10.0 ms in 4 processes and 50.0 ms to 50.0 ms in 4 processes",
    );
    expect(stage).toContain("not certain: nothing");
  });

  it("does not hold where one side has more to do", () => {
    const { outcome, stage } = on(points({ ...QUICK, decodeMs: 20 }, SLOW));
    expect(outcome).toBe("does not hold here");
    expect(stage).toBe("against the claim: decode of 100, spread of decode, first message of the listener");
  });

  it("cannot be told where a side has as much to do", () => {
    const { outcome, stage } = on(points({ ...QUICK, decodeMs: 5 }, SLOW));
    expect(outcome).toBe("cannot be told");
    expect(stage).toMatch(/; not certain: decode of 100, spread of decode, first message of the listener$/);
  });

  it("cannot be told from fewer messages, or from the first messages of three processes", () => {
    expect(on(points(QUICK, SLOW, 20)).because).toBe("20 messages, where the published test has 100");
    const three = on(points({ ...QUICK, decodeMs: 2 }, SLOW).slice(0, 6));
    expect(three.outcome).toBe("cannot be told");
    expect(three.stage).toMatch(/not certain: first message of the talker, first message of the listener$/);
  });
});

describe("the section on what was published", () => {
  const markdown = (record: IpcRecord): string => renderIpcMarkdown(record);
  const record = ipcRecordOf([
    measuredTest("latency", "capnp-ts", QUICK),
    measuredTest("latency", "protobufjs", SLOW),
    measuredTest("latency", "capnp-ts", SLOW, { dataset: "cloud" }),
    measuredTest("one-to-two", "capnp-ts", QUICK, {
      reliability: "best-effort",
      pairs: [pairOf(0, 0, 100, timesOf(98, 1e7), 2), pairOf(0, 1, 100, timesOf(97, 1e7), 3)],
    }),
  ]);

  it("has the published latencies beside ours", () => {
    expect(markdown(record)).toMatch(
      /\| published, x86_64 +\| +6\.5 MB \| +63\.133 ms \| +131\.145 ms \| +0\.48 \|/,
    );
    expect(markdown(record)).toMatch(/\| published, aarch64 +\| .* 2,092\.023 ms \| +0\.03 \|/);
    expect(markdown(record)).toMatch(
      /\| here, frame, median +\| +6\.5 MB \| +10\.0 ms \| +21\.0 ms \| +0\.48 \|/,
    );
    expect(markdown(record)).toMatch(/\| here, cloud, median +\| +6\.5 MB \| +21\.0 ms \| +– \| +\|/);
  });

  it("has the published drops and totals beside ours of the same size", () => {
    expect(markdown(record)).toMatch(
      /\| one-to-two \| published +\| +26 MB \| +0 of 100 \| +28 of 100 \| 33,837\.6 ms, 33,823\.4 ms \| 41,962\.9 ms, 41,945\.8 ms \|/,
    );
    expect(markdown(record)).toMatch(
      /\| one-to-two \| here, frame, best-effort \| +6\.5 MB \| +2, 3 of 100 \| +– \| +1\.23 s, 1\.23 s \| +– \|/,
    );
    expect(markdown(record).match(/here, frame, best-effort/g)).toHaveLength(1);
  });

  it("has a verdict per claim and dataset, with its numbers, and the rules", () => {
    const section = markdown(record).split("### Whether the claims hold")[1] ?? "";
    expect(section.match(/^- /gm)?.length).toBeGreaterThanOrEqual(5);
    expect(section.match(/^ {2}- frame: \*\*(holds|does not hold|cannot be told)/gm)).toHaveLength(5);
    expect(section.match(/^ {2}- cloud: \*\*/gm)).toHaveLength(5);
    expect(section).toContain("frame: **holds here**: medians of capnp-ts 10.0 ms");
    expect(section).toContain("Stages: encode made the difference");
    expect(section).toContain("every fourth message counts as independent");
  });

  it("is left out where there is nothing to put beside them", () => {
    const other = ipcRecordOf([measuredTest("latency", "json", QUICK)]);
    expect(markdown(other)).not.toContain("Published figures");
    const mine = ipcRecordOf([measuredTest("latency", "capnp-ts", QUICK, { dataset: "mine" })]);
    expect(markdown(mine)).not.toContain("Published figures");
    expect(claimOutcomes(mine).map(({ judgement }) => judgement)).toEqual(Array(5).fill("undecided"));
  });

  it("does not let a reason out of its place", () => {
    const hostile = ipcRecordOf([
      measuredTest("latency", "capnp-ts", QUICK),
      refusedTest("latency", "protobufjs", "failed", "first\n\n## second\u001b[2J"),
    ]);
    expect(markdown(hostile)).toContain(
      "frame: **cannot be told**: protobufjs: failed: first ## second [2J.",
    );
  });
});
