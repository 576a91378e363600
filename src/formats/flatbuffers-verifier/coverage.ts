/** Padding after the last part, whose builder makes the length a multiple of 4. */
const MAX_TRAILING_PADDING = 3;

/** Four marked bytes. */
const MARKED = 0x01010101;

/** Which bytes of a message belong to something. */
export class Coverage {
  readonly #bytes: Uint8Array;
  readonly #words: Uint32Array;

  constructor(length: number) {
    this.#bytes = new Uint8Array(4 * Math.ceil(length / 4));
    this.#words = new Uint32Array(this.#bytes.buffer);
  }

  mark(start: number, end: number): void {
    if (end - start > 64) {
      this.#bytes.fill(1, start, end);
      return;
    }
    let i = start;
    for (; i < end && i % 4 !== 0; i++) this.#bytes[i] = 1;
    for (; i + 4 <= end; i += 4) this.#words[i >>> 2] = MARKED;
    for (; i < end; i++) this.#bytes[i] = 1;
  }

  /** Marks bytes if none of them belongs to anything yet. */
  markUnused(start: number, end: number): void {
    if (!this.#bytes.subarray(start, end).includes(1)) this.mark(start, end);
  }

  /**
   * Offset of the first byte that belongs to nothing and is no padding; undefined when there is none. The length
   * must be a multiple of 4.
   * @param most bytes of padding between two parts or fields
   */
  stray(message: Uint8Array, most: number): number | undefined {
    let run = 0;
    for (let word = 0; word < this.#words.length; word++) {
      if (this.#words[word] === MARKED) {
        run = 0;
        continue;
      }
      for (let i = 4 * word; i < 4 * word + 4; i++) {
        run = this.#bytes[i] === 1 ? 0 : run + 1;
        if (run > most || (run > 0 && message[i] !== 0)) return i;
      }
    }
    return run > MAX_TRAILING_PADDING ? message.length - run : undefined;
  }
}
