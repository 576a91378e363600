import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { UsageError, WirebenchError } from "../../model/errors.ts";
import type { IpcRemotePeer } from "../../model/records/ipc-remote.ts";
import { Clock, clockBase } from "../clock.ts";
import type { Encoder } from "../participants/carrier.ts";
import { FrameError, writeHeader } from "../wire/frame.ts";
import { type Broker, type BrokerMessage, publishFrame } from "../wire/nats.ts";
import { Conversation } from "./conversation.ts";
import {
  channelSubject,
  controlBytes,
  type Hello,
  oneReason,
  parseFromListener,
  readAck,
  sessionSubjects,
} from "./protocol.ts";

/** Time between two looks for a listener, in milliseconds. */
const RETRY_MS = 300;

/** Time in which a listener that is there says that it has heard, in milliseconds. */
const HEARD_MS = 3000;

/** A listener that is ready for a talker's messages. */
export interface ReadyListener {
  readonly session: string;
  readonly peer: IpcRemotePeer;
  /** Ends the subscription through which it was found, once another takes over. */
  release(): void;
}

/** How a talker looks for its listener. */
export interface Search {
  readonly channel: string;
  /** Time for somebody to be there, and then for codec and data to be loaded. */
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/**
 * Finds a listener on a channel, and waits until it is ready. Throws UsageError with the listener's reason where it
 * refuses, and WirebenchError where there is none.
 */
export async function findListener(
  broker: Broker,
  hello: Omit<Hello, "session">,
  search: Search,
): Promise<ReadyListener> {
  const { channel, timeoutSeconds, signal, say } = search;
  const started = performance.now();
  for (let attempt = 0; ; attempt++) {
    // A session of its own each time: whoever answers to an earlier one is not listened to any more.
    const session = randomBytes(16).toString("hex");
    const listener = await meet(broker, { ...hello, session }, search);
    if (listener !== undefined) return listener;
    if (performance.now() - started > timeoutSeconds * 1000) {
      throw new WirebenchError(
        `nobody listens on channel "${channel}" of ${broker.address}: ` +
          `start \`wirebench ipc listener --channel ${channel} --transport ${broker.address}\` there`,
      );
    }
    if (attempt === 0) say(`waiting for a listener on channel "${channel}" of ${broker.address}`);
    await sleep(RETRY_MS);
    signal.throwIfAborted();
  }
}

/** Says hello once; undefined where nobody hears it. */
async function meet(broker: Broker, hello: Hello, search: Search): Promise<ReadyListener | undefined> {
  const { channel, timeoutSeconds, signal, say } = search;
  const { talker } = sessionSubjects(hello.session);
  let release = (): void => {};
  let abort = (): void => {};
  let timer: NodeJS.Timeout | undefined;
  try {
    const peer = await new Promise<IpcRemotePeer | undefined>((resolve, reject) => {
      const take = ({ data, unheard }: BrokerMessage): void => {
        if (unheard) {
          resolve(undefined);
          return;
        }
        if (data.length === 0) return;
        const said = parseFromListener(data);
        if (said.kind === "refused") reject(new UsageError(`the listener refuses: ${said.reason}`));
        else if (said.kind === "ready") resolve(said.peer);
        else {
          say("a listener loads the codec and the data");
          clearTimeout(timer);
          const late = new WirebenchError(`the listener was not ready within ${timeoutSeconds} s`);
          timer = setTimeout(() => reject(late), timeoutSeconds * 1000);
        }
      };
      release = broker.subscribe(talker, (message) => {
        try {
          take(message);
        } catch (error) {
          reject(error as Error);
        }
      });
      abort = () => reject(signal.reason as Error);
      signal.addEventListener("abort", abort);
      if (signal.aborted) abort();
      broker.onFailure(reject);
      timer = setTimeout(() => resolve(undefined), HEARD_MS);
      broker.publish(channelSubject(channel), controlBytes(hello), talker);
    });
    if (peer !== undefined) return { session: hello.session, peer, release };
  } catch (error) {
    release();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
  release();
  return undefined;
}

/** A talker's log: what is known of each message, warm-up first. Times are nanoseconds, and 0 where there are none. */
export interface SenderLog {
  readonly encode: Float64Array;
  readonly roundTrip: Float64Array;
  readonly decode: Float64Array;
  /** 1 for each message that was answered. */
  readonly received: Uint8Array;
  /** Messages that were sent, and those of them that were answered or lost. */
  readonly sent: number;
  readonly settled: number;
}

/** A talker's side of its messages. */
export class Sender {
  readonly #broker: Broker;
  readonly #carrier: Encoder;
  readonly #plan: Pick<Hello, "messages" | "warmup" | "depth">;
  readonly #clock = new Clock(clockBase());
  readonly #conversation: Conversation;
  readonly #log: { -readonly [Field in keyof SenderLog]: SenderLog[Field] };
  readonly #encodeStart: Float64Array;

  constructor(
    broker: Broker,
    carrier: Encoder,
    plan: Pick<Hello, "messages" | "warmup" | "depth">,
    session: string,
  ) {
    this.#broker = broker;
    this.#carrier = carrier;
    this.#plan = plan;
    this.#conversation = new Conversation(broker, session, "talker");
    const total = plan.warmup + plan.messages;
    this.#log = {
      encode: new Float64Array(total),
      roundTrip: new Float64Array(total),
      decode: new Float64Array(total),
      received: new Uint8Array(total),
      sent: 0,
      settled: 0,
    };
    this.#encodeStart = new Float64Array(total);
  }

  /** What is known so far. */
  get log(): SenderLog {
    return this.#log;
  }

  /**
   * Sends all messages and waits for the answers. Throws WirebenchError where that cannot be done, and the signal's
   * reason.
   * @param seconds without an answer after which the listener counts as gone
   */
  async send(listener: Pick<ReadyListener, "release">, seconds: number, signal: AbortSignal): Promise<void> {
    const conversation = this.#conversation;
    conversation.begin(seconds, signal, {
      measured: (data) => this.#settle(data),
      control: expectNoRefusal,
    });
    listener.release();
    try {
      await this.#broker.flush();
      await this.#sendAll();
      conversation.sayLast({ kind: "over" });
    } catch (error) {
      conversation.sayLast({ kind: "over", reason: oneReason(error) });
      throw error;
    } finally {
      conversation.end();
    }
  }

  async #sendAll(): Promise<void> {
    const { warmup, messages, depth } = this.#plan;
    const log = this.#log;
    for (let sequence = 0; sequence < warmup + messages; sequence++) {
      const window = sequence <= warmup ? 1 : depth;
      await this.#conversation.gate.until(() => sequence - log.settled < window);
      const value = sequence % this.#carrier.values;
      const start = this.#clock.now();
      const payload = this.#carrier.encode(value);
      log.encode[sequence] = this.#clock.now() - start;
      this.#encodeStart[sequence] = start;
      // The times that it was to be sent and was sent at are nothing to another machine.
      const times = { intended: 0, sent: 0 };
      const frame = { value, sequence, bytes: payload.length, checksum: this.#carrier.checksums[value]! };
      log.sent = sequence + 1;
      const header = writeHeader({ kind: "message", talker: 0, ...frame, ...times });
      publishFrame(this.#broker, this.#conversation.subjects.frames, header, payload);
    }
    await this.#conversation.gate.until(() => log.settled === log.sent);
  }

  /** A message was answered: those before it that were not are lost, because answers come in order. */
  #settle(data: Uint8Array): void {
    const now = this.#clock.now();
    const { sequence, decode } = readAck(data);
    const log = this.#log;
    if (sequence < log.settled || sequence >= log.sent) {
      throw new FrameError(`ack of message ${sequence}: expected ${log.settled} to ${log.sent - 1}`);
    }
    log.roundTrip[sequence] = now - this.#encodeStart[sequence]!;
    log.decode[sequence] = decode;
    log.received[sequence] = 1;
    log.settled = sequence + 1;
    this.#conversation.gate.notify();
  }
}

function expectNoRefusal(data: Uint8Array): void {
  const said = parseFromListener(data);
  if (said.kind === "refused") throw new WirebenchError(`the listener gave up: ${said.reason}`);
}
