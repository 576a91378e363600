/** What an exchange's logs come to: the figures of a test's record. */
import { endToEnd, type ReceivedMessage, receivedOf } from "../../analysis/ipc-tests.ts";
import { mean, median } from "../../analysis/statistics/location.ts";
import { defined } from "../../model/defined.ts";
import type {
  IpcMessage,
  IpcPercentiles,
  IpcProcess,
  IpcStages,
  IpcTestRecord,
  IpcThroughput,
} from "../../model/records/ipc.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { ListenerLog, TalkerLog } from "../exchange/job.ts";
import { type MessageLogs, messagesOf, pairsOf } from "./accounts.ts";
import { driftOf, percentilesOf } from "./percentiles.ts";

/** Figures of a test's messages, and these. */
export interface MessageSummary {
  readonly figures: Pick<
    IpcTestRecord,
    "encodedBytes" | "pairs" | "stages" | "throughput" | "drift" | "unfairness"
  >;
  /** Those of the warm-up too. */
  readonly messages: readonly IpcMessage[];
}

/** The same with those of its processes. */
export interface Summary extends MessageSummary {
  readonly figures: MessageSummary["figures"] & Pick<IpcTestRecord, "processes">;
}

/**
 * Sums up an exchange whose last phase counts. Throws WirebenchError where a message is unaccounted for.
 * @param payloadBytes what a message holds
 * @param memcpy bytes that one thread of this machine copies per second
 */
export function summaryOf(exchange: Exchange, payloadBytes: number, memcpy: number): Summary {
  const { figures, messages } = messageSummary(
    exchange.phases,
    exchange.bound.encodedBytes,
    payloadBytes,
    memcpy,
  );
  return { figures: { ...figures, processes: processesOf(exchange) }, messages };
}

/** {@link summaryOf} the messages alone. @param sizes bytes of each encoded value that they go round */
export function messageSummary(
  all: readonly MessageLogs[],
  sizes: readonly number[],
  payloadBytes: number,
  memcpy: number,
): MessageSummary {
  const phases = all.map((logs) => ({ logs, messages: messagesOf(logs, sizes) }));
  const { logs, messages } = phases.at(-1)!;
  const received = receivedOf(messages);
  const pairs = pairsOf(logs, messages);
  // A trend is over the messages of one talker to one listener, and there is none where some are missing.
  const isWhole = pairs.length === 1 && received.length === messages.length;
  const drift = isWhole ? driftOf(Float64Array.from(received, endToEnd)) : undefined;
  const throughput = received.length > 1 ? throughputOf(received, payloadBytes, memcpy) : undefined;
  const unfairness = unfairnessOf(logs, received);
  return {
    figures: {
      encodedBytes: Math.round(mean(sizes)),
      pairs,
      stages: stagesOf(logs, received),
      ...defined({ throughput, drift, unfairness }),
    },
    messages: phases.flatMap((phase) => phase.messages),
  };
}

function stagesOf({ talkers }: MessageLogs, received: readonly ReceivedMessage[]): IpcStages {
  // A message is encoded once, however many listeners it has.
  const encode = talkers.flatMap(encoding);
  const over = (stage: (message: ReceivedMessage) => number): IpcPercentiles =>
    percentilesOf(Float64Array.from(received, stage));
  return {
    encode: percentilesOf(Float64Array.from(encode)),
    transport: over(({ encoded, lastByte }) => lastByte - encoded),
    queue: over(({ lastByte, taken }) => taken - lastByte),
    decode: over(({ taken, read }) => read - taken),
    endToEnd: over(endToEnd),
    response: over(({ intended, read }) => read - intended),
  };
}

