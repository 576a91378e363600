/** The published tests between processes in C++: a reference program starts talkers and listeners, and this makes figures of their times. */
import { UsageError } from "../model/errors.ts";
import type { IpcPercentiles } from "../model/records/ipc.ts";
import { endingReason } from "../runtimes/launch/child-process.ts";
import { MessageError } from "../runtimes/launch/messages.ts";
import {
  NATIVE_PROTOCOL,
  type NativeExchange,
  type NativeLog,
  startNative,
} from "../runtimes/native/conversation.ts";
import type { NativeProgram } from "../runtimes/native/manifest.ts";
import { builtNatives, type NativeSelection } from "../suite/natives.ts";
import { percentilesOf } from "./figures/percentiles.ts";

/** The published tests: who talks to how many, and how many messages may be on their way. */
const TESTS = {
  latency: { talkers: 1, listeners: 1, window: 1 },
  throughput: { talkers: 1, listeners: 1, window: 8 },
  "one-to-two": { talkers: 1, listeners: 2, window: 1 },
  "two-to-one": { talkers: 2, listeners: 1, window: 1 },
} as const;

/** Bytes of a message and messages of a talker, as published. */
const PUBLISHED = { bytes: 6_500_000, messages: 100 };

/** An exchange in which nothing has come for so long has failed. */
const TIMEOUT_SECONDS = 120;

/** How much is sent. */
export interface NativeIpcOptions {
  readonly bytes?: number;
  readonly messages?: number;
  readonly signal?: AbortSignal;
  /** Called before each exchange. */
  readonly onExchange?: (what: string) => void;
}

/** One test of one codec with one message. */
export interface NativeIpcCell {
  readonly test: keyof typeof TESTS;
  /** `protobuf (C++ 3.21.12)`. */
  readonly codec: string;
  readonly message: NativeExchange["message"];
  readonly encodedBytes?: number;
  /** Nanoseconds from the begin of encoding until the value was there, over all messages to all listeners. */
  readonly latency?: IpcPercentiles;
  readonly encode?: IpcPercentiles;
  readonly decode?: IpcPercentiles;
  /** Nanoseconds from the first message until the last value was there, at each listener. */
  readonly total?: readonly number[];
  /** Why there are no figures. */
  readonly failed?: string;
}

/**
 * Runs all tests with all codecs of the programs that have exchanges, one after the other. Throws UsageError for options that make no
 * sense, and the signal's reason.
 */
export async function nativeExchanges(
  selection: NativeSelection,
  { bytes = PUBLISHED.bytes, messages = PUBLISHED.messages, signal, onExchange }: NativeIpcOptions,
): Promise<{ readonly cells: readonly NativeIpcCell[]; readonly missing: readonly string[] }> {
  if (!(bytes >= 1 && bytes <= 100_000_000 && messages >= 1 && messages <= 100_000))
    throw new UsageError(
      `native ipc: expected 1 to 100000000 bytes and 1 to 100000 messages, got ${bytes} and ${messages}`,
    );
  const cells: NativeIpcCell[] = [];
  const missing: string[] = [];
  const only = ({ exchanges = [] }: NativeProgram): boolean => exchanges.length > 0;
  for (const outcome of await builtNatives({ ...selection, only })) {
    const { program } = outcome;
    if ("missing" in outcome) {
      missing.push(`${program.name}: ${outcome.missing}`);
      continue;
    }
    for (const test of Object.keys(TESTS) as (keyof typeof TESTS)[]) {
      for (const message of ["frame", "cloud"] as const) {
        for (const codec of program.exchanges ?? []) {
          if ("failed" in outcome) {
            cells.push({ test, codec: `${codec} (${program.language})`, message, failed: outcome.failed });
            continue;
          }
          const version = outcome.hello.libraries[codec] ?? "";
          const cell = { test, codec: `${codec} (${program.language} ${version})`, message };
          onExchange?.(`${test} ${message} ${cell.codec}`);
          const exchange = { codec, message, bytes, messages, ...TESTS[test] };
          cells.push({ ...cell, ...(await exchanged(outcome.command, exchange, signal)) });
        }
      }
    }
  }
  return { cells, missing };
}

async function exchanged(
  command: readonly string[],
  exchange: NativeExchange,
  signal: AbortSignal | undefined,
): Promise<Omit<NativeIpcCell, "test" | "codec" | "message">> {
  const logs = await nativeLogs(command, exchange, TIMEOUT_SECONDS, signal);
  return "failed" in logs ? logs : figuresOf(logs, exchange);
}

/**
 * The logs of an exchange, talker by talker and for each of them listener by listener, or why there are none. Throws the signal's
 * reason.
 * @param timeoutSeconds after which an exchange has failed: a program is silent until its end
 */
export async function nativeLogs(
  command: readonly string[],
  exchange: NativeExchange,
  timeoutSeconds: number,
  signal: AbortSignal | undefined,
): Promise<readonly NativeLog[] | { readonly failed: string }> {
  signal?.throwIfAborted();
  const process = startNative(command, { protocol: NATIVE_PROTOCOL, exchange }, 4 * timeoutSeconds);
  signal?.addEventListener("abort", process.kill, { once: true });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    process.kill();
  }, timeoutSeconds * 1000);
  const logs: NativeLog[] = [];
  try {
    for await (const message of process.messages) if ("messages" in message) logs.push(message.messages);
    const ending = await process.ended;
    signal?.throwIfAborted();
    if (isLate) return { failed: `hung: no end after ${timeoutSeconds} s` };
    const ok = "code" in ending && ending.code === 0 && logs.length === exchange.talkers * exchange.listeners;
    if (!ok) return { failed: endingReason(ending) };
    const lists = logs.flatMap(({ begun, encoded, received, decoded }) => [
      begun,
      encoded,
      received,
      decoded,
    ]);
    const wrong = lists.find(({ length }) => length !== exchange.messages);
    return wrong === undefined
      ? logs
      : { failed: `expected ${exchange.messages} messages, got ${wrong.length}` };
  } catch (error) {
    if (error instanceof MessageError) return { failed: error.message };
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", process.kill);
    process.kill();
  }
}

function figuresOf(
  logs: readonly NativeLog[],
  { listeners }: NativeExchange,
): Omit<NativeIpcCell, "test" | "codec" | "message"> {
  const between = (from: keyof NativeLog, to: keyof NativeLog): IpcPercentiles =>
    percentilesOf(
      Float64Array.from(
        logs.flatMap((log) => {
          const begin = log[from] as readonly number[];
          return (log[to] as readonly number[]).map((end, i) => end - begin[i]!);
        }),
      ),
    );
  const total = Array.from({ length: listeners }, (_, listener) => {
    const own = logs.filter((log) => log.listener === listener);
    return (
      Math.max(...own.map(({ decoded }) => decoded.at(-1)!)) - Math.min(...own.map(({ begun }) => begun[0]!))
    );
  });
  return {
    encodedBytes: logs[0]!.encodedBytes,
    latency: between("begun", "decoded"),
    encode: between("begun", "encoded"),
    decode: between("received", "decoded"),
    total,
  };
}
