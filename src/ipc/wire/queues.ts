/** Where messages and programs wait for each other: queues at both ends of a link, and what wakes who waits. */
import { setImmediate as turn } from "node:timers/promises";
import type { Arrival, Drop, Link, TalkerEnd } from "../transport.ts";

/** What some code waits for, one call at a time, and other code opens. It fails for good. */
export class Gate {
  #open: (() => void) | undefined;
  #reject: ((error: Error) => void) | undefined;
  #error: Error | undefined;

  /** Wakes whoever waits, to look again. */
  notify(): void {
    this.#open?.();
  }

  /** Makes whoever waits, now or later, fail. */
  fail(error: Error): void {
    this.#error ??= error;
    this.#reject?.(this.#error);
  }

  /** Resolves once the condition holds, which is looked at after every {@link notify}. */
  async until(condition: () => boolean): Promise<void> {
    for (;;) {
      if (this.#error !== undefined) throw this.#error;
      if (condition()) return;
      await new Promise<void>((resolve, reject) => {
        this.#open = resolve;
        this.#reject = reject;
      });
    }
  }
}

/** What a talker's end hears of its listeners. The first failure is kept for whoever asks for it later. */
export class TalkerSignals {
  #onAck = (_listener: number): void => {};
  #onError = (_error: Error): void => {};
  #failure: Error | undefined;
  #ended = false;

  /** The part of a talker's end that hands the signals on. */
  readonly handlers: Pick<TalkerEnd, "onAck" | "onError"> = {
    onAck: (callback) => {
      this.#onAck = callback;
    },
    onError: (callback) => {
      this.#onError = callback;
      if (this.#failure !== undefined) callback(this.#failure);
    },
  };

  /** A listener is done with a message. */
  done(listener: number): void {
    this.#onAck(listener);
  }

  /** A listener is gone, or sends what makes no sense. */
  failed(error: Error): void {
    if (this.#ended) return;
    this.#failure ??= error;
    this.#onError(this.#failure);
  }

  /** The talker closes its end: that listeners go then is no failure. */
  end(): void {
    this.#ended = true;
  }
}

/** A frame to be sent. */
export interface Outgoing {
  /** Of the message; undefined for the frame that ends a phase. */
  readonly sequence: number | undefined;
  /** Called as it goes onto the link: its header says when that is. */
  header(): Uint8Array;
  readonly payload: Uint8Array;
}

/**
 * Frames that wait for a link, of which one is on it. With a limit, the newest messages are kept and the oldest
 * dropped; what is on the link cannot be withdrawn, and the frame that ends a phase is never dropped.
 */
export class Outbox {
  readonly #link: Link;
  readonly #limit: number;
  readonly #onDrop: (sequence: number) => void;
  readonly #onError: (error: Error) => void;
  #queue: Outgoing[] = [];
  #busy = false;
  #whenEmpty: (() => void) | undefined;

  /** @param limit messages that wait; infinite to keep all */
  constructor(link: Link, limit: number, on: { drop(sequence: number): void; error(error: Error): void }) {
    this.#link = link;
    this.#limit = limit;
    this.#onDrop = on.drop;
    this.#onError = on.error;
  }

  /** Sends a frame as soon as the link is free. */
  offer(frame: Outgoing): void {
    this.#queue.push(frame);
    if (!this.#busy) {
      void this.#drain();
      return;
    }
    const messages = this.#queue.filter(({ sequence }) => sequence !== undefined);
    if (messages.length <= this.#limit) return;
    const oldest = messages[0]!;
    this.#queue = this.#queue.filter((waiting) => waiting !== oldest);
    this.#onDrop(oldest.sequence!);
  }

  /** Resolves once everything was sent. */
  async empty(): Promise<void> {
    if (!this.#busy) return;
    await new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
  }

  async #drain(): Promise<void> {
    this.#busy = true;
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        await this.#link.send(next.header(), next.payload);
      }
    } catch (error) {
      this.#onError(error as Error);
      return;
    }
    this.#busy = false;
    this.#whenEmpty?.();
  }
}

/**
 * Frames that have arrived and wait for their listener. With a limit, a talker's newest messages are kept and its
 * oldest dropped; the frame that ends a phase never is.
 */
export class Inbox {
  readonly #limit: number;
  #queue: Arrival[] = [];
  #waiting: { resolve(): void; reject(error: Error): void } | undefined;
  #error: Error | undefined;
  #onDrop: (drop: Drop) => void = () => {};

  /** @param limit messages that wait, per talker; infinite to keep all */
  constructor(limit: number) {
    this.#limit = limit;
  }

  onDrop(callback: (drop: Drop) => void): void {
    this.#onDrop = callback;
  }

  /** Takes in a frame. */
  push(arrival: Arrival): void {
    this.#queue.push(arrival);
    const { talker, kind } = arrival.header;
    if (kind === "message") this.#keepNewest(talker);
    this.#waiting?.resolve();
  }

  /** Ends the waiting, now and for good. Frames that have come are still given out. */
  fail(error: Error): void {
    this.#error ??= error;
    this.#waiting?.reject(this.#error);
  }

  /** The oldest frame; waits for one. */
  async take(): Promise<Arrival> {
    // What came while the last message was handled is let in first: it may push out what is here.
    await turn();
    if (this.#queue.length === 0) {
      if (this.#error !== undefined) throw this.#error;
      await new Promise<void>((resolve, reject) => {
        this.#waiting = { resolve, reject };
      });
      this.#waiting = undefined;
    }
    return this.#queue.shift()!;
  }

  #keepNewest(talker: number): void {
    const own = this.#queue.filter(({ header }) => header.talker === talker && header.kind === "message");
    if (own.length <= this.#limit) return;
    const oldest = own[0]!;
    this.#queue = this.#queue.filter((arrival) => arrival !== oldest);
    oldest.release();
    this.#onDrop({ talker, sequence: oldest.header.sequence, place: "receiver" });
  }
}
