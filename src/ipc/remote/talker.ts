import { datasetHash } from "../../catalog/dataset-hash.ts";
import { OWN_VERSION } from "../../catalog/library-version.ts";
import type { Registry } from "../../catalog/registry.ts";
import type { Dataset } from "../../model/dataset.ts";
import { defined } from "../../model/defined.ts";
import { WirebenchError } from "../../model/errors.ts";
import { expectNumber } from "../../model/expect-option.ts";
import { inBytes } from "../../model/in-bytes.ts";
import {
  IPC_REMOTE_RECORD_VERSION,
  type IpcRemoteMessage,
  type IpcRemoteRecord,
} from "../../model/records/ipc-remote.ts";
import type { Environment } from "../../model/records/run.ts";
import type { Int64Mode } from "../../model/schema.ts";
import { environment } from "../../suite/environment.ts";
import { percentilesOf } from "../figures/percentiles.ts";
import {
  type Carrier,
  type CarrierIdentity,
  type Encoder,
  encoderOf,
  identityOf,
} from "../participants/carrier.ts";
import { payloadBytesOf } from "../payload.ts";
import { Broker } from "../wire/nats.ts";
import { differences } from "./conversation.ts";
import { expectChannel, type Hello, MOST } from "./protocol.ts";
import { findListener, type ReadyListener, Sender, type SenderLog } from "./sender.ts";

/** What a talker is to do. */
export interface TalkOptions {
  readonly channel: string;
  /** `nats://host:port` */
  readonly address: string;
  readonly registry: Registry;
  readonly codec: string;
  readonly dataset: Dataset;
  /** Whether the dataset is from files of the user's, which the listener needs too. */
  readonly own: boolean;
  /** What a built-in dataset was asked for. */
  readonly int64: Int64Mode | undefined;
  readonly messages: number;
  readonly warmup: number;
  readonly depth: number;
  /** Time for a listener to be there, to be ready, and to answer. */
  readonly timeoutSeconds: number;
  /** What was typed, for the record. */
  readonly command: string;
  readonly signal: AbortSignal;
  /** Called with what there is to say, a line each. */
  readonly say: (line: string) => void;
}

/** What came of it. */
export interface Talk {
  readonly record: IpcRemoteRecord;
  readonly messages: readonly IpcRemoteMessage[];
}

/**
 * Sends messages to a listener on another machine and measures how long each takes to be answered. Throws WirebenchError
 * where it cannot begin; what goes wrong later is in the record.
 */
export async function talkRemotely(options: TalkOptions): Promise<Talk> {
  const channel = expectChannel(options.channel);
  expectNumber("--messages", options.messages, { integer: true, least: 1, most: MOST.messages });
  expectNumber("--warmup", options.warmup, { integer: true, least: 0, most: MOST.messages });
  expectNumber("--depth", options.depth, { integer: true, least: 1, most: MOST.depth });
  const { registry, codec, dataset, timeoutSeconds, signal, say } = options;
  const identity = await identityOf(registry, codec);
  const carrier = await encoderOf(registry, codec, dataset, true);
  const broker = await Broker.connect(options.address, `wirebench talker of ${channel}`);
  try {
    broker.expectRoom(carrier.maxBytes);
    warnOfDepth(options, carrier.maxBytes);
    const hello = helloOf(options, identity, carrier);
    const listener = await findListener(broker, hello, { channel, timeoutSeconds, signal, say });
    for (const difference of differences(listener.peer, hello)) {
      say(`warning: the listener has ${difference}`);
    }
    return await measure(broker, carrier, identity, listener, options);
  } finally {
    await broker.leave();
  }
}

/** Bytes that a server lets a client be behind, unless it is configured otherwise. */
const MAX_PENDING = 64 * 1024 * 1024;

function warnOfDepth({ depth, say }: TalkOptions, bytes: number): void {
  if (depth * bytes <= MAX_PENDING) return;
  say(
    `warning: ${depth} messages on their way are ${inBytes(depth * bytes)}, and a server ends the connection of a ` +
      `listener that is max_pending bytes behind: ${MAX_PENDING} unless its configuration says otherwise`,
  );
}

async function measure(
  broker: Broker,
  carrier: Encoder,
  { format, library, version }: CarrierIdentity,
  listener: ReadyListener,
  options: TalkOptions,
): Promise<Talk> {
  const { messages, warmup, depth, registry, dataset, timeoutSeconds, signal } = options;
  const payloadBytes = await payloadBytesOf(registry, dataset, options.own);
  const startedAt = new Date().toISOString();
  const sender = new Sender(broker, carrier, options, listener.session);
  let reason: string | undefined;
  try {
    await sender.send(listener, timeoutSeconds, signal);
  } catch (error) {
    if (!(error instanceof WirebenchError) && !signal.aborted) throw error;
    reason = (error as Error).message;
  }
  const record: IpcRemoteRecord = {
    schemaVersion: IPC_REMOTE_RECORD_VERSION,
    kind: "ipc-remote",
    tool: { name: "wirebench", version: OWN_VERSION, command: options.command },
    startedAt,
    finishedAt: new Date().toISOString(),
    complete: reason === undefined,
    ...defined({ reason }),
    environment: ownEnvironment(),
    listener: listener.peer,
    channel: options.channel,
    transport: broker.address,
    codec: options.codec,
    format,
    library,
    version,
    dataset: dataset.name,
    payloadBytes,
    encodedBytes: carrier.meanBytes,
    messages,
    warmup,
    depth,
    ...accountOf(sender.log, warmup),
  };
  return { record, messages: messagesOf(sender.log, warmup) };
}

/** This process measures itself: it has no flags of a measuring process. */
function ownEnvironment(): Environment {
  const { runtime, ...machine } = environment();
  return { ...machine, runtime: { ...runtime, execArgv: process.execArgv } };
}

function helloOf(
  { codec, dataset, own, int64, messages, warmup, depth }: TalkOptions,
  { library, version }: CarrierIdentity,
  { checksums, maxBytes }: Carrier,
): Omit<Hello, "session"> {
  return {
    kind: "hello",
    version: OWN_VERSION,
    codec,
    library,
    libraryVersion: version,
    dataset: { name: dataset.name, own, int64: own ? undefined : int64, sha256: datasetHash(dataset) },
    checksums,
    maxBytes,
    messages,
    warmup,
    depth,
  };
}

/** What became of the messages that count. */
function accountOf(log: SenderLog, warmup: number): Pick<IpcRemoteRecord, "received" | "lost" | "stages"> {
  const settled = Math.max(0, log.settled - warmup);
  const answered = (values: Float64Array): Float64Array =>
    values.filter((_, index) => index >= warmup && log.received[index] === 1);
  const [encode, roundTrip] = [answered(log.encode), answered(log.roundTrip)];
  return {
    received: roundTrip.length,
    lost: settled - roundTrip.length,
    stages: {
      encode: percentilesOf(encode),
      decode: percentilesOf(answered(log.decode)),
      roundTrip: percentilesOf(roundTrip),
      sentToAck: percentilesOf(roundTrip.map((nanos, index) => nanos - encode[index]!)),
    },
  };
}

/** All messages that were sent. */
function messagesOf(log: SenderLog, warmup: number): IpcRemoteMessage[] {
  return Array.from({ length: log.sent }, (_, index) => ({
    phase: index < warmup ? "warmup" : "measured",
    sequence: index < warmup ? index : index - warmup,
    encode: log.encode[index]!,
    ...(log.received[index] === 1 ? { roundTrip: log.roundTrip[index]!, decode: log.decode[index]! } : {}),
  }));
}
