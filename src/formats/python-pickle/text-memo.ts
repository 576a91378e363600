import { UTF8_PER_UNIT, writeUtf8 } from "../bytes/utf8.ts";
import { OP } from "./opcodes.ts";

const SLOT_BITS = 10;
const SLOTS = 1 << SLOT_BITS;

/** Most units, and bytes of UTF-8, of a text that a slot holds. */
export const SLOT_TEXT = 32;
/** With the opcode and the length before it, and the memo's opcode after it. */
const SLOT_WORDS = 9;
/** Bytes that may be written beyond the end of a slot's text, or before it is known to be short. */
export const SLOT_ROOM = 4 * SLOT_WORDS;

/** From this many units on, V8 may keep the text that another was cut from alive (`SlicedString::kMinLength`). */
export const MAY_BE_SLICED = 13;

/**
 * Which texts a pickle has already, by equality, and short ones as they are written, which are kept for the pickles
 * to come.
 *
 * A text has one slot that it can be in. What stands there for an earlier pickle gives way; what stands there for this
 * one stays, and the text goes to a Map instead. So what is found never depends on earlier pickles. Keys mostly follow
 * one another as they did before, so that a key's slot is guessed from the last one's, and found by a comparison.
 */
export class TextMemo {
  /** The text of each slot. */
  readonly texts: (string | undefined)[] = Array.from({ length: SLOTS }, () => undefined);
  /** Counts memo entries through all pickles: an entry of this pickle has a number from its first on. */
  readonly numbers = new Int32Array(SLOTS);
  readonly #keys = new Succession();
  readonly #others = new Succession();
  readonly #sizes = new Uint8Array(SLOTS);
  readonly #words = new Int32Array(SLOTS * SLOT_WORDS);
  readonly #bytes = new Uint8Array(this.#words.buffer);
  readonly #scratch = new Uint8Array(SLOT_TEXT * UTF8_PER_UNIT);
  readonly #rest = new Map<string, number>();
  /** The number of the first entry of this pickle. */
  first = 1;
  /** Whether a slot may have a key of this pickle that would have no slot as a value. */
  #hasLong = false;

  /**
   * Forgets which texts there were.
   * @param entries memo entries of the pickle before, or more
   */
  startPickle(entries: number): void {
    this.first += entries;
    this.#keys.last = 0;
    this.#others.last = 0;
    this.#hasLong = false;
    if (this.#rest.size > 0) this.#rest.clear();
    if (this.first < 2 ** 30) return;
    this.numbers.fill(0);
    this.first = 1;
  }

  /**
   * The slot of a text that is not empty and has at most {@link SLOT_TEXT} units, or -1 where it has none: another
   * text of this pickle stands there, or its UTF-8 is too long, or it has none.
   */
  slotOf(text: string): number {
    const slot = slotFor(text);
    if (this.texts[slot] === text) return slot;
    return this.numbers[slot]! >= this.first ? -1 : this.#take(slot, text);
  }

  /** {@link slotOf} for a key. */
  slotOfKey(text: string): number {
    return this.#slotAfter(this.#keys, text);
  }

  /** {@link slotOf} for any other text. */
  slotOfText(text: string): number {
    return this.#slotAfter(this.#others, text);
  }

  #slotAfter(texts: Succession, text: string): number {
    const likely = texts.next[texts.last]!;
    if (this.texts[likely] === text) {
      texts.last = likely;
      return likely;
    }
    const { length } = text;
    const slot = length > 0 && length <= SLOT_TEXT ? this.slotOf(text) : -1;
    if (slot >= 0) {
      texts.next[texts.last] = slot;
      texts.last = slot;
    }
    return slot;
  }

  #take(slot: number, text: string): number {
    const scratch = this.#scratch;
    const size = writeUtf8(scratch, 0, text);
    if (size < 0 || size > SLOT_TEXT) return -1;
    const bytes = this.#bytes;
    const start = slot * SLOT_ROOM;
    bytes[start] = OP.SHORT_BINUNICODE;
    bytes[start + 1] = size;
    for (let i = 0; i < size; i++) bytes[start + 2 + i] = scratch[i]!;
    bytes[start + 2 + size] = OP.MEMOIZE;
    this.texts[slot] = text;
    this.#sizes[slot] = size;
    return slot;
  }

  /** Memo index of a slot's text, negative where this pickle does not have it yet. */
  indexIn(slot: number): number {
    return this.numbers[slot]! - this.first;
  }

  /** Notes that the pickle has a slot's text now. */
  setIndexIn(slot: number, index: number): void {
    this.numbers[slot] = this.first + index;
    if (this.#sizes[slot]! >= MAY_BE_SLICED) this.#hasLong = true;
  }

  /** Writes a slot's text as protocol 4 has it, memo and all, and returns where it ends. */
  writeShort(slot: number, view: DataView, at: number): number {
    const words = this.#words;
    const from = slot * SLOT_WORDS;
    const size = this.#sizes[slot]! + 3;
    for (let i = 0; 4 * i < size; i++) view.setInt32(at + 4 * i, words[from + i]!, true);
    return at + size;
  }

  /** Memo index of a text that has no slot, or none as a value; undefined where this pickle does not have it yet. */
  indexOf(text: string): number | undefined {
    const index = this.#rest.size === 0 ? undefined : this.#rest.get(text);
    if (index !== undefined || !this.#hasLong || text.length > SLOT_TEXT) return index;
    const slot = slotFor(text);
    return this.texts[slot] === text && this.indexIn(slot) >= 0 ? this.indexIn(slot) : undefined;
  }

  /** Notes that the pickle has a text now that has no slot. */
  setIndexOf(text: string, index: number): void {
    this.#rest.set(text, index);
  }
}

/** How texts of a kind follow one another. */
class Succession {
  /** For each slot, that of the text that followed. */
  readonly next = new Uint16Array(SLOTS);
  /** Slot of the last text. */
  last = 0;
}

/** The slot that a text can be in. */
export function slotFor(text: string): number {
  let hash = text.length;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x9e3779b1);
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}
