/** Logs of talkers and listeners, and what is made of them: every message counts once, or the test fails. */
import { describe, expect, it } from "vitest";
import type { Exchange, PhaseLogs } from "../../../src/ipc/exchange/exchange.ts";
import { OUTCOME, type ProcessUse, type ReceivedLog, type TalkerLog } from "../../../src/ipc/exchange/job.ts";
import { messagesOf, pairsOf } from "../../../src/ipc/figures/accounts.ts";
import { memcpyBytesPerSecond, summaryOf } from "../../../src/ipc/figures/summary.ts";
import { WirebenchError } from "../../../src/model/errors.ts";

const MS = 1e6;
const USE: ProcessUse = {
  cpuMs: { user: 1, system: 1 },
  rssBytes: { start: 1, end: 2, peak: 3 },
  rssSamples: [],
  gc: { count: 0, totalMs: 0, longestMs: 0 },
};

/** Messages due every 10 ms, that take 1 ms to encode, 2 on their way, 0.5 in the queue and 3 to decode. */
function logs(
  messages: number,
  { talkers = 1, listeners = 1, lateMs = 0 }: { talkers?: number; listeners?: number; lateMs?: number } = {},
): PhaseLogs {
  const times = (offset: number): Float64Array =>
    Float64Array.from({ length: messages }, (_, i) => 1000 * MS + (10 * i + offset) * MS);
  const talker = (): TalkerLog => ({
    intended: times(0),
    encodeStart: times(lateMs),
    encoded: times(lateMs + 1),
    sent: Array.from({ length: listeners }, () => times(lateMs + 1.25)),
    dropped: Array.from({ length: listeners }, () => new Uint8Array(messages)),
    stalled: 4 * MS,
    use: USE,
  });
  const received = (): ReceivedLog => ({
    firstByte: times(lateMs + 2),
    lastByte: times(lateMs + 3),
    taken: times(lateMs + 3.5),
    read: times(lateMs + 6.5),
    outcome: new Uint8Array(messages).fill(OUTCOME.received),
    outOfOrder: 0,
  });
  return {
    phase: { name: "measured", messages, window: 1, limit: Number.POSITIVE_INFINITY },
    talkers: Array.from({ length: talkers }, talker),
    listeners: Array.from({ length: listeners }, () => ({
      talkers: Array.from({ length: talkers }, received),
      use: USE,
    })),
  };
}

function exchangeOf(phase: PhaseLogs): Exchange {
  const part = (role: "talker" | "listener", id: number) => ({
    role,
    id,
    startMs: 1,
    bindMs: 2,
    connectMs: 3,
  });
  return {
    bound: {
      encodedBytes: [1000],
      dataset: { sha256: "", values: 1, int64: "number" },
    },
    parts: [
      ...phase.talkers.map((_, id) => part("talker", id)),
      ...phase.listeners.map((_, id) => part("listener", id)),
    ],
    phases: [phase],
    clockNanos: 1,
  };
}

describe("the account", () => {
  it("has a row for each message on its way to each listener", () => {
    const phase = logs(3, { talkers: 2, listeners: 2 });
    const messages = messagesOf(phase, [1000]);
    expect(messages).toHaveLength(12);
    expect(pairsOf(phase, messages)).toHaveLength(4);
    expect(messages[0]).toEqual({
      phase: "measured",
      talker: 0,
      listener: 0,
      sequence: 0,
      outcome: "received",
      encodedBytes: 1000,
      intended: 1000 * MS,
      encodeStart: 1000 * MS,
      encoded: 1001 * MS,
      sent: 1001.25 * MS,
      firstByte: 1002 * MS,
      lastByte: 1003 * MS,
      taken: 1003.5 * MS,
      read: 1006.5 * MS,
    });
  });

  it("says where each message was lost, the last one too", () => {
    const phase = logs(5);
    const { outcome } = phase.listeners[0]!.talkers[0]!;
    outcome[1] = OUTCOME.overwritten;
    outcome[3] = OUTCOME.receiver;
    outcome[4] = OUTCOME.missing;
    phase.talkers[0]!.dropped[0]![4] = 1;
    const messages = messagesOf(phase, [1000]);
    expect(messages.map((message) => message.outcome)).toEqual([
      "received",
      "dropped-overwritten",
      "received",
      "dropped-receiver",
      "dropped-sender",
    ]);
    expect(messages[4]?.read).toBeUndefined();
    expect(messages[4]?.sent).toBeUndefined();
    expect(messages[3]?.sent).toBeDefined();
    expect(pairsOf(phase, messages)).toMatchObject([
      { published: 5, received: 2, drops: { sender: 1, overwritten: 1, receiver: 1 }, totalMs: 26.5 },
    ]);
  });

  it.each([
    [OUTCOME.missing, 0, "message 1 of talker 0 never came to listener 0, and nobody dropped it"],
    [OUTCOME.received, 1, "message 1 of talker 0 was dropped before it was sent, and came to listener 0"],
  ])("does not hold for a message that is lost or counted twice: %i", (outcome, dropped, problem) => {
    const phase = logs(3);
    phase.listeners[0]!.talkers[0]!.outcome[1] = outcome;
    phase.talkers[0]!.dropped[0]![1] = dropped;
    expect(() => messagesOf(phase, [1000])).toThrow(problem);
  });
});

