import { writeUtf8 } from "../../bytes/utf8.ts";
import { compareText } from "./compare-text.ts";
import { BINARY } from "./tags.ts";

/** A key as the term that is written: words of 32 bits, the last of them over the one before where it must be. */
export interface KeyTerm {
  readonly size: number;
  readonly words: readonly number[];
}

/** How objects of one sequence of keys are written. */
export interface ShapeLayout {
  readonly keys: readonly KeyTerm[];
  /** For each of them, which property its value is. */
  readonly order: readonly number[];
  /** Bytes of all keys. */
  readonly size: number;
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
  const terms = order.map((i) => keyTerm(keys[i]!));
  const layout = { keys: terms, order, size: terms.reduce((sum, { size }) => sum + size, 0) };
  shape.layout = layout;
  return layout;
}

function keyTerm(key: string): KeyTerm {
  const buffer = new Uint8Array(5 + 3 * key.length);
  const length = writeUtf8(buffer, 5, key);
  const view = new DataView(buffer.buffer);
  buffer[0] = BINARY;
  view.setUint32(1, length);
  const size = 5 + length;
  const words: number[] = [];
  for (let at = 0; at < size; at += 4) words.push(view.getInt32(Math.min(at, size - 4)));
  return { size, words };
}
