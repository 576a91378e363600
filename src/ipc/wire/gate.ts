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
