/** A test whose talkers and listeners are those of a native program: the same figures as of the others, of its own times. */
import { baseName } from "../analysis/ipc-tests.ts";
import { defined } from "../model/defined.ts";
import type { IpcPair, IpcPercentiles, IpcTestRecord } from "../model/records/ipc.ts";
import type { NativeExchange, NativeLog } from "../runtimes/native/conversation.ts";
import { driftOf, percentilesOf } from "./figures/percentiles.ts";
import { nativeLogs } from "./native.ts";
import type { IpcCell } from "./plan.ts";

type Figures = Pick<IpcTestRecord, "status"> & Partial<IpcTestRecord>;

/** Runs a test by a native program. One that fails is a row with its reason. Throws the signal's reason. */
export async function nativeTest(
  { native, dataset, talkers, listeners, messages, warmup, reliability, depth, rateHz }: IpcCell,
  memcpy: number,
  timeoutSeconds: number,
  signal: AbortSignal | undefined,
): Promise<Figures> {
  if (native === undefined || "failed" in native)
    return { status: "failed", reason: native?.failed ?? "there is no program" };
  const exchange: NativeExchange = {
    codec: native.codec,
    message: baseName({ dataset: dataset.name }) === "cloud" ? "cloud" : "frame",
    bytes: dataset.payloadBytes,
    messages,
    talkers,
    listeners,
    window: depth,
    warmup,
    ...(reliability === "best-effort" ? defined({ rateHz }) : {}),
  };
  const logs = await nativeLogs(native.command, exchange, timeoutSeconds, signal);
  if ("failed" in logs) return { status: "failed", reason: logs.failed };
  return { status: "measured", ...nativeFigures(logs, exchange, memcpy) };
}

/** A message that came to a listener, in nanoseconds of one clock. */
interface Received {
  readonly begun: number;
  readonly encoded: number;
  readonly received: number;
  readonly decoded: number;
}

/**
 * The figures of logs, talker by talker and for each of them listener by listener. A native listener takes a message when its
 * last byte has come, so none waits for it.
 * @param memcpy bytes that one thread of this machine copies per second
 */
export function nativeFigures(
  logs: readonly NativeLog[],
  { bytes, talkers, listeners, rateHz }: NativeExchange,
  memcpy: number,
): Partial<IpcTestRecord> {
  const ofPairs = logs.map(receivedOf);
  const all = ofPairs.flat();
  const times = (of: readonly Received[], from: keyof Received, to: keyof Received): IpcPercentiles =>
    percentilesOf(Float64Array.from(of, (one) => one[to] - one[from]));
  const ofTalkers = logs.filter((_, i) => i % listeners === 0);
  const encodedBytes = logs[0]!.encodedBytes;
  const isWhole = logs.length === 1 && all.length === logs[0]!.begun.length;
  const perTalker = Array.from({ length: talkers }, (_, talker) =>
    times(ofPairs.slice(talker * listeners, (talker + 1) * listeners).flat(), "begun", "decoded"),
  ).map(({ p50 }) => p50 ?? Number.NaN);
  const unfairness = Math.max(...perTalker) / Math.min(...perTalker);
  return {
    encodedBytes,
    pairs: logs.map((log, i) => pairOf(log, ofPairs[i]!, Math.floor(i / listeners))),
    stages: {
      encode: percentilesOf(
        Float64Array.from(
          ofTalkers.flatMap(({ begun, encoded }) => encoded.map((end, i) => end - begun[i]!)),
        ),
      ),
      transport: times(all, "encoded", "received"),
      queue: times(all, "received", "received"),
      decode: times(all, "received", "decoded"),
      endToEnd: times(all, "begun", "decoded"),
    },
    ...defined({
      throughput: all.length > 1 ? throughputOf(all, bytes, encodedBytes, memcpy) : undefined,
      drift:
        isWhole && rateHz === undefined
          ? driftOf(Float64Array.from(all, ({ begun, decoded }) => decoded - begun))
          : undefined,
      unfairness: talkers > 1 && Number.isFinite(unfairness) ? unfairness : undefined,
    }),
    first: {
      talkers: ofTalkers.map(({ first }) => first?.[0] ?? 0),
      listeners: Array.from({ length: listeners }, (_, listener) => firstOf(logs, listener)),
    },
  };
}

function receivedOf({ begun, encoded, received, decoded }: NativeLog): Received[] {
  return begun.flatMap((from, i) =>
    decoded[i] === 0
      ? []
      : [{ begun: from, encoded: encoded[i]!, received: received[i]!, decoded: decoded[i]! }],
  );
}

/** Of several talkers, it is not known whose first message was a listener's first: then there is none. */
function firstOf(logs: readonly NativeLog[], listener: number): number {
  const own = logs.filter((log) => log.listener === listener);
  return own.length === 1 ? (own[0]!.first?.[1] ?? 0) : 0;
}

function pairOf({ listener, begun }: NativeLog, received: readonly Received[], talker: number): IpcPair {
  const last = received.reduce((latest, { decoded }) => Math.max(latest, decoded), begun[0]!);
  return {
    talker,
    listener,
    published: begun.length,
    received: received.length,
    // It loses messages before they are sent, and nowhere else; a socket keeps their order.
    drops: { sender: begun.length - received.length, overwritten: 0, receiver: 0 },
    totalMs: (last - begun[0]!) / 1e6,
    outOfOrder: 0,
    endToEnd: percentilesOf(Float64Array.from(received, ({ begun: from, decoded }) => decoded - from)),
  };
}

/** From the moment at which the first message was sent: that of its first byte at the listener is not told. */
function throughputOf(all: readonly Received[], bytes: number, encodedBytes: number, memcpy: number) {
  const from = all.reduce((least, { encoded }) => Math.min(least, encoded), Number.POSITIVE_INFINITY);
  const to = all.reduce((most, { decoded }) => Math.max(most, decoded), 0);
  const messagesPerSecond = all.length / ((to - from) / 1e9);
  const encodedBytesPerSecond = messagesPerSecond * encodedBytes;
  return {
    messagesPerSecond,
    payloadBytesPerSecond: messagesPerSecond * bytes,
    encodedBytesPerSecond,
    shareOfMemcpy: encodedBytesPerSecond / memcpy,
  };
}
