import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import type { Phase, TalkerLog } from "../exchange/job.ts";
import type { TalkerEnd } from "../transport.ts";
import { type FrameHeader, writeHeader } from "../wire/frame.ts";
import { Gate, Outbox } from "../wire/queues.ts";
import type { Encoder } from "./carrier.ts";
import { UseMeter } from "./process-use.ts";

const NOTHING = new Uint8Array(0);

/** Encodes messages and sends each to all its listeners. */
export class Talker {
  readonly #id: number;
  readonly #listeners: number;
  readonly #carrier: Encoder;
  readonly #end: TalkerEnd;
  readonly #clock: Clock;
  readonly #gate = new Gate();
  /** Messages on their way, per listener. */
  readonly #onTheWay: number[];

  /** @param setup number of this talker, and how many listeners each message has */
  constructor(
    setup: { readonly id: number; readonly listeners: number; readonly clock: Clock },
    carrier: Encoder,
    end: TalkerEnd,
  ) {
    this.#id = setup.id;
    this.#listeners = setup.listeners;
    this.#clock = setup.clock;
    this.#carrier = carrier;
    this.#end = end;
    this.#onTheWay = new Array<number>(setup.listeners).fill(0);
    end.onAck((listener) => {
      this.#onTheWay[listener]! -= 1;
      this.#gate.notify();
    });
    end.onError((error) => this.#gate.fail(error));
  }

  /** Sends a phase's messages, and then the frame that ends it. `onSent` is called with how many were sent. */
  async send(phase: Phase, onSent: (messages: number) => void): Promise<TalkerLog> {
    const { messages, window, limit, rateHz } = phase;
    const log = this.#emptyLog(messages);
    const outboxes = this.#outboxes(limit, log.dropped);
    const meter = new UseMeter(messages);
    let stalled = 0;
    const start = this.#clock.now();
    for (let sequence = 0; sequence < messages; sequence++) {
      const due = rateHz === undefined ? undefined : start + (sequence * 1e9) / rateHz;
      if (due !== undefined) await until(due, this.#clock);
      const ready = this.#clock.now();
      await this.#mayGo(window);
      const encodeStart = this.#clock.now();
      if (window !== Number.POSITIVE_INFINITY) stalled += encodeStart - ready;
      const value = sequence % this.#carrier.values;
      const payload = this.#carrier.encode(value);
      const encoded = this.#clock.now();
      const intended = due ?? encodeStart;
      log.intended[sequence] = intended;
      log.encodeStart[sequence] = encodeStart;
      log.encoded[sequence] = encoded;
      const frame = { value, sequence, bytes: payload.length, checksum: this.#carrier.checksums[value]! };
      for (const [link, outbox] of outboxes.entries()) {
        const header = (): Uint8Array => {
          const sent = this.#clock.now();
          for (const listener of this.#end.links[link]!.listeners) log.sent[listener]![sequence] = sent;
          return this.#header({ kind: "message", intended, sent, ...frame });
        };
        outbox.offer({ sequence, header, payload });
      }
      for (let listener = 0; listener < this.#listeners; listener++) this.#onTheWay[listener]! += 1;
      meter.handled(sequence + 1);
      onSent(sequence + 1);
    }
    await this.#finish(outboxes, messages, window);
    return { ...log, stalled, use: await meter.stop() };
  }

  /** Waits until another message may be sent. Sockets are served in any case. */
  async #mayGo(window: number): Promise<void> {
    if (window === Number.POSITIVE_INFINITY) {
      await turn();
      await this.#gate.until(() => true);
    } else {
      await this.#gate.until(() => this.#onTheWay.every((count) => count < window));
    }
  }

  async #finish(outboxes: readonly Outbox[], messages: number, window: number): Promise<void> {
    const nothing = { value: 0, bytes: 0, checksum: 0, intended: 0, sent: 0 };
    const header = this.#header({ kind: "last", sequence: messages, ...nothing });
    for (const outbox of outboxes) {
      outbox.offer({ sequence: undefined, header: () => header, payload: NOTHING });
    }
    let allSent = false;
    void Promise.all(outboxes.map((outbox) => outbox.empty())).then(() => {
      allSent = true;
      this.#gate.notify();
    });
    await this.#gate.until(() => allSent);
    if (window === Number.POSITIVE_INFINITY) this.#onTheWay.fill(0);
    else await this.#gate.until(() => this.#onTheWay.every((count) => count === 0));
  }

  #header(header: Omit<FrameHeader, "talker">): Uint8Array {
    return writeHeader({ talker: this.#id, ...header });
  }

  #outboxes(limit: number, dropped: readonly Uint8Array[]): Outbox[] {
    return this.#end.links.map(
      (link) =>
        new Outbox(link, limit, {
          drop: (sequence) => {
            for (const listener of link.listeners) dropped[listener]![sequence] = 1;
          },
          error: (error) => this.#gate.fail(error),
        }),
    );
  }

  #emptyLog(messages: number): Omit<TalkerLog, "stalled" | "use"> {
    return {
      intended: new Float64Array(messages),
      encodeStart: new Float64Array(messages),
      encoded: new Float64Array(messages),
      sent: Array.from({ length: this.#listeners }, () => new Float64Array(messages)),
      dropped: Array.from({ length: this.#listeners }, () => new Uint8Array(messages)),
    };
  }
}

/** Timers of Node are early or late by less than this (measured: 0.3 ms at p99), in nanoseconds. */
const TIMER_NANOS = 1_500_000;

/** Waits until a time comes: asleep, and awake for the last part, in which sockets are served. */
export async function until(time: number, clock: Clock): Promise<void> {
  const ahead = time - clock.now();
  if (ahead > 2 * TIMER_NANOS) await sleep((ahead - TIMER_NANOS) / 1e6);
  while (clock.now() < time) await turn();
}
