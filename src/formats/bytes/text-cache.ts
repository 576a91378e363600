import { readShortText, readUtf8, SHORT_TEXT } from "./utf8.ts";

/** With 45 texts, one in 1,024 slots each, two of them are read anew each time; with 4,096 seldom (3.6 against 3.4 µs). */
const SLOT_BITS = 12;
/** How many texts are kept. */
export const SLOTS = 1 << SLOT_BITS;
/** Longest text that is kept, in bytes. */
const SLOT_BYTES = 32;
const SLOT_WORDS = SLOT_BYTES / 4;

/** Largest index that a label tells. */
export const MAX_INDEX = 15;

/** Slot of a text's label. */
export function slotOf(label: number): number {
  return label & (SLOTS - 1);
}

/** The index that a text is as a key of an object, up to {@link MAX_INDEX}; -1 where it is another or none. */
export function indexOf(label: number): number {
  return ((label >> SLOT_BITS) & 31) - 1;
}

/**
 * Short texts that were read before, by their UTF-8. One that is here is the same string again: it is not decoded, and
 * V8 does not look for its equal when it becomes a key, which saves a third of the time to read an object of such names
 * (measured on Node 20). A text has one slot that it can be in, so that texts of different slots differ: {@link label}
 * is what tells keys apart quickly. No input makes the cache grow.
 */
export class TextCache {
  readonly #texts: string[] = Array<string>(SLOTS).fill("");
  readonly #sizes = new Uint8Array(SLOTS);
  readonly #words = new Int32Array(SLOTS * SLOT_WORDS);
  readonly #labels = new Int32Array(SLOTS);
  /**
   * What is known of the text that was read last, see {@link slotOf} and {@link indexOf}; -1 where it is empty or too
   * long for a slot, or a name that no assignment sets.
   */
  label = -1;

  /** Text of the UTF-8 from `start` to `end`, or undefined where it is none. `view` is of the same bytes. */
  read(bytes: Uint8Array, view: DataView, start: number, end: number): string | undefined {
    const size = end - start;
    if (size > SLOT_BYTES || size === 0) {
      this.label = -1;
      return readUtf8(bytes, start, end);
    }
    const words = this.#words;
    const count = (size + 3) >> 2;
    const rest = start + 4 * count - 4;
    const last =
      rest + 4 <= bytes.length
        ? view.getInt32(rest, true) & (-1 >>> ((4 * count - size) << 3))
        : lastWord(bytes, rest, end);
    let hash = Math.imul(last ^ size, 0x9e3779b1);
    for (let i = count - 2; i >= 0; i--) {
      hash = Math.imul((hash >>> 15) ^ hash ^ view.getInt32(start + 4 * i, true), 0x85ebca6b);
    }
    hash = Math.imul((hash >>> 16) ^ hash, 0x7feb352d);
    const slot = hash >>> (32 - SLOT_BITS);
    if (this.#sizes[slot] !== size) return this.#take(slot, bytes, view, start, end, last);
    const from = slot * SLOT_WORDS;
    let differs = words[from + count - 1]! ^ last;
    for (let i = count - 2; i >= 0; i--) differs |= words[from + i]! ^ view.getInt32(start + 4 * i, true);
    if (differs !== 0) return this.#take(slot, bytes, view, start, end, last);
    this.label = this.#labels[slot]!;
    return this.#texts[slot];
  }

  /**
   * The same text as V8 keeps names of properties, for now and later: with it, to set one takes 3 ns instead of 8
   * (measured on Node 20).
   */
  keepAsKey(label: number, text: string): string {
    const name = Object.keys({ [text]: 0 })[0]!;
    const slot = slotOf(label);
    if (this.#texts[slot] === text) this.#texts[slot] = name;
    return name;
  }

  #take(
    slot: number,
    bytes: Uint8Array,
    view: DataView,
    start: number,
    end: number,
    last: number,
  ): string | undefined {
    const size = end - start;
    const text =
      (size <= SHORT_TEXT ? readShortText(bytes, start, size) : undefined) ?? readUtf8(bytes, start, end);
    if (text === undefined) return undefined;
    const count = (size + 3) >> 2;
    const from = slot * SLOT_WORDS;
    for (let i = 0; i < count - 1; i++) this.#words[from + i] = view.getInt32(start + 4 * i, true);
    this.#words[from + count - 1] = last;
    this.#sizes[slot] = size;
    this.#texts[slot] = text;
    this.label = text === "__proto__" ? -1 : slot | ((smallIndex(text) + 1) << SLOT_BITS);
    this.#labels[slot] = this.label;
    return text;
  }
}

/** The word of up to four bytes, the lowest first, where the input ends with them. */
function lastWord(bytes: Uint8Array, start: number, end: number): number {
  let word = 0;
  for (let i = end - 1; i >= start; i--) word = (word << 8) | bytes[i]!;
  return word;
}

function smallIndex(text: string): number {
  const index = text.length <= 2 ? Number(text) : -1;
  return index >= 0 && index <= MAX_INDEX && String(index) === text ? index : -1;
}
