/** What the charts draw, from the rows of messages.csv. Warm-up counts nowhere. */
import type { IpcMessage } from "../../../model/records/ipc.ts";
import { nearestRank } from "./decimate.ts";
import type { DriftSeries } from "./drift.ts";
import type { LatencySeries } from "./latency-over-index.ts";
import type { StageSeries } from "./stages.ts";

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
    encode: medianOf(({ encodeStart, encoded }) => encoded - encodeStart),
    transport: medianOf(({ encoded, lastByte }) => lastByte - encoded),
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
