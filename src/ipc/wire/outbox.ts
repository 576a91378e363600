import type { Link } from "../transport.ts";

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
