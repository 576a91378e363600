import { compile, literal } from "../../model/generated-code.ts";
import { KeyNode, KeyTree, LONGEST, MOST_KEYS } from "../bytes/key-tree.ts";
import { LONG } from "../bytes/native.ts";
import { UTF8_PER_UNIT, writeUtf8 } from "../bytes/utf8.ts";
import { putInteger, type TermSink, writeFloat } from "./leaf.ts";
import { BINARY, MAP, NEW_FLOAT, SMALL_INTEGER } from "./tags.ts";

/** It has the properties that every object inherits: none, unless a program gave them some that loops see. */
export const NONE: object = Object.freeze({});

/** A key that V8 keeps by its number, before all others. */
const INDEX = /^(?:0|[1-9]\d*)$/;

/** Most bytes that are written for an integer of a number. */
const INTEGER = 11;

/** What writing the values of a shape needs of its writer. */
export interface ObjectSink extends TermSink {
  /** Writes a text as a binary. */
  text(value: string): void;
  /** Writes any term. @param depth of what is around it */
  term(value: unknown, depth: number): void;
  /** Writes an array or any other object. @param depth of it, from 1 */
  within(value: object, depth: number): void;
}

/** How objects of a shape are written, as code of their own. */
export interface ShapeCode {
  /**
   * Writes an object that is likely to be of the shape, whether it is or not; false, and nothing is done, for what is no
   * object of Object. @param depth of the object, from 1
   */
  readonly object: (writer: ObjectSink, object: object, depth: number) => boolean;
  /** Writes the values of an object's properties, which are in their order, from a place on. */
  readonly values: (writer: ObjectSink, values: readonly unknown[], from: number, depth: number) => void;
}

/** Objects whose keys are those from the root of the tree down to here, in that order. */
export class ObjectShape extends KeyNode<ShapeCode> {
  readonly key: string;
  #order: readonly number[] | undefined;

  constructor(above: ObjectShape | undefined, key: string) {
    super(above, key);
    this.key = key;
  }

  /** For each place in the map, which property is there. */
  get order(): readonly number[] {
    this.#order ??= sortedOrder(this.keys);
    return this.#order;
  }
}

/** Shapes of objects as they were written. */
export class ObjectShapes extends KeyTree<ShapeCode, ObjectShape> {
  constructor() {
    super(new ObjectShape(undefined, ""));
  }

  protected override compile(shape: ObjectShape): ShapeCode {
    return compileWriteShape(this, shape);
  }

  /** The shape with one key more, or undefined where it is not to be kept. */
  extend(shape: ObjectShape, key: string): ObjectShape | undefined {
    const { next } = shape;
    if (next !== undefined && next.key === key) return next;
    const known = this.find(shape, (one) => one.key === key);
    if (known !== undefined) return known;
    if (key.length > LONGEST || shape.keys.length >= MOST_KEYS || !key.isWellFormed()) return undefined;
    return this.add(shape, new ObjectShape(shape, key));
  }
}

/** Shapes of objects that were met, by any writer. */
export const shapes = new ObjectShapes();

/** The places of some keys in the order that Erlang sorts them in. */
export function sortedOrder(keys: readonly string[]): number[] {
  return keys.map((_, i) => i).sort((a, b) => compareText(keys[a]!, keys[b]!));
}

