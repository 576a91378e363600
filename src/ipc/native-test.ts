/** A test whose talkers and listeners are those of a native program: the same figures as of the others, of its own times. */
import { baseName } from "../analysis/ipc-tests.ts";
import { defined } from "../model/defined.ts";
import type { IpcMessage, IpcTestRecord } from "../model/records/ipc.ts";
import type { NativeExchange, NativeLog } from "../runtimes/native/conversation.ts";
import { nativeLogs } from "../runtimes/native/exchange.ts";
import { OUTCOME } from "./exchange/job.ts";
import type { MessageLogs } from "./figures/accounts.ts";
import { type MessageSummary, messageSummary } from "./figures/summary.ts";
import type { IpcCell } from "./test-parameters.ts";

/** What a test by a native program came to. One without figures has no messages. */
export interface NativeTested {
  readonly figures: Pick<IpcTestRecord, "status" | "reason"> & Partial<IpcTestRecord>;
  readonly messages?: readonly IpcMessage[];
}

/**
 * Runs a test by a native program. One that fails is a row with its reason. Throws the signal's reason.
 * @param memcpy bytes that one thread of this machine copies per second
 */
export async function nativeTest(
  { native, dataset, talkers, listeners, messages, warmup, reliability, depth, rateHz }: IpcCell,
  memcpy: number,
  timeoutSeconds: number,
  signal: AbortSignal | undefined,
): Promise<NativeTested> {
  if (native === undefined || "status" in native)
    return { figures: native ?? { status: "failed", reason: "there is no program" } };
  const exchange: NativeExchange = {
    codec: native.codec,
    message: baseName({ dataset: dataset.name }) as NativeExchange["message"],
    bytes: dataset.payloadBytes,
    messages,
    talkers,
    listeners,
    window: depth,
    warmup,
    ...defined({ rateHz, lossy: reliability === "best-effort" ? (1 as const) : undefined }),
  };
  const logs = await nativeLogs(native.command, exchange, timeoutSeconds, signal);
  if ("failed" in logs) return { figures: { status: "failed", reason: logs.failed } };
  const { figures, messages: all } = nativeSummary(logs, exchange, memcpy);
  return { figures: { status: "measured", ...figures, first: firstOf(logs, exchange) }, messages: all };
}

/**
 * The figures of logs, talker by talker and for each of them listener by listener. A native listener takes a message when its
 * last byte has come, so none waits for it. When a message went onto its link, and when its first byte came, is not told: a
 * throughput counts from the moment at which the first was encoded.
 */
export function nativeSummary(
  logs: readonly NativeLog[],
  exchange: NativeExchange,
  memcpy: number,
): MessageSummary {
  const { figures, messages } = messageSummary(
    [messageLogs(logs, exchange)],
    [logs[0]!.encodedBytes],
    exchange.bytes,
    memcpy,
  );
  return { figures, messages: messages.map(({ sent: _, firstByte: __, ...told }) => told) };
}

/** As talkers and listeners of our own say it, with times since the first message. */
function messageLogs(
  logs: readonly NativeLog[],
  { messages, talkers, listeners, rateHz }: NativeExchange,
): MessageLogs {
  const start = logs.reduce((least, { begun }) => Math.min(least, begun[0]!), Number.POSITIVE_INFINITY);
  const since = (times: readonly number[]): Float64Array => Float64Array.from(times, (time) => time - start);
  const logOf = (talker: number, listener: number): NativeLog => logs[talker * listeners + listener]!;
  return {
    phase: { name: "measured", messages },
    talkers: Array.from({ length: talkers }, (_, talker) => {
      const own = Array.from({ length: listeners }, (__, listener) => logOf(talker, listener));
      const encodeStart = since(own[0]!.begun);
      const encoded = since(own[0]!.encoded);
      return {
        intended: dueTimes(encodeStart, rateHz),
        encodeStart,
        encoded,
        sent: own.map(() => encoded),
        dropped: own.map(({ decoded }) => Uint8Array.from(decoded, (time) => (time === 0 ? 1 : 0))),
      };
    }),
    listeners: Array.from({ length: listeners }, (_, listener) => ({
      talkers: Array.from({ length: talkers }, (__, talker) => {
        const { encoded, received, decoded } = logOf(talker, listener);
        const lastByte = since(received);
        return {
          firstByte: since(encoded),
          lastByte,
          taken: lastByte,
          read: since(decoded),
          // It loses messages before they are sent, and nowhere else; a socket keeps their order.
          outcome: Uint8Array.from(decoded, (time) => (time === 0 ? OUTCOME.missing : OUTCOME.received)),
          outOfOrder: 0,
        };
      }),
    })),
  };
}

/** When each message was to be sent: none was begun before that, and one of them is taken to have been in time. */
function dueTimes(begun: Float64Array, rateHz: number | undefined): Float64Array {
  if (rateHz === undefined) return begun;
  const late = begun.map((time, i) => time - (i * 1e9) / rateHz);
  const start = late.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  return begun.map((_, i) => start + (i * 1e9) / rateHz);
}

/** Of several talkers, it is not known whose first message was a listener's first: then there is none. */
function firstOf(
  logs: readonly NativeLog[],
  { talkers, listeners }: NativeExchange,
): NonNullable<IpcTestRecord["first"]> {
  return {
    talkers: Array.from({ length: talkers }, (_, talker) => logs[talker * listeners]!.first?.[0] ?? 0),
    listeners: Array.from({ length: listeners }, (_, listener) =>
      talkers === 1 ? (logs[listener]!.first?.[1] ?? 0) : 0,
    ),
  };
}
