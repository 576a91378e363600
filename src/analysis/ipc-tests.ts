/** Tests between processes: which of them were measured alike, and figures that follow from records and messages. */
import type { IpcMessage, IpcProcess, IpcTestName, IpcTestRecord } from "../model/records/ipc.ts";
import { median } from "./statistics/location.ts";

/** The stages that a message goes through, one after the other. */
export const STAGES = ["encode", "transport", "queue", "decode"] as const;

/** One of {@link STAGES}. */
export type Stage = (typeof STAGES)[number];

/** A test on a dataset, in each setup that it was made in. */
export interface TestGroup {
  readonly test: IpcTestName;
  readonly dataset: string;
  readonly setups: readonly (readonly IpcTestRecord[])[];
}

/**
 * The tests of a record by test and dataset, and within these by setup: codecs that sent as many messages of one size, in
 * one way. In the order of the record.
 */
export function testGroups(tests: readonly IpcTestRecord[]): TestGroup[] {
  return grouped(tests, ({ test, dataset }) => [test, dataset]).map((own) => ({
    test: own[0]!.test,
    dataset: own[0]!.dataset,
    setups: grouped(own, setupKey),
  }));
}

/** Whether two tests were measured alike. */
export function measuredAlike(one: IpcTestRecord, other: IpcTestRecord): boolean {
  return JSON.stringify(setupKey(one)) === JSON.stringify(setupKey(other));
}

/** The tests that have numbers. */
export function measuredTests(tests: readonly IpcTestRecord[]): IpcTestRecord[] {
  return tests.filter(({ status }) => status === "measured");
}

/** The dataset's name without a size. */
export function baseName({ dataset }: Pick<IpcTestRecord, "dataset">): string {
  return dataset.split(":")[0]!;
}

/** How far a test may fall behind its pace before that is worth a word. */
const LATE = 1.1;

/**
 * Messages per second that the slowest pair of a test kept, where it is behind the pace that was asked for; undefined where
 * it is not, and where messages go as soon as they may.
 */
export function latePace({ rateHz, pairs }: IpcTestRecord): number | undefined {
  if (rateHz === undefined) return undefined;
  // The last message is due one turn before the time is over.
  const kept = pairs.map(({ published, totalMs }) => (published - 1) / (totalMs / 1000));
  const least = Math.min(...kept.filter((rate) => rate > 0));
  return least * LATE < rateHz && Number.isFinite(least) ? least : undefined;
}

/**
 * Nanoseconds that handling a message took a process, the first message it ever met aside. Undefined where it met
 * no other.
 */
export function steadyHandling(
  process: IpcProcess,
  { messages, warmup, pairs }: IpcTestRecord,
): number | undefined {
  const heard = pairs.filter(({ listener }) => listener === process.id);
  const handled =
    process.role === "talker" ? messages : heard.reduce((sum, { received }) => sum + received, 0);
  const first = warmup === 0 ? 1 : 0;
  const nanos = process.handlingMs * 1e6 - first * process.firstHandling;
  return handled <= first || nanos < 0 ? undefined : nanos / (handled - first);
}

/** Messages until which memory is filled for the first time, and its growth says nothing of the long run. */
const SETTLING = 1000;

/** Samples that are compared with each other; more are thinned to about as many. */
const COMPARED = 300;

/**
 * Bytes by which a process grew per 1,000 messages after the first 1,000: the median of the slopes between pairs of
 * samples, which a collection of garbage moves little. Undefined where there are fewer than two samples.
 */
export function memoryGrowth({ rssSamples }: Pick<IpcProcess, "rssSamples">): number | undefined {
  const settled = rssSamples.filter(({ messages }) => messages >= SETTLING);
  const step = Math.ceil(settled.length / COMPARED);
  const compared = settled.filter((_, i) => i % step === 0);
  const slopes = compared.flatMap((later, j) =>
    compared
      .slice(0, j)
      .filter((earlier) => earlier.messages < later.messages)
      .map((earlier) => (later.bytes - earlier.bytes) / (later.messages - earlier.messages)),
  );
  return slopes.length === 0 ? undefined : median(slopes) * 1000;
}

function grouped<T>(items: readonly T[], key: (item: T) => readonly unknown[]): T[][] {
  const found = new Map<string, T[]>();
  for (const item of items) {
    const name = JSON.stringify(key(item));
    const group = found.get(name);
    if (group === undefined) found.set(name, [item]);
    else group.push(item);
  }
  return [...found.values()];
}

function setupKey(test: IpcTestRecord): readonly unknown[] {
  const { transport, scope, reliability, depth, rateHz, messages, warmup, payloadBytes } = test;
  return [transport, scope, reliability, depth, rateHz ?? null, messages, warmup, payloadBytes];
}

/** A message that was read, with all of its times. */
export type ReceivedMessage = Required<IpcMessage>;

/** Those messages that were read. */
export function receivedOf(messages: readonly IpcMessage[]): ReceivedMessage[] {
  return messages.filter((message): message is ReceivedMessage => message.outcome === "received");
}

/** From the start of encode until every field was read, in nanoseconds. */
export function endToEnd({ encodeStart, read }: ReceivedMessage): number {
  return read - encodeStart;
}
