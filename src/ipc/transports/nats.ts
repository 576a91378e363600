import { randomBytes } from "node:crypto";
import { defineTransport, type Link, type ListenerEnd, type OpenEnd, type Setup } from "../transport.ts";
import { FrameError } from "../wire/frame.ts";
import { Broker, FrameJoiner, publishFrame } from "../wire/nats.ts";
import { Gate, Inbox, TalkerSignals } from "../wire/queues.ts";

/**
 * What a listener says to a talker, as a byte: that it is there, that the talker may send it another frame, that it is
 * done with a message. A server keeps what a listener has not taken yet, and cuts the listener off where that is too
 * much: so best effort waits until a frame has arrived, and has one on its way. Reliable talkers wait for messages to be
 * done with in any case.
 */
const HERE = 1;
const FREE = 2;
const DONE = 4;
const SIGNALS: readonly number[] = [HERE, FREE, DONE, FREE | DONE];

/**
 * Bytes that the talkers of a listener may leave with the server, but for a frame each: half of what it allows unless
 * its max_pending says otherwise.
 */
const PENDING_BYTES = 32 * 1024 * 1024;

export default defineTransport({
  summary: "NATS, through the server at nats://host:port",
  scope: "inter-process",
  takes: { what: "the address of a server", example: "nats://host:4222", required: true },
  open,
  connect,
});

async function open(setup: Setup): Promise<OpenEnd> {
  const { id, listeners, maxBytes } = setup;
  const broker = await Broker.connect(setup.address, `wirebench talker ${id}`);
  const gate = new Gate();
  const here = new Set<number>();
  const signals = new TalkerSignals();
  const fail = (error: Error): void => {
    gate.fail(error);
    for (const link of links) link.fail(error);
    signals.failed(error);
  };
  // Nobody can guess it.
  const pairs = Array.from({ length: listeners }, () => `wirebench.${randomBytes(16).toString("hex")}`);
  const links = pairs.map((pair, listener) => new NatsLink(broker, pair, listener, mostOnTheWay(setup)));
  const take = (listener: number, data: Uint8Array): void => {
    const [signal = 0] = data;
    const link = links[listener]!;
    if (data.length !== 1 || !SIGNALS.includes(signal)) {
      fail(new FrameError(`listener ${listener}: what came from it is no signal`));
      return;
    }
    if (signal & FREE) link.free();
    if (signal & DONE) signals.done(listener);
    if (signal & HERE) here.add(listener);
    gate.notify();
  };
  try {
    broker.expectRoom(maxBytes);
    broker.onFailure(fail);
    for (const [listener, pair] of pairs.entries()) {
      broker.subscribe(backOf(pair), ({ data }) => take(listener, data));
    }
    await broker.flush();
  } catch (error) {
    await broker.close();
    throw error;
  }
  const close = (): Promise<void> => broker.close();
  return {
    addresses: pairs,
    close,
    accept: async () => {
      await gate.until(() => here.size === listeners);
      return { links, close, ...signals.handlers };
    },
  };
}

async function connect(setup: Setup, addresses: readonly unknown[]): Promise<ListenerEnd> {
  const { id, reliability, depth, maxBytes, clock } = setup;
  const waits = reliability === "reliable";
  const pairs = addresses as readonly string[];
  const broker = await Broker.connect(setup.address, `wirebench listener ${id}`);
  const inbox = new Inbox(waits ? Number.POSITIVE_INFINITY : depth);
  const signal = (talker: number, what: number): void =>
    broker.publish(backOf(pairs[talker]!), Uint8Array.of(what));
  broker.onFailure((error) => inbox.fail(error));
  for (const [talker, pair] of pairs.entries()) {
    const joiner = new FrameJoiner(maxBytes, clock, (arrival) => {
      // Nobody is done with the last frame.
      if (!waits || arrival.header.kind === "last") signal(talker, FREE);
      inbox.push(arrival);
    });
    broker.subscribe(pair, ({ data }) => {
      try {
        joiner.push(data);
      } catch (error) {
        inbox.fail(error as Error);
      }
    });
  }
  try {
    // A frame that is published before the server knows of a subscription is lost.
    await broker.flush();
    for (const talker of pairs.keys()) signal(talker, HERE);
    await broker.flush();
  } catch (error) {
    await broker.close();
    throw error;
  }
  return {
    receive: () => inbox.take(),
    ack: (talker) => signal(talker, waits ? FREE | DONE : DONE),
    onDrop: (callback) => inbox.onDrop(callback),
    close: () => broker.close(),
  };
}

/** The subject on which a listener answers. */
function backOf(pair: string): string {
  return `${pair}.back`;
}

/** Frames that may be on their way to a listener, as far as a link is concerned. */
function mostOnTheWay({ reliability, talkers, maxBytes }: Setup): number {
  if (reliability === "best-effort") return 1;
  return Math.max(1, Math.floor(PENDING_BYTES / talkers / Math.max(1, maxBytes)));
}

/** The link to one listener. */
class NatsLink implements Link {
  readonly listeners: readonly number[];
  readonly #broker: Broker;
  readonly #subject: string;
  readonly #most: number;
  readonly #gate = new Gate();
  #onTheWay = 0;

  constructor(broker: Broker, subject: string, listener: number, most: number) {
    this.#broker = broker;
    this.#subject = subject;
    this.listeners = [listener];
    this.#most = most;
  }

  async send(header: Uint8Array, payload: Uint8Array): Promise<void> {
    this.#onTheWay += 1;
    publishFrame(this.#broker, this.#subject, header, payload);
    await this.#gate.until(() => this.#onTheWay < this.#most);
  }

  free(): void {
    this.#onTheWay -= 1;
    this.#gate.notify();
  }

  fail(error: Error): void {
    this.#gate.fail(error);
  }
}