function throughputOf(
  received: readonly ReceivedMessage[],
  payloadBytes: number,
  memcpy: number,
): IpcThroughput {
  const from = received.reduce(
    (least, { firstByte }) => Math.min(least, firstByte),
    Number.POSITIVE_INFINITY,
  );
  const to = received.reduce((most, { read }) => Math.max(most, read), 0);
  const seconds = (to - from) / 1e9;
  const messagesPerSecond = received.length / seconds;
  // What was dropped may be larger or smaller than what came.
  const encodedBytesPerSecond = received.reduce((sum, message) => sum + message.encodedBytes, 0) / seconds;
  return {
    messagesPerSecond,
    payloadBytesPerSecond: messagesPerSecond * payloadBytes,
    encodedBytesPerSecond,
    shareOfMemcpy: encodedBytesPerSecond / memcpy,
  };
}

function unfairnessOf({ talkers }: MessageLogs, received: readonly ReceivedMessage[]): number | undefined {
  if (talkers.length < 2) return undefined;
  const medians = talkers.map((_, id) =>
    median(received.filter(({ talker }) => talker === id).map(endToEnd)),
  );
  return medians.some(Number.isNaN) ? undefined : Math.max(...medians) / Math.min(...medians);
}

function processesOf({ parts, phases }: Exchange): IpcProcess[] {
  return parts.map(({ role, id, ...times }) => {
    const logs = phases.map((phase) => (role === "talker" ? phase.talkers[id]! : phase.listeners[id]!));
    const handled = logs.map((log) => ("talkers" in log ? log.talkers.flatMap(reading) : encoding(log)));
    const last = logs.at(-1)!;
    return {
      role,
      id,
      ...times,
      ...last.use,
      handlingMs: handled.at(-1)!.reduce((sum, nanos) => sum + nanos, 0) / 1e6,
      firstHandling: logs.map(firstHandling).find((nanos) => nanos !== undefined) ?? 0,
      stalledMs: "stalled" in last ? last.stalled / 1e6 : 0,
    };
  });
}

/** What handling the first message of a phase took, in nanoseconds; undefined for a listener that has none. */
function firstHandling(log: TalkerLog | ListenerLog): number | undefined {
  if (!("talkers" in log)) return encoding(log)[0];
  let first = { taken: Number.POSITIVE_INFINITY, nanos: undefined as number | undefined };
  for (const { taken, read } of log.talkers) {
    for (const [i, at] of taken.entries()) {
      if (read[i]! > 0 && at < first.taken) first = { taken: at, nanos: read[i]! - at };
    }
  }
  return first.nanos;
}

function encoding({ encodeStart, encoded }: Pick<TalkerLog, "encodeStart" | "encoded">): number[] {
  return Array.from(encoded, (time, i) => time - encodeStart[i]!);
}

function reading({ taken, read, outcome }: ListenerLog["talkers"][number]): number[] {
  return Array.from(outcome).flatMap((_, i) => (read[i]! > 0 ? [read[i]! - taken[i]!] : []));
}

/**
 * Buffers that are copied in turn: from the first to the second, from there to the third, and so on. As many as
 * messages of the transports alone go through, four that are sent and four that they are compared with, so that the
 * processor's caches help as much here as there.
 */
const BUFFERS = 8;

/** Copies that are timed, at least. */
const COPIES = 24;

/** Bytes that are copied between two looks at the clock, at least: a look takes as long as some kilobytes. */
const STRETCH_BYTES = 1e6;

/**
 * How fast one thread copies buffers of some size whose pages are mapped, in bytes per second: the measure of all
 * transports.
 */
export function memcpyBytesPerSecond(bytes: number): number {
  const buffers = Array.from({ length: BUFFERS }, () => Buffer.allocUnsafeSlow(bytes).fill(1));
  const stretch = Math.max(1, Math.ceil(STRETCH_BYTES / bytes));
  const seconds = Array.from({ length: COPIES }, (_, round) => {
    const from = process.hrtime.bigint();
    for (let copy = 0; copy < stretch; copy++) {
      const at = round * stretch + copy;
      buffers[(at + 1) % BUFFERS]!.set(buffers[at % BUFFERS]!);
    }
    return Number(process.hrtime.bigint() - from) / 1e9;
  });
  return Math.round((bytes * stretch) / median(seconds));
}
