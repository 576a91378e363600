import { UTF8_PER_UNIT, writeUtf8 } from "../bytes/utf8.ts";
import { BINARY, MAP, SMALL_INTEGER } from "./tags.ts";

/**
 * The keys of maps and objects that were met before, as two trees of a bounded size: each key is below those that came
 * before it in its map. {@link KeyPaths} is for reading, {@link ObjectShapes} for writing.
 */

/** Most keys of a map or object that is kept, as Erlang keeps maps of up to 32 keys as it keeps tuples, and sorted. */
export const MOST_KEYS = 32;

/** Bytes of a key that is kept for reading, and UTF-16 units of one for writing. */
const LONGEST = 64;

/** Bytes of a key that is kept for reading: one word at least. */
const SHORTEST = 4;

/** Most keys that are tried at one place. */
const MOST_OTHERS = 8;

/** Most keys in a tree; with one more, everything is forgotten, so that no input can make it grow. */
const MOST = 4096;

/** A key, after all those above it. */
export class KeyPath {
  /** All keys of the path, this one the last. */
  readonly keys: readonly string[];
  /** The term of the key as it stands in the input, tag and length included. */
  readonly size: number;
  /** That term as words of 32 bits, the highest byte first; the last ends where the term does, over the one before. */
  readonly words: readonly number[];
  /** Whether a property of that name can be set by assignment on every object of the path. */
  readonly assignable: boolean;
  /** The keys that came after it, the last to be met first. */
  next: KeyPath | undefined;
  /** The next of those that came after the same key. */
  other: KeyPath | undefined;

  constructor(above: KeyPath | undefined, key: string, words: readonly number[], size: number) {
    this.keys = above === undefined ? [] : [...above.keys, internalized(key)];
    this.size = size;
    this.words = words;
    this.assignable = above === undefined || (above.assignable && key !== "__proto__");
    this.next = undefined;
    this.other = undefined;
  }
}

/** The same text as V8 keeps names of properties: with it, setting a property takes 3 ns instead of 8 (measured). */
function internalized(key: string): string {
  return Object.keys({ [key]: 0 })[0]!;
}

/**
 * Keys as they were read. A map that has the keys of an earlier one is read by comparing bytes, without making a string
 * of any key; and objects get the same strings in the same order, so that V8 gives them one hidden class.
 */
export class KeyPaths {
  readonly root = new KeyPath(undefined, "", [], 0);
  #count = 0;

  /** The path that goes on with the key at the offset, or undefined if it was not met before. */
  follow(path: KeyPath, view: DataView, at: number, end: number): KeyPath | undefined {
    const first = path.next;
    if (first === undefined) return undefined;
    if (isAt(first, view, at, end)) return first;
    return this.#followOther(path, first, view, at, end);
  }

  #followOther(path: KeyPath, first: KeyPath, view: DataView, at: number, end: number): KeyPath | undefined {
    let before = first;
    for (let i = 1; i < MOST_OTHERS && before.other !== undefined; i++) {
      const one = before.other;
      if (isAt(one, view, at, end)) {
        before.other = one.other;
        one.other = first;
        path.next = one;
        return one;
      }
      before = one;
    }
    before.other = undefined;
    return undefined;
  }

  /** Keeps the key from `at` to `end`, which is not in the path yet; undefined where it is not to be kept. */
  add(path: KeyPath, key: string, view: DataView, at: number, end: number): KeyPath | undefined {
    const size = end - at;
    if (size < SHORTEST || size > LONGEST || path.keys.length >= MOST_KEYS) return undefined;
    if (++this.#count > MOST) {
      this.#count = 0;
      this.root.next = undefined;
      return undefined;
    }
    const words: number[] = [];
    for (let offset = 0; offset < size; offset += 4)
      words.push(view.getInt32(Math.min(at + offset, end - 4)));
    const added = new KeyPath(path, key, words, size);
    added.other = path.next;
    path.next = added;
    return added;
  }
}

/** Whether the bytes at the offset are the key's. What tells keys apart is at the end: it is compared first. */
function isAt({ size, words }: KeyPath, view: DataView, at: number, end: number): boolean {
  const last = at + size - 4;
  if (last + 4 > end) return false;
  const count = words.length - 1;
  if (view.getInt32(last) !== words[count]) return false;
  for (let i = 0; i < count; i++) if (view.getInt32(at + 4 * i) !== words[i]) return false;
  return true;
}

