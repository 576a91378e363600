import { UTF8_PER_UNIT, writeUtf8 } from "../bytes/utf8.ts";
import { compareText } from "./compare-text.ts";
import { BINARY, MAP, SMALL_INTEGER } from "./tags.ts";

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

/** Most keys of an object that is kept here, as Erlang keeps no larger map sorted. */
export const LARGEST_SHAPE = 32;

/** UTF-16 units of a key that is kept. */
const LONGEST = 64;

/** Most keys that are tried at one place. */
const MOST_OTHERS = 8;

/** Most shapes in all; with one more, everything is forgotten. */
const MOST = 4096;

/** The shapes that were met before, as a tree that never grows beyond a bound. */
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
    if (key.length > LONGEST || shape.keys.length >= LARGEST_SHAPE || !key.isWellFormed()) return undefined;
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
