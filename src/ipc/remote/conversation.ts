import type { Broker } from "../wire/nats.ts";

/** How often somebody who says nothing is looked after, in milliseconds. */
const TICK_MS = 1000;

const NOTHING = new Uint8Array(0);

/**
 * Finds out that the other side is gone. While nothing comes from it, it is sent an empty message each second: the
 * server itself answers one that nobody hears. While messages come and go, nothing is added to them.
 */
export class Pulse {
  readonly #onGone: (reason: string) => void;
  readonly #timer: NodeJS.Timeout;
  #heard = true;
  #silent = 0;

  /**
   * @param subjects the other side's, and the own one for the server's answer
   * @param seconds of silence after which the other side counts as gone too
   */
  constructor(
    broker: Broker,
    subjects: { readonly other: string; readonly own: string },
    seconds: number,
    onGone: (reason: string) => void,
  ) {
    this.#onGone = onGone;
    this.#timer = setInterval(() => {
      if (this.#heard) {
        this.#heard = false;
        this.#silent = 0;
        return;
      }
      this.#silent += TICK_MS;
      if (this.#silent >= seconds * 1000) {
        this.#gone(`has said nothing for ${seconds} s`);
        return;
      }
      try {
        broker.publish(subjects.other, NOTHING, subjects.own);
      } catch {
        // Whoever waits learns of a broker that is gone from the broker.
      }
    }, TICK_MS);
  }

  /** To be called with every sign of progress. */
  heard(): void {
    this.#heard = true;
  }

  /** To be called when the server says that nobody hears. */
  unheard(): void {
    this.#gone("is gone");
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #gone(reason: string): void {
    this.stop();
    this.#onGone(reason);
  }
}