describe("the account of several talkers and listeners", () => {
  /** Of three messages the listener 1 lost the last of talker 0, and talker 1 dropped its first for listener 0. */
  function several(): PhaseLogs {
    const phase = logs(3, { talkers: 2, listeners: 2 });
    phase.listeners[1]!.talkers[0]!.outcome[2] = OUTCOME.overwritten;
    phase.talkers[1]!.dropped[0]![0] = 1;
    phase.listeners[0]!.talkers[1]!.outcome[0] = OUTCOME.missing;
    phase.listeners[1]!.talkers[1]!.read[2] = 1040 * MS;
    const [first, second] = phase.listeners;
    const late = { ...first!.talkers[0]!, outOfOrder: 7 };
    return { ...phase, listeners: [{ ...first!, talkers: [late, first!.talkers[1]!] }, second!] };
  }

  it("has for each pair what became of its own messages", () => {
    const phase = several();
    const pairs = pairsOf(phase, messagesOf(phase, [1000]));
    const none = { sender: 0, overwritten: 0, receiver: 0 };
    const own = { published: 3, received: 3, drops: none, outOfOrder: 0 };
    expect(pairs.map(({ endToEnd: _, ...pair }) => pair)).toEqual([
      { talker: 0, listener: 0, ...own, totalMs: 26.5, outOfOrder: 7 },
      { talker: 0, listener: 1, ...own, received: 2, drops: { ...none, overwritten: 1 }, totalMs: 16.5 },
      { talker: 1, listener: 0, ...own, received: 2, drops: { ...none, sender: 1 }, totalMs: 26.5 },
      { talker: 1, listener: 1, ...own, totalMs: 40 },
    ]);
    expect(pairs.map(({ endToEnd }) => endToEnd.n)).toEqual([3, 2, 2, 3]);
    expect(pairs[3]!.endToEnd.max).toBe(20 * MS);
  });

  it("has the messages of each talker, listener by listener, as they were sent", () => {
    const rows = messagesOf(several(), [10, 20]);
    expect(rows.map(({ talker, listener, sequence }) => `${talker}${listener}${sequence}`).join(" ")).toBe(
      "000 001 002 010 011 012 100 101 102 110 111 112",
    );
    expect(rows.slice(0, 3).map(({ encodedBytes }) => encodedBytes)).toEqual([10, 20, 10]);
    const sender = rows[6]!;
    expect(sender.outcome).toBe("dropped-sender");
    for (const time of ["sent", "firstByte", "lastByte", "taken", "read"])
      expect(Object.keys(sender)).not.toContain(time);
  });

  it("names the message and the listener that it did not come to", () => {
    const phase = several();
    phase.listeners[1]!.talkers[1]!.outcome[2] = OUTCOME.missing;
    expect(() => messagesOf(phase, [1000])).toThrow(
      /^message 2 of talker 1 never came to listener 1, and nobody dropped it$/,
    );
  });

  it("has no outcome that nobody knows", () => {
    const phase = several();
    phase.listeners[0]!.talkers[0]!.outcome[0] = 99;
    expect(() => messagesOf(phase, [1000])).toThrow(WirebenchError);
  });
});

