import { readUtf8 } from "../../bytes/utf8.ts";

const SLOT_BITS = 10;
/** How many texts are kept. */
export const SLOTS = 1 << SLOT_BITS;
/** Longest text that is kept, in bytes. */
const SLOT_BYTES = 32;
const SLOT_WORDS = SLOT_BYTES / 4;

/**
 * Short texts that were read before, by their UTF-8. A text has one slot that it can be in, so that texts of different
 * slots differ: {@link slot} is what tells keys apart quickly. No input makes the cache grow.
 */
export class TextCache {
  readonly #texts: string[] = Array<string>(SLOTS).fill("");
  readonly #sizes = new Uint8Array(SLOTS);
  readonly #words = new Int32Array(SLOTS * SLOT_WORDS);
  /** Slot of the text that was read last, or -1 where it is too long for one, or at the end of the input. */
  slot = -1;

  /** Text of the UTF-8 from `start` to `end`, or undefined where it is none. `view` is of the same bytes. */
  read(bytes: Uint8Array, view: DataView, start: number, end: number): string | undefined {
    const size = end - start;
    // Whole words are read, so that some bytes must follow.
    if (size > SLOT_BYTES || size === 0 || end + 3 > bytes.length) {
      this.slot = -1;
      return readUtf8(bytes, start, end);
    }
    const words = this.#words;
    const count = (size + 3) >> 2;
    const last = view.getInt32(start + 4 * count - 4, true) & (-1 >>> ((4 * count - size) << 3));
    let hash = Math.imul(last ^ size, 0x9e3779b1);
    for (let i = count - 2; i >= 0; i--) {
      hash = Math.imul((hash >>> 15) ^ hash ^ view.getInt32(start + 4 * i, true), 0x85ebca6b);
    }
    hash = Math.imul((hash >>> 16) ^ hash, 0x7feb352d);
    const slot = hash >>> (32 - SLOT_BITS);
    this.slot = slot;
    if (this.#sizes[slot] !== size) return this.#take(slot, bytes, view, start, end, last);
    const from = slot * SLOT_WORDS;
    let differs = words[from + count - 1]! ^ last;
    for (let i = count - 2; i >= 0; i--) differs |= words[from + i]! ^ view.getInt32(start + 4 * i, true);
    return differs === 0 ? this.#texts[slot] : this.#take(slot, bytes, view, start, end, last);
  }

  #take(
    slot: number,
    bytes: Uint8Array,
    view: DataView,
    start: number,
    end: number,
    last: number,
  ): string | undefined {
    const text = readUtf8(bytes, start, end);
    if (text === undefined) return undefined;
    const size = end - start;
    const count = (size + 3) >> 2;
    const from = slot * SLOT_WORDS;
    for (let i = 0; i < count - 1; i++) this.#words[from + i] = view.getInt32(start + 4 * i, true);
    this.#words[from + count - 1] = last;
    this.#sizes[slot] = size;
    this.#texts[slot] = text;
    return text;
  }
}