/**
 * What is written for a key: the head of the map before the first one, the key's term, and the tag of a small integer,
 * which any other value is written over. All of it is words of 8 bytes, each as the double that it is with its lowest
 * byte first: two stores do for most keys, where words of 32 bits took three to five (measured with the address book on
 * Node 20: an eighth of all the time; the head and the tag are another twentieth). No word is a NaN, whose bits may get
 * lost, as that has 0xf0 or more before 0x7f or 0xff, and UTF-8 has not.
 */
export interface KeyTerm {
  /** Bytes up to the value. */
  readonly size: number;
  readonly first: number;
  readonly second: number;
  /** The words after these; few keys have any. */
  readonly rest: readonly number[];
}

/** Bytes of {@link KeyTerm.first} and {@link KeyTerm.second}, which are written however short the key is. */
const LEAST = 16;

/** Most bytes that are written for an integer of a number. */
const INTEGER = 11;

/** How objects of one sequence of keys are written. */
export interface ShapeLayout {
  readonly keys: readonly KeyTerm[];
  /** For each of them, which property its value is. */
  readonly order: readonly number[];
  /** Bytes that are enough for all keys, with what their words have too many, and an integer for each. */
  readonly room: number;
}

/** Objects whose keys are those from the root of the tree down to here, in that order. */
export class ObjectShape {
  readonly key: string;
  readonly keys: readonly string[];
  /** How they are written; undefined until one is. */
  layout: ShapeLayout | undefined;
  /** The shapes with one key more, the last to be met first. */
  next: ObjectShape | undefined;
  /** The next of the shapes with one key more than the same one. */
  other: ObjectShape | undefined;

  constructor(above: ObjectShape | undefined, key: string) {
    this.key = key;
    this.keys = above === undefined ? [] : [...above.keys, key];
    this.layout = undefined;
    this.next = undefined;
    this.other = undefined;
  }
}

/** Shapes of objects as they were written. */
export class ObjectShapes {
  readonly root = new ObjectShape(undefined, "");
  #count = 0;

  /** The shape with one key more, or undefined where it is not to be kept. */
  extend(shape: ObjectShape, key: string): ObjectShape | undefined {
    const first = shape.next;
    let before = first;
    for (let i = 1; i < MOST_OTHERS && before?.other !== undefined; i++) {
      const one = before.other;
      if (one.key === key) {
        before.other = one.other;
        one.other = first;
        shape.next = one;
        return one;
      }
      before = one;
    }
    if (before !== undefined) before.other = undefined;
    if (key.length > LONGEST || shape.keys.length >= MOST_KEYS || !key.isWellFormed()) return undefined;
    if (++this.#count > MOST) {
      this.#count = 0;
      this.root.next = undefined;
      return undefined;
    }
    const added = new ObjectShape(shape, key);
    added.other = shape.next;
    shape.next = added;
    return added;
  }
}

/** Sorts keys as Erlang does and makes their terms. */
export function layOut(shape: ObjectShape): ShapeLayout {
  const { keys } = shape;
  const order = keys.map((_, i) => i).sort((a, b) => compareText(keys[a]!, keys[b]!));
  const terms = order.map((i, place) => keyTerm(keys[i]!, place === 0 ? keys.length : undefined));
  const room = terms.reduce((sum, { size }) => sum + size + INTEGER, LEAST);
  const layout = { keys: terms, order, room };
  shape.layout = layout;
  return layout;
}

/** @param count of the map's keys, for the first of them */
function keyTerm(key: string, count: number | undefined): KeyTerm {
  const head = count === undefined ? 0 : 5;
  const buffer = new Uint8Array(head + 5 + UTF8_PER_UNIT * key.length + LEAST);
  const length = writeUtf8(buffer, head + 5, key);
  const view = new DataView(buffer.buffer);
  if (count !== undefined) {
    buffer[0] = MAP;
    view.setUint32(1, count);
  }
  buffer[head] = BINARY;
  view.setUint32(head + 1, length);
  const size = head + 5 + length;
  buffer[size] = SMALL_INTEGER;
  const rest: number[] = [];
  for (let at = LEAST; at <= size; at += 8) rest.push(view.getFloat64(at, true));
  return { size, first: view.getFloat64(0, true), second: view.getFloat64(8, true), rest };
}

/** The order of the UTF-8 of two texts, which is that of their code points: below 0, 0 or above. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** A surrogate stands for a code point beyond all that are one unit. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}