describe("the summary", () => {
  it("splits a message's time into its stages", () => {
    const { figures } = summaryOf(exchangeOf(logs(40, { lateMs: 2 })), 900, 1e9);
    const medians = Object.fromEntries(
      Object.entries(figures.stages).map(([stage, percentiles]) => [stage, percentiles.p50 / MS]),
    );
    expect(medians).toEqual({
      encode: 1,
      transport: 2,
      queue: 0.5,
      decode: 3,
      endToEnd: 6.5,
      // From when it was due, 2 ms before.
      response: 8.5,
    });
    expect(figures.stages.encode).toMatchObject({ n: 40 });
    expect(figures.stages.encode).not.toHaveProperty("p90");
  });

  it("times throughput where the messages arrive", () => {
    const { figures } = summaryOf(exchangeOf(logs(101)), 900, 1e6);
    // From the first byte of the first, at 2 ms, to the last field of the last, at 1006.5.
    const perSecond = 101 / 1.0045;
    expect(figures.throughput).toEqual({
      messagesPerSecond: expect.closeTo(perSecond, 6),
      payloadBytesPerSecond: expect.closeTo(perSecond * 900, 3),
      encodedBytesPerSecond: expect.closeTo(perSecond * 1000, 3),
      shareOfMemcpy: expect.closeTo(perSecond / 1000, 9),
    });
  });

  it("encodes a message once, however many listeners it has", () => {
    const { figures } = summaryOf(exchangeOf(logs(20, { listeners: 2 })), 900, 1e9);
    expect(figures.stages.encode?.n).toBe(20);
    expect(figures.stages.decode?.n).toBe(40);
  });

  it("says how unfair talkers were treated", () => {
    const phase = logs(20, { talkers: 2 });
    const { read } = phase.listeners[0]!.talkers[1]!;
    read.forEach((time, i) => {
      read[i] = time + 6.5 * MS;
    });
    expect(summaryOf(exchangeOf(phase), 900, 1e9).figures.unfairness).toBe(2);
    expect(summaryOf(exchangeOf(logs(20)), 900, 1e9).figures).not.toHaveProperty("unfairness");
  });

  it("says what each process took", () => {
    const { figures } = summaryOf(exchangeOf(logs(10)), 900, 1e9);
    expect(figures.processes).toMatchObject([
      {
        role: "talker",
        id: 0,
        handlingMs: 10,
        firstHandling: MS,
        stalledMs: 4,
        startMs: 1,
        bindMs: 2,
        connectMs: 3,
      },
      { role: "listener", id: 0, handlingMs: 30, firstHandling: 3 * MS, stalledMs: 0 },
    ]);
  });

  it("takes for the first message of a listener the one that it met first, whoever sent it", () => {
    const phase = logs(10, { talkers: 2 });
    const { taken, read } = phase.listeners[0]!.talkers[1]!;
    taken[0] = 900 * MS;
    read[0] = 907 * MS;
    const listener = summaryOf(exchangeOf(phase), 900, 1e9).figures.processes.at(-1);
    expect(listener).toMatchObject({ role: "listener", firstHandling: 7 * MS });
  });

  it("has no trend where messages are missing", () => {
    const phase = logs(40);
    phase.listeners[0]!.talkers[0]!.outcome[3] = OUTCOME.receiver;
    expect(summaryOf(exchangeOf(phase), 900, 1e9).figures).not.toHaveProperty("drift");
  });

  it("has no trend of messages that took several ways", () => {
    expect(summaryOf(exchangeOf(logs(40)), 900, 1e9).figures.drift).toMatchObject({ slopePer1000: 0 });
    expect(summaryOf(exchangeOf(logs(40, { talkers: 2 })), 900, 1e9).figures).not.toHaveProperty("drift");
  });

  it("sums up a test of which nothing arrived", () => {
    const phase = logs(3);
    phase.listeners[0]!.talkers[0]!.outcome.fill(OUTCOME.overwritten);
    const { figures } = summaryOf(exchangeOf(phase), 900, 1e9);
    expect(figures.pairs).toMatchObject([
      { published: 3, received: 0, drops: { overwritten: 3 }, totalMs: 0 },
    ]);
    expect(figures).not.toHaveProperty("throughput");
  });
});

it("memory of any size is copied at some speed", () => {
  for (const bytes of [1, 100, 1_000_000]) {
    const rate = memcpyBytesPerSecond(bytes);
    expect(rate).toBeGreaterThan(0);
    expect(Number.isSafeInteger(rate)).toBe(true);
  }
});
