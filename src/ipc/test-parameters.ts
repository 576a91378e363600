import type { Refusal } from "../model/errors.ts";
import type { IpcTestName, Reliability } from "../model/records/ipc.ts";
import type { PlannedDataset } from "../suite/planned-dataset.ts";
import type { CarrierIdentity } from "./participants/carrier.ts";

/** How long the tests take for how much certainty. */
export type IpcProfile = "quick" | "standard";

/** What a test consists of. */
export interface TestParameters {
  readonly talkers: number;
  readonly listeners: number;
  /** What is sent where nothing else is asked for. */
  readonly datasets: readonly string[];
  /** Sizes of messages, in bytes. */
  readonly payloads: readonly number[];
  /** Messages per talker; several for a test that is made with each. */
  readonly messages: readonly number[];
  /** In place of `messages`: what all messages hold together, in bytes. */
  readonly totalBytes?: number;
  /** Messages per talker before those that count. */
  readonly warmup: number;
  readonly modes: readonly SendMode[];
}

/** How messages are sent. */
export interface SendMode {
  readonly reliability: Reliability;
  readonly depth: number;
  /** Per second and talker; absent to send each as soon as it may be. */
  readonly rateHz?: number;
}

/** A dataset, and what a message of it holds, in bytes. */
export interface SizedDataset extends PlannedDataset {
  readonly payloadBytes: number;
}

/** One test of one codec on one dataset. */
export interface IpcCell extends SendMode {
  readonly test: IpcTestName;
  readonly codec: string;
  readonly identity: CarrierIdentity;
  readonly dataset: SizedDataset;
  readonly talkers: number;
  readonly listeners: number;
  readonly messages: number;
  readonly warmup: number;
  /** Of a native program: what starts it, and the name of its exchange; why there is nothing to start. */
  readonly native?: { readonly command: readonly string[]; readonly codec: string } | Refusal;
}

/** One message on its way at a time: nothing waits, so that what is measured is the transport. */
const ONE_AT_A_TIME: SendMode = { reliability: "reliable", depth: 1 };

/** The next message is encoded while the last one is on its way. */
const FLAT_OUT: SendMode = { reliability: "reliable", depth: 2 };

/**
 * As cameras send: at their own pace, and to whoever keeps up. Queues keep one message, as in the middleware that
 * the published benchmark was made with.
 */
const AS_IT_COMES: SendMode = { reliability: "best-effort", depth: 1, rateHz: 20 };

/** Bytes of the published messages. */
const [PUBLISHED, PUBLISHED_LARGE] = [6_500_000, 26_000_000];

/** The published tests, with the published parameters where there are any. */
const STANDARD: Readonly<Record<IpcTestName, TestParameters>> = {
  // One long field, whose cost is that of copying, and many short ones, whose cost is that of each.
  latency: parameters({ datasets: ["frame", "cloud"], warmup: 10 }),
  throughput: parameters({ totalBytes: 1e9, warmup: 5, modes: [FLAT_OUT] }),
  stability: parameters({ messages: [20_000], warmup: 10 }),
  "one-to-two": parameters({
    listeners: 2,
    payloads: [PUBLISHED, PUBLISHED_LARGE],
    warmup: 5,
    modes: [FLAT_OUT, AS_IT_COMES],
  }),
  "two-to-one": parameters({
    talkers: 2,
    payloads: [PUBLISHED, PUBLISHED_LARGE],
    warmup: 5,
    modes: [FLAT_OUT, AS_IT_COMES],
  }),
  "single-point": parameters({ messages: [100, 1], warmup: 0 }),
};

/** The same with a tenth of the bytes in each message, and fewer messages. */
const QUICK: Readonly<Record<IpcTestName, TestParameters>> = {
  latency: scaled(STANDARD.latency, { messages: [50] }),
  throughput: scaled(STANDARD.throughput, { totalBytes: 50e6 }),
  stability: scaled(STANDARD.stability, { messages: [500] }),
  "one-to-two": scaled(STANDARD["one-to-two"], { messages: [20] }),
  "two-to-one": scaled(STANDARD["two-to-one"], { messages: [20] }),
  "single-point": scaled(STANDARD["single-point"], { messages: [20, 1] }),
};

/** What each test consists of, per profile. */
export const TEST_PARAMETERS: Readonly<Record<IpcProfile, Readonly<Record<IpcTestName, TestParameters>>>> = {
  quick: QUICK,
  standard: STANDARD,
};

function parameters(own: Partial<TestParameters>): TestParameters {
  return {
    talkers: 1,
    listeners: 1,
    datasets: ["frame"],
    payloads: [PUBLISHED],
    messages: [100],
    warmup: 0,
    modes: [ONE_AT_A_TIME],
    ...own,
  };
}

function scaled(standard: TestParameters, own: Partial<TestParameters>): TestParameters {
  return { ...standard, payloads: standard.payloads.map((bytes) => bytes / 10), ...own };
}
