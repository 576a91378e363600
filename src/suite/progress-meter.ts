import { defined } from "../model/defined.ts";

/** How far a run is. */
export interface Progress {
  /** Measuring processes that have ended, and that there are going to be. */
  readonly done: number;
  readonly total: number;
  /** What runs now; absent at the end. */
  readonly current?: { readonly codec: string; readonly dataset: string };
  readonly elapsedMs: number;
  /** Estimated from how long the processes took that have ended, or before that from what they have to do; else absent. */
  readonly remainingMs?: number;
}

/** Hears how far a run is. */
export type OnProgress = (progress: Progress) => void;

/** Counts measuring processes and estimates how long the rest takes. */
export class ProgressMeter {
  readonly #onProgress: OnProgress | undefined;
  readonly #started = Date.now();
  #done = -1;

  constructor(onProgress: OnProgress | undefined) {
    this.#onProgress = onProgress;
  }

  /**
   * The next process starts; `left` are to come, it included.
   * @param expectedMs what those take; by default as long as those that have ended, on average
   */
  starts(current: NonNullable<Progress["current"]>, left: number, expectedMs?: number): void {
    this.#done += 1;
    const elapsedMs = Date.now() - this.#started;
    const remainingMs = expectedMs ?? (this.#done === 0 ? undefined : (elapsedMs / this.#done) * left);
    const progress = { done: this.#done, total: this.#done + left, current, elapsedMs };
    this.#onProgress?.({ ...progress, ...defined({ remainingMs }) });
  }

  /** The last process has ended. */
  ends(): void {
    this.#done += 1;
    const elapsedMs = Date.now() - this.#started;
    this.#onProgress?.({ done: this.#done, total: this.#done, elapsedMs, remainingMs: 0 });
  }
}
