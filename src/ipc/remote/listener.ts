import { namedDataset } from "../../catalog/dataset.ts";
import { datasetHash } from "../../catalog/dataset-hash.ts";
import { OWN_VERSION } from "../../catalog/library-version.ts";
import { type Registry, splitName } from "../../catalog/registry.ts";
import type { Dataset } from "../../model/dataset.ts";
import { UsageError, WirebenchError } from "../../model/errors.ts";
import type { IpcRemotePeer } from "../../model/records/ipc-remote.ts";
import { environment } from "../../suite/environment.ts";
import { Clock, clockBase } from "../clock.ts";
import { type Decoder, decoderOf, identityOf } from "../participants/carrier.ts";
import type { Arrival } from "../transport.ts";
import { expectIntact, FrameError, nameOf } from "../wire/frame.ts";
import { Broker, FrameJoiner } from "../wire/nats.ts";
import { Conversation, differences } from "./conversation.ts";
import {
  channelSubject,
  controlBytes,
  expectChannel,
  type Hello,
  oneReason,
  parseHello,
  parseOver,
  sessionOf,
  sessionSubjects,
  writeAck,
} from "./protocol.ts";

/** What a listener is to do. */
export interface ListenOptions {
  readonly channel: string;
  /** `nats://host:port` */
  readonly address: string;
  readonly registry: Registry;
  /** For talkers with data of their user's own. */
  readonly own?: Dataset;
  /** Whether it ends after one talker. */
  readonly once: boolean;
  /** A talker that is silent for so long is gone. */
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  /** Called with what there is to say, a line each. */
  readonly say: (line: string) => void;
}

/** How it ended: by Ctrl-C while it waited or amid messages, or after the one talker or with the server, well or not. */
export type ListenEnd = "stopped" | "interrupted" | "done" | "failed";

/** Name by which listeners of one channel share the talkers: one listener for each. */
const QUEUE = "listeners";

/** Waits for talkers on a channel and serves one after the other. Throws WirebenchError where there is no server. */
export async function listenRemotely(options: ListenOptions): Promise<ListenEnd> {
  const { once, signal, say } = options;
  const subject = channelSubject(expectChannel(options.channel));
  const broker = await Broker.connect(options.address, `wirebench listener of ${options.channel}`);
  try {
    for (;;) {
      const hello = await nextHello(broker, subject, options);
      if (hello === undefined) return "stopped";
      const end = await serve(broker, hello, options);
      if (signal.aborted) return "interrupted";
      if (broker.failure !== undefined) return "failed";
      if (once) return end.problem === undefined && end.lost === 0 ? "done" : "failed";
    }
  } catch (error) {
    const { failure } = broker;
    if (failure === undefined || error !== failure) throw error;
    say(`error: ${failure.message}`);
    return "failed";
  } finally {
    await broker.leave();
  }
}

/** The next talker's hello; undefined once the signal says to stop. Others are not listened to while one is served. */
async function nextHello(
  broker: Broker,
  subject: string,
  { channel, signal, say }: ListenOptions,
): Promise<Hello | undefined> {
  let isOver = false;
  let stop = (): void => {};
  let abort = (): void => {};
  try {
    return await new Promise<Hello | undefined>((resolve, reject) => {
      abort = () => resolve(undefined);
      signal.addEventListener("abort", abort);
      if (signal.aborted) abort();
      broker.onFailure(reject);
      const take = (data: Uint8Array): void => {
        try {
          const hello = parseHello(data);
          void waiting.then(() => resolve(hello));
        } catch (error) {
          const reason = oneReason(error);
          say(`ignored what is no talker's hello: ${reason}`);
          const session = sessionOf(data);
          if (session !== undefined) refuse(broker, session, reason);
        }
      };
      stop = broker.subscribe(subject, ({ data }) => take(data), QUEUE);
      // Said once the server knows, and before the first talker is: what is published from then on is heard.
      const waiting = broker.flush().then(() => {
        if (!isOver) say(`waiting for a talker on channel "${channel}" of ${broker.address}; Ctrl-C ends`);
      }, reject);
    });
  } finally {
    isOver = true;
    signal.removeEventListener("abort", abort);
    stop();
  }
}

function refuse(broker: Broker, session: string, reason: string): void {
  broker.publish(sessionSubjects(session).talker, controlBytes({ kind: "refused", reason }));
}

async function serve(broker: Broker, hello: Hello, options: ListenOptions): Promise<SessionEnd> {
  const { registry, own, timeoutSeconds, signal, say } = options;
  const { codec, dataset, messages, warmup, depth } = hello;
  say(
    `a talker: ${codec}, ${dataset.name}, ${messages} messages after ${warmup} of warm-up, ${depth} at a time`,
  );
  const bind = async (): Promise<BoundCodec> => {
    broker.expectRoom(hello.maxBytes);
    const codec = await bindFor(registry, hello, own, broker.maxPayload);
    for (const difference of differences(hello, codec)) {
      say(`warning: the talker has ${difference}`);
    }
    return codec;
  };
  const end = await new Session(broker, hello).run(bind, timeoutSeconds, signal);
  const { received, lost, problem } = end;
  const count = `${received} of ${messages + warmup} messages received${lost > 0 ? `, ${lost} lost` : ""}`;
  say(problem === undefined ? count : `error: ${problem} (${count})`);
  return end;
}

/** What a talker's messages came to. */
interface SessionEnd {
  /** Warm-up included. */
  readonly received: number;
  readonly lost: number;
  /** What went wrong. */
  readonly problem?: string;
}