/** The order of the UTF-8 of two texts, which is that of their code points: below 0, 0 or above. */
function compareText(a: string, b: string): number {
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

/**
 * Generates the code that writes objects of a shape. Each shape has the loop over its properties and the places of its
 * values for itself: what V8 knows of them is not changed by objects of other shapes, which took three times as long
 * once some had many keys (measured on Node 20).
 *
 * What is written for a key is known: the head of the map before the first one, its term, and the tag of a small integer,
 * which any other value is written over. All of it is words of 8 bytes, each as the double that it is with its lowest
 * byte first: two stores do for most keys. No word is a NaN, whose bits may get lost, as that has 0xf0 or more before
 * 0x7f or 0xff, and UTF-8 has not.
 * @param shapes where to note that an object of the shape was written
 * @param shape of at least one key, all without lone surrogates
 */
function compileWriteShape(shapes: ObjectShapes, shape: ObjectShape): ShapeCode {
  const { keys, order } = shape;
  const terms = order.map((i, place) => keyTerm(keys[i]!, place === 0 ? keys.length : undefined));
  const room = terms.reduce((sum, { size, words }) => sum + Math.max(size, 8 * words.length) + INTEGER, 0);
  const words: number[] = [];
  const entries = order.map((i, place) => {
    const { size, words: own } = terms[place]!;
    const stores = own.map((word, n) => `view.setFloat64(at + ${8 * n}, c${words.push(word) - 1}, true);`);
    return `${stores.join(" ")}
    at += ${size};
    if (typeof v${i} === "number") {
      if ((v${i} & 0xff) === v${i} && !Object.is(v${i}, -0)) {
        bytes[at + 1] = v${i};
        at += 2;
      } else {
        i = ${i};
        at = isInteger(v${i}) ? putNumber(w, at, v${i}, ${room}) : putFloat(w, at, v${i}, ${room});
        bytes = out.bytes;
        view = out.view;
      }
    } else {
      i = ${i};
      at = typeof v${i} === "string" ? putText(w, at, v${i}, ${room}) : put(w, at, v${i}, d, ${room});
      bytes = out.bytes;
      view = out.view;
    }`;
  });
  const places = keys.map((_, i) => i);
  const values = places.map((i) => `v${i}`).join(", ");
  // A loop over an object with indexes takes a third longer than its keys and a look whether each still is there.
  const isIndexed = INDEX.test(keys[0]!);
  const loop = isIndexed ? "const k of keysOf(o)" : "const k in o";
  // V8 finds an index fastest by its number.
  const read = (i: number): string => {
    const key = INDEX.test(keys[i]!) && keys[i]!.length < 9 ? keys[i]! : literal(keys[i]!);
    const skip = isIndexed ? `if (!(${key} in o)) continue;` : "";
    return `case ${i}: if (k === ${literal(keys[i]!)}) { ${skip} isRead = false; v${i} = o[${key}]; isRead = true; n = ${i + 1}; continue; } break;`;
  };
  const source = `const { getPrototypeOf, keys: keysOf, prototype } = Object, [${words.map((_, i) => `c${i}`).join(", ")}] = words;
function write(w, d, ${values}) {
  const out = w.out;
  out.reserve(${room});
  let at = out.at, bytes = out.bytes, view = out.view, i = 0;
  try {
    ${entries.join("\n    ")}
    out.at = at;
  } catch (error) {
    w.below(shape.keys[i]);
    throw error;
  }
}
return {
  object(w, o, d) {
    if (o.constructor !== Object || getPrototypeOf(o) !== prototype) return false;
    for (const _ in none) return false;
    w.enter(d);
    let n = 0, isRead = true, ${values};
    try {
      for (${loop}) {
        switch (n) {
          ${places.map(read).join("\n          ")}
        }
        ${isIndexed ? "if (!(k in o)) continue;" : ""}
        if (n >= 0) {
          w.properties.beginWith(shape, [${values}].slice(0, n));
          n = -1;
        }
        w.property(o, k);
      }
    } catch (error) {
      if (!isRead) w.below(shape.keys[n]);
      throw error;
    }
    if (n === ${keys.length}) {
      shapes.note(shape, d);
      shapes.enter(shape, d);
      write(w, d, ${values});
    } else {
      if (n >= 0) w.properties.beginWith(shape, [${values}].slice(0, n));
      w.entries(d);
    }
    return true;
  },
  values(w, a, from, d) {
    write(w, d, ${places.map((i) => `a[from + ${i}]`).join(", ")});
  },
};`;
  return compile(source, {
    words,
    put,
    putText,
    putNumber,
    putFloat,
    isInteger: Number.isInteger,
    shape,
    shapes,
    none: NONE,
  });
}

/**
 * Writes a number where the bytes of an integer are free, and gives back where it ends.
 * @param room bytes that are free after any but an integer
 */
function putNumber(writer: ObjectSink, at: number, value: number, room: number): number {
  const { out } = writer;
  const end = putInteger(out.bytes, out.view, at, value);
  return end < 0 ? putFloat(writer, at, value, room) : end;
}

/** Writes a float in the same way: it takes no more bytes than an integer, but as text. */
function putFloat(writer: ObjectSink, at: number, value: number, room: number): number {
  const { out } = writer;
  if (Number.isFinite(value) && writer.rules.minorVersion > 0) {
    out.bytes[at] = NEW_FLOAT;
    out.view.setFloat64(at + 1, value);
    return at + 9;
  }
  out.at = at;
  writeFloat(writer, value);
  out.reserve(room);
  return out.at;
}

/** Writes a value that is no number and no text, and gives back where it ends. @param room bytes that are free after it */
function put(writer: ObjectSink, at: number, value: unknown, depth: number, room: number): number {
  const { out } = writer;
  out.at = at;
  if (typeof value === "object" && value !== null) writer.within(value, depth + 1);
  else writer.term(value, depth);
  out.reserve(room);
  return out.at;
}

/** Writes a text as a binary, and gives back where it ends. @param room bytes that are free after it */
function putText(writer: ObjectSink, at: number, text: string, room: number): number {
  const { out } = writer;
  out.at = at;
  if (text.length < LONG && text.length <= writer.rules.maxBytes) {
    out.reserve(5 + UTF8_PER_UNIT * text.length + room);
    const { bytes, view } = out;
    const size = writeUtf8(bytes, at + 5, text);
    if (size >= 0) {
      bytes[at] = BINARY;
      view.setUint32(at + 1, size);
      return at + 5 + size;
    }
  }
  writer.text(text);
  out.reserve(room);
  return out.at;
}

/** What is written for a key, and how many bytes of it are before the value. */
interface KeyTerm {
  readonly size: number;
  readonly words: readonly number[];
}

/** @param count of the map's keys, for the first of them */
function keyTerm(key: string, count: number | undefined): KeyTerm {
  const head = count === undefined ? 0 : 5;
  const buffer = new Uint8Array(head + 5 + UTF8_PER_UNIT * key.length + 8);
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
  const words: number[] = [];
  for (let at = 0; at <= size; at += 8) words.push(view.getFloat64(at, true));
  return { size, words };
}
