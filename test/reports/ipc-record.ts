/** Records of runs between processes that nobody made, for tests of what is made of them. */
import type {
  IpcPair,
  IpcPercentiles,
  IpcProcess,
  IpcRecord,
  IpcStages,
  IpcTestName,
  IpcTestRecord,
} from "../../src/model/records/ipc.ts";
import { recordOf } from "./record.ts";

/** Percentiles around a median, of which only those are there that so many messages tell. */
export function timesOf(n: number, p50: number): IpcPercentiles {
  return {
    n,
    min: p50 * 0.96,
    ...(n >= 20 ? { p50 } : {}),
    ...(n >= 100 ? { p90: p50 * 1.04 } : {}),
    ...(n >= 1000 ? { p99: p50 * 1.5 } : {}),
    ...(n >= 10_000 ? { p999: p50 * 2 } : {}),
    max: p50 * 3,
  };
}

/** What a codec takes, in milliseconds. */
export interface Pace {
  readonly encodeMs: number;
  readonly transportMs: number;
  readonly decodeMs: number;
}

/** A measured test of 100 messages of 6.5 MB on `frame`, over a socket, one at a time. */
export function measuredTest(
  test: IpcTestName,
  codec: string,
  { encodeMs, transportMs, decodeMs }: Pace,
  own: Partial<IpcTestRecord> = {},
): IpcTestRecord {
  const row = { ...identity(test, codec), ...own };
  const of = (milliseconds: number): IpcPercentiles => timesOf(row.messages, milliseconds * 1e6);
  const whole = encodeMs + transportMs + decodeMs;
  const listeners = test === "one-to-two" ? 2 : 1;
  const talkers = test === "two-to-one" ? 2 : 1;
  const stages: IpcStages = {
    encode: of(encodeMs),
    transport: of(transportMs),
    queue: of(0.01),
    decode: of(decodeMs),
    endToEnd: of(whole),
    response: of(whole + 1),
  };
  const ids = (count: number): number[] => Array.from({ length: count }, (_, id) => id);
  return {
    ...row,
    status: "measured",
    pairs: ids(talkers).flatMap((talker) =>
      ids(listeners).map((listener) => pairOf(talker, listener, row.messages, of(whole))),
    ),
    stages,
    processes: [
      ...ids(talkers).map((id) => processOf("talker", id, row.messages, encodeMs)),
      ...ids(listeners).map((id) => processOf("listener", id, row.messages, decodeMs)),
    ],
    ...own,
  };
}

/** A test that has a reason instead of numbers. */
export function refusedTest(
  test: IpcTestName,
  codec: string,
  status: "failed" | "unsupported",
  reason: string,
  own: Partial<IpcTestRecord> = {},
): IpcTestRecord {
  return { ...identity(test, codec), status, reason, ...own };
}

/** A pair of which the listener lost some messages that were already in its queue. */
export function pairOf(
  talker: number,
  listener: number,
  published: number,
  endToEnd: IpcPercentiles,
  lost = 0,
): IpcPair {
  return {
    talker,
    listener,
    published,
    received: published - lost,
    drops: { sender: 0, overwritten: 0, receiver: lost },
    totalMs: 1234.5,
    outOfOrder: 0,
    endToEnd,
  };
}

/** A process that handles its first message five times as long as the others. */
export function processOf(
  role: IpcProcess["role"],
  id: number,
  messages: number,
  handlingMs: number,
): IpcProcess {
  return {
    role,
    id,
    startMs: 60,
    bindMs: 60,
    connectMs: 2.5,
    cpuMs: { user: handlingMs * messages, system: 12 },
    handlingMs: handlingMs * messages,
    firstHandling: handlingMs * 5e6,
    rssBytes: { start: 100e6, end: 120e6, peak: 150e6 },
    rssSamples: [
      { messages: 0, bytes: 100e6 },
      { messages: 1000, bytes: 120e6 },
      { messages: 2000, bytes: 120.5e6 },
      { messages: 3000, bytes: 121e6 },
    ],
    gc: { count: 7, totalMs: 14, longestMs: 5 },
    stalledMs: 3,
  };
}

function identity(test: IpcTestName, codec: string): IpcTestRecord {
  return {
    test,
    codec,
    format: "any",
    library: `lib-${codec}`,
    version: "1.2.3",
    dataset: "frame",
    status: "measured",
    payloadBytes: 6_500_000,
    encodedBytes: 6_500_040,
    transport: "uds",
    scope: "inter-process",
    reliability: "reliable",
    depth: 1,
    messages: 100,
    warmup: 10,
    pairs: [],
    stages: {},
    processes: [],
  };
}

/** A record of these tests, of profile standard on two cores. */
export function ipcRecordOf(tests: readonly IpcTestRecord[], own: Partial<IpcRecord> = {}): IpcRecord {
  const { tool, startedAt, finishedAt, complete, environment, datasets } = recordOf([]);
  const names = [...new Set(tests.map(({ dataset }) => dataset))];
  return {
    schemaVersion: 1,
    kind: "ipc",
    tool: { ...tool, command: "wirebench ipc -c capnp-ts" },
    startedAt,
    finishedAt: finishedAt!,
    complete,
    environment,
    options: {
      profile: "standard",
      tests: [...new Set(tests.map(({ test }) => test))],
      codecs: [...new Set(tests.map(({ codec }) => codec))],
      datasets: names,
      transport: "uds",
      listenerDelayMs: 0,
      timeoutSeconds: 600,
    },
    datasets: names.map((name) => ({
      ...datasets[0]!,
      name,
      story: "A camera's frames.",
      message: "frame.Frame",
    })),
    memcpy: [{ bytes: 6_500_000, bytesPerSecond: 10e9 }],
    tests,
    ...own,
  };
}