/** A listener's side of one talker's messages. */
class Session {
  readonly #broker: Broker;
  readonly #hello: Hello;
  readonly #conversation: Conversation;
  readonly #clock = new Clock(clockBase());
  #codec: BoundCodec | undefined;
  #next = 0;
  #received = 0;
  #isOver = false;

  constructor(broker: Broker, hello: Hello) {
    this.#broker = broker;
    this.#hello = hello;
    this.#conversation = new Conversation(broker, hello.session, "listener");
  }

  /**
   * Binds, says so to the talker, and receives its messages until it is done.
   * @param bind loads codec and data; called when the talker knows that it was heard
   * @param seconds of silence after which the talker counts as gone
   */
  async run(bind: () => Promise<BoundCodec>, seconds: number, signal: AbortSignal): Promise<SessionEnd> {
    const conversation = this.#conversation;
    const joiner = new FrameJoiner(this.#hello.maxBytes, this.#clock, (arrival) => this.#read(arrival));
    conversation.begin(seconds, signal, {
      measured: (data) => joiner.push(data),
      control: (data) => this.#end(parseOver(data).reason),
    });
    try {
      conversation.say({ kind: "heard" });
      // To bind may take long, and nothing is sent meanwhile.
      await this.#broker.flush();
      this.#codec = await bind();
      conversation.say({ kind: "ready", peer: peerOf(this.#codec) });
      await conversation.gate.until(() => this.#isOver);
      return this.#account();
    } catch (error) {
      const problem = oneReason(error);
      conversation.sayLast({ kind: "refused", reason: problem });
      return { ...this.#account(), problem };
    } finally {
      conversation.end();
    }
  }

  /** Reads a message. Only bytes that are known get to the codec: what a library does with others is nobody's guess. */
  #read({ header, payload }: Arrival): void {
    const { sequence, value, checksum } = header;
    const { decoder } = this.#codec ?? {};
    const expected = decoder?.encoded[value];
    if (header.kind !== "message" || header.talker !== 0 || expected === undefined || decoder === undefined) {
      throw new FrameError(`${nameOf(header)}: there is no such message`);
    }
    if (sequence < this.#next) throw new FrameError(`${nameOf(header)}: it came before`);
    if (sequence >= this.#planned) throw new FrameError(`${nameOf(header)}: there is no such message`);
    if (decoder.checksums[value] !== checksum)
      throw new FrameError(`${nameOf(header)}: it is of other bytes`);
    expectIntact(header, payload, expected);
    const start = this.#clock.now();
    decoder.read(value, payload);
    const decode = this.#clock.now() - start;
    this.#broker.publish(this.#conversation.subjects.acks, writeAck({ sequence, decode }));
    this.#next = sequence + 1;
    this.#received += 1;
  }

  #end(reason: string | undefined): void {
    if (reason !== undefined) throw new WirebenchError(`the talker gave up: ${reason}`);
    this.#isOver = true;
    this.#conversation.gate.notify();
  }

  get #planned(): number {
    return this.#hello.warmup + this.#hello.messages;
  }

  #account(): SessionEnd {
    const sent = this.#isOver ? this.#planned : this.#next;
    return { received: this.#received, lost: sent - this.#received };
  }
}

function peerOf({ library, libraryVersion }: BoundCodec): IpcRemotePeer {
  const { cpu, os, runtime } = environment();
  return {
    version: OWN_VERSION,
    library,
    libraryVersion,
    cpu: cpu.model,
    cores: cpu.cores,
    os: `${os.platform} ${os.release} ${os.arch}`,
    node: runtime.version,
  };
}

/** The codec that a talker uses, bound by its listener. */
interface BoundCodec {
  readonly decoder: Decoder;
  readonly library: string;
  readonly libraryVersion: string;
}

/**
 * Binds the codec and the dataset that a talker names, and makes sure that they are the talker's. Throws WirebenchError
 * for what is not here or is something else here.
 * @param own the data that the listener was given, for a talker with data of its user's
 * @param maxPayload bytes of the longest message that the server takes
 */
async function bindFor(
  registry: Registry,
  hello: Hello,
  own: Dataset | undefined,
  maxPayload: number,
): Promise<BoundCodec> {
  const { library, version: libraryVersion } = await identityOf(registry, hello.codec);
  const dataset = await datasetOf(registry, hello, own, maxPayload);
  if (datasetHash(dataset) !== hello.dataset.sha256) {
    throw new UsageError(`dataset "${hello.dataset.name}": its values here are not the talker's`);
  }
  const decoder = await decoderOf(registry, hello.codec, dataset, true);
  const { checksums } = hello;
  if (checksums.length !== decoder.values || checksums.some((sum, i) => sum !== decoder.checksums[i])) {
    throw new UsageError(
      `${hello.codec}: it encodes the talker's values in another way here, with ${library} ${libraryVersion}: ` +
        `the talker has ${hello.library} ${hello.libraryVersion}, or another schema`,
    );
  }
  return { decoder, library, libraryVersion };
}

async function datasetOf(
  registry: Registry,
  { dataset: { name, own: isOwn, int64 } }: Hello,
  own: Dataset | undefined,
  maxPayload: number,
): Promise<Dataset> {
  if (isOwn) {
    if (own !== undefined) return own;
    throw new UsageError(
      `dataset "${name}" is the talker's own: start the listener with the same --data, and --schema if there is one`,
    );
  }
  // A size is a number of things that take a byte each at least, and making them takes memory.
  const [, size] = splitName(name);
  if (Number(size) > maxPayload)
    throw new UsageError(`dataset "${name}": the server takes no message so long`);
  return namedDataset(registry, name, int64);
}
