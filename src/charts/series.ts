/** What the charts draw, from the rows of messages.csv. Warm-up counts nowhere. */
import type { IpcMessage } from "../model/ipc-record.ts";
import type { DriftSeries } from "./drift.ts";
import type { DropSeries, PairCounts } from "./drops.ts";
import type { LatencySeries } from "./latency-over-index.ts";
import type { StageSeries } from "./stages.ts";
import { nearestRank } from "./value-axis.ts";

const NANOS_PER_MS = 1e6;

type Received = Required<IpcMessage>;

/** End-to-end latencies of one codec: from the start of encode until every field was read. */
export function latencySeries(codec: string, messages: readonly IpcMessage[]): LatencySeries {
  const received = receivedOf(messages);
  const dropped = measured(messages).filter(({ outcome }) => outcome !== "received");
  return {
    name: codec,
    index: Float64Array.from(received, ({ sequence }) => sequence),
    ms: Float64Array.from(received, ({ encodeStart, read }) => (read - encodeStart) / NANOS_PER_MS),
    dropped: Float64Array.from(dropped, ({ sequence }) => sequence),
  };
}

/**
 * The same with Theil and Sen's line.
 *
 * @param slope Nanoseconds per 1,000 messages, as the record has it. The line has as many messages above as below.
 */
export function driftSeries(codec: string, messages: readonly IpcMessage[], slope?: number): DriftSeries {
  const { name, index, ms } = latencySeries(codec, messages);
  if (slope === undefined || ms.length === 0) return { name, index, ms };
  const slopeMsPer1000 = slope / NANOS_PER_MS;
  const rests = Float64Array.from(ms, (one, at) => one - (slopeMsPer1000 * index[at]!) / 1000).sort();
  return { name, index, ms, trend: { slopeMsPer1000, interceptMs: nearestRank(rests, 0.5) } };
}

/** What became of one codec's messages, by talker and listener. */
export function dropSeries(codec: string, messages: readonly IpcMessage[]): DropSeries {
  const pairs = new Map<string, IpcMessage[]>();
  for (const message of measured(messages)) {
    const pair = `${message.talker} ${message.listener}`;
    const others = pairs.get(pair);
    if (others === undefined) pairs.set(pair, [message]);
    else others.push(message);
  }
  const counts = [...pairs.values()].map(countsOf);
  return { name: codec, pairs: counts.sort((a, b) => a.talker - b.talker || a.listener - b.listener) };
}

/** Medians of the stages of one codec's messages. */
export function stageSeries(codec: string, messages: readonly IpcMessage[]): StageSeries {
  const received = receivedOf(messages);
  const medianOf = (nanos: (message: Received) => number): number | undefined =>
    received.length === 0
      ? undefined
      : nearestRank(Float64Array.from(received, nanos).sort(), 0.5) / NANOS_PER_MS;
  return {
    name: codec,
    messages: received.length,
    encode: medianOf(({ encodeStart, sent }) => sent - encodeStart),
    transport: medianOf(({ sent, lastByte }) => lastByte - sent),
    queue: medianOf(({ lastByte, taken }) => taken - lastByte),
    decode: medianOf(({ taken, read }) => read - taken),
  };
}

function measured(messages: readonly IpcMessage[]): IpcMessage[] {
  return messages.filter(({ phase }) => phase === "measured");
}

function receivedOf(messages: readonly IpcMessage[]): Received[] {
  return measured(messages).filter((message): message is Received => message.outcome === "received");
}

function countsOf(messages: readonly IpcMessage[]): PairCounts {
  const { talker, listener } = messages[0]!;
  const count = (outcome: IpcMessage["outcome"]): number =>
    messages.filter((one) => one.outcome === outcome).length;
  const first = messages.reduce((least, { intended }) => Math.min(least, intended), Number.POSITIVE_INFINITY);
  const last = messages.reduce((most, { read }) => Math.max(most, read ?? first), first);
  return {
    talker,
    listener,
    received: count("received"),
    drops: {
      sender: count("dropped-sender"),
      overwritten: count("dropped-overwritten"),
      receiver: count("dropped-receiver"),
    },
    totalMs: (last - first) / NANOS_PER_MS,
  };
}
