import type { TalkerEnd } from "../transport.ts";

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
