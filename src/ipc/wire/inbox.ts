import { setImmediate as turn } from "node:timers/promises";
import type { Arrival, Drop } from "../transport.ts";

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
