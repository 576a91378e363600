import { ValueError } from "../../model/errors.ts";
import { pathText, show } from "../../model/value.ts";
import { type DictShape, shapes } from "./dict-shapes.ts";
import { Hashables } from "./hashables.ts";
import { IdentityMemo } from "./identity-memo.ts";
import { type Dict, type WriteObject, writeIndexed, writeList, writeNone } from "./object-writers.ts";
import { OP } from "./opcodes.ts";
import { depthOf, MAX_DEPTH, MAX_DIGITS, type PickleOptions, type Protocol, protocolOf } from "./options.ts";
import { PickleOutput } from "./output.ts";
import { slotFor } from "./text-memo.ts";
import { ByteArray, FrozenSet, PyFloat, Tuple } from "./types.ts";

/** Entries that one APPENDS, SETITEMS or ADDITEMS takes (`BATCHSIZE` of `Modules/_pickle.c`). */
const BATCH = 1000;

const NOTHING = {};

/** The first indexes as text. */
const INDEXES: readonly string[] = Array.from({ length: 256 }, (_, i) => String(i));

/** Their slots in the memo of texts. */
const INDEX_SLOTS = Uint16Array.from(INDEXES, slotFor);

/** Thrown where a value cannot be written. Each container around it notes, on its way out, where it was. */
class Refusal extends Error {
  /** Keys and indexes, from the innermost. */
  readonly steps: unknown[] = [];

  valueError(): ValueError {
    const steps = this.steps.reverse();
    const named = steps.map((step) =>
      typeof step === "string" || typeof step === "number" ? step : show(step),
    );
    return new ValueError(pathText(named), this.message);
  }
}

/**
 * Walks values and writes them. One is used again and again; a getter that pickles meanwhile gets another.
 */
export class Pickler {
  static #idle: Pickler | undefined;

  /** What is written. */
  readonly out = new PickleOutput();
  /** Whether someone has given Object.prototype a property that for-in finds. */
  inherits = false;
  /** What is to write objects like the last one, where what was expected to write it did not. */
  found: WriteObject | undefined;
  /** Arrays that the pickle has already; what an object is of these two never changes. */
  readonly #lists = new IdentityMemo();
  /** All other objects. */
  readonly #objects = new IdentityMemo();
  /** By depth, what wrote the last object in a list or under an index. */
  readonly #expected: WriteObject[] = Array.from({ length: MAX_DEPTH + 1 }, () => writeNone);
  #hashables: Hashables | undefined;
  #maxDepth = 0;

  /** A value as a pickle. Throws ValueError, with its path, for what Python has no value for. */
  static pickle(value: unknown, options: PickleOptions): Uint8Array {
    const { memo = true } = options;
    const protocol = protocolOf(options);
    const depth = depthOf(options);
    const pickler = Pickler.#idle ?? new Pickler();
    Pickler.#idle = undefined;
    try {
      return pickler.#pickle(value, protocol, memo, depth);
    } catch (error) {
      pickler.out.release();
      throw error instanceof Refusal ? error.valueError() : error;
    } finally {
      pickler.#lists.clear();
      pickler.#objects.clear();
      pickler.#hashables = undefined;
      Pickler.#idle = pickler;
    }
  }

  #pickle(value: unknown, protocol: Protocol, memo: boolean, depth: number): Uint8Array {
    const out = this.out;
    const start = out.start(protocol, memo);
    this.#maxDepth = depth;
    this.inherits = false;
    for (const _ in NOTHING) this.inherits = true;
    return out.finish(this.#item(value, start, 0));
  }

  /** Writes a value that is no object. */
  leaf(value: unknown, start: number): number {
    const out = this.out;
    const at = out.room(start);
    switch (typeof value) {
      case "number":
        return out.number(value, at);
      case "string":
        return this.#checked(out.text(value, at), value);
      case "object":
        return out.op(OP.NONE, at);
      case "boolean":
        if (out.protocol < 2) return out.line(OP.INT, value ? "01" : "00", at);
        return out.op(value ? OP.NEWTRUE : OP.NEWFALSE, at);
      case "bigint":
        this.#checkDigits(value);
        return out.bigint(value, at);
      default:
        return this.#refuse(`expected a value that Python has too, got ${show(value)}`);
    }
  }

  #value(value: unknown, at: number, depth: number): number {
    return typeof value === "object" && value !== null ? this.object(value, at, depth) : this.leaf(value, at);
  }

  /** {@link #value}, in place for what most of them are, and by what wrote the last object at this depth. */
  #item(value: unknown, at: number, depth: number): number {
    const { out } = this;
    if (typeof value === "number" && (value & 0xff) === value && value !== 0 && at < out.limit) {
      out.bytes[at] = OP.BININT1;
      out.bytes[at + 1] = value;
      return at + 2;
    }
    if (typeof value !== "object" || value === null) return this.leaf(value, at);
    const write = this.#expected[depth]!;
    const tried = write(this, value, at, depth);
    if (tried >= 0 && this.found === undefined) return tried;
    const end = tried < 0 ? this.object(value, at, depth) : tried;
    this.#expected[depth] = this.found ?? writeNone;
    this.found = undefined;
    return end;
  }

  /** Writes an object of any kind, and notes in {@link found} what could have. */
  object(value: object, start: number, depth: number): number {
    const out = this.out;
    const at = out.room(start);
    const isArray = Array.isArray(value);
    const known = isArray ? this.knownList(value) : this.known(value);
    if (known >= 0) return out.fetch(known, at);
    if (isArray) {
      if (value instanceof Tuple) return this.#tuple(value, at, depth);
      const end = this.list(value, at, depth);
      this.found = writeList;
      return end;
    }
    const prototype = Object.getPrototypeOf(value);
    if (prototype === Object.prototype || prototype === null) return this.#dict(value as Dict, at, depth);
    return this.#other(value, at, depth);
  }

  /** Memo index of an array, or -1. */
  knownList(value: readonly unknown[]): number {
    return this.#lists.indexOf(value);
  }

  /** Memo index of an object that is no array, or -1. */
  known(value: object): number {
    return this.#objects.indexOf(value);
  }

  #other(value: object, at: number, depth: number): number {
    const out = this.out;
    if (value instanceof ByteArray) return this.#putObject(value, out.byteArrayValue(value, at));
    if (value instanceof Uint8Array) return this.#putObject(value, out.bytesValue(value, at));
    if (value instanceof Map) return this.#map(value, at, depth);
    if (value instanceof FrozenSet) return this.#frozenSet(value, at, depth);
    if (value instanceof Set) return this.#set(value, at, depth);
    if (value instanceof PyFloat && typeof value.value === "number") return out.float(value.value, at);
    if (isForeignObject(value)) return this.#dict(value, at, depth);
    return this.#refuse(`expected a value that Python has too, got ${show(value)}`);
  }

  /** Writes a list that the memo does not have. */
  list(value: readonly unknown[], start: number, depth: number): number {
    const out = this.out;
    const { length } = value;
    this.#checkDepth(depth);
    let at = this.#begin(OP.EMPTY_LIST, value, this.#lists, start);
    if (length <= 1) at -= 1;
    if (length === 0) return out.roomAfter(at);
    let i = 0;
    let batch = BATCH;
    try {
      for (; i < length; i++) {
        if (i === batch) {
          at = out.op(OP.MARK, out.op(OP.APPENDS, at));
          batch += BATCH;
        }
        at = this.#item(value[i], at, depth + 1);
      }
    } catch (error) {
      throw this.within(error, i);
    }
    return out.op(length > 1 ? OP.APPENDS : OP.APPEND, out.roomAfter(at));
  }

  #tuple(value: readonly unknown[], start: number, depth: number): number {
    const out = this.out;
    const { length } = value;
    this.#checkDepth(depth);
    if (length === 0) return out.roomAfter(out.op(OP.EMPTY_TUPLE, start));
    const isShort = length <= 3 && out.protocol >= 2;
    let at = isShort ? start : out.op(OP.MARK, start);
    let i = 0;
    try {
      for (; i < length; i++) at = this.#item(value[i], at, depth + 1);
    } catch (error) {
      throw this.within(error, i);
    }
    at = out.roomAfter(at);
    // A tuple that a container in it contains is complete by now: what was written anew is dropped.
    const known = this.knownList(value);
    if (known >= 0) {
      if (!isShort) at = out.op(OP.POP_MARK, at);
      else for (let pops = 0; pops < length; pops++) at = out.op(OP.POP, at);
      return out.fetch(known, at);
    }
    return this.#putObject(value, out.op(isShort ? OP.TUPLE1 + length - 1 : OP.TUPLE, at));
  }

  #dict(value: Dict, start: number, depth: number): number {
    let count = 0;
    let isIndexed = this.inherits;
    let shape: DictShape | undefined = shapes.root;
    for (const key in value) {
      // Indexes come first.
      if (count === 0 && (key === "0" || key === "1")) isIndexed = true;
      if (isIndexed) break;
      if (shape !== undefined) shape = shapes.below(shape, key);
      if (++count > 1 && shape === undefined) break;
    }
    if (isIndexed) {
      const end = this.entriesByKeys(value, Object.keys(value), start, depth);
      this.found = writeIndexed;
      return end;
    }
    const write = shape?.code;
    const end = write === undefined ? -1 : write(this, value, start, depth);
    if (end < 0) return this.#entriesInOrder(value, Math.min(count, 2), start, depth);
    this.found = write;
    return end;
  }

  /** Begins a container of several values. Without the last byte it is one of fewer. */
  #begin(empty: number, value: object, memo: IdentityMemo, at: number): number {
    const { out } = this;
    if (!out.modern || !out.memo) return out.op(OP.MARK, this.#putObject(value, out.op(empty, at)));
    memo.set(value, out.count++);
    out.view.setInt32(at, empty | (OP.MEMOIZE << 8) | (OP.MARK << 16), true);
    return at + 3;
  }

  /** Begins a `dict` of several entries. */
  beginDict(value: object, start: number, depth: number): number {
    this.#checkDepth(depth);
    return this.#begin(OP.EMPTY_DICT, value, this.#objects, start);
  }

  /** Ends it. */
  endDict(at: number): number {
    return this.#endEntries(2, at);
  }

  /**
   * Entries of an object whose keys are names. Only in this form does V8 find the values by their places (measured on
   * Node 20: 2.3 ns an entry, against 11 ns with Object.keys).
   */
  #entriesInOrder(value: Dict, several: number, start: number, depth: number): number {
    const out = this.out;
    let at = this.#putObject(value, out.op(OP.EMPTY_DICT, start));
    this.#checkDepth(depth);
    if (several > 1) at = out.op(OP.MARK, at);
    let count = 0;
    let step = "";
    let shape = several > 1 && shapes.isToLearn() ? shapes.root : undefined;
    try {
      for (const key in value) {
        const item = value[key];
        step = key;
        at = this.entry(key, item, at, depth + 1);
        if (shape !== undefined) shape = shapes.follow(shape, key);
        if (++count % BATCH === 0) at = out.op(OP.MARK, out.op(OP.SETITEMS, at));
      }
      if (several === 1) this.#checkSize(1, count);
    } catch (error) {
      throw this.within(error, step);
    }
    if (shape !== undefined) this.found = shapes.writerOf(shape);
    return this.#endEntries(several, at);
  }

  /**
   * Entries of any object. With indexes among its keys, for-in is the slower of the two. Indexes that follow one another
   * are found as numbers, which takes half of the time of finding them as text (measured on Node 20).
   */
  entriesByKeys(value: Dict, keys: readonly string[], start: number, depth: number): number {
    const out = this.out;
    const { length } = keys;
    this.#checkDepth(depth);
    let at = this.#begin(OP.EMPTY_DICT, value, this.#objects, start);
    if (length <= 1) at -= 1;
    const { texts, numbers, first } = out.texts;
    let index = keys[0] === "0" ? 0 : 1;
    let batch = BATCH;
    let i = 0;
    try {
      for (; i < length; i++, index++) {
        const key = keys[i]!;
        const name = INDEXES[index];
        if (name === key) {
          const item = value[index];
          const slot = INDEX_SLOTS[index]!;
          const known = numbers[slot]! - first;
          // Mostly a small number, after a key that an object before it had.
          const isShort = known >= 0 && known < 256 && typeof item === "number" && (item & 0xff) === item;
          if (isShort && item !== 0 && at < out.limit && texts[slot] === key) {
            out.view.setInt32(at, OP.BINGET | (known << 8) | (OP.BININT1 << 16) | (item << 24), true);
            at += 4;
          } else at = this.#item(item, out.keyIn(slot, name, out.room(at)), depth + 1);
        } else at = this.entry(key, value[key], at, depth + 1);
        if (i + 1 === batch) {
          at = out.op(OP.MARK, out.op(OP.SETITEMS, at));
          batch += BATCH;
        }
      }
    } catch (error) {
      throw this.within(error, keys[i]);
    }
    return this.#endEntries(length, at);
  }

  #endEntries(count: number, end: number): number {
    const out = this.out;
    const at = out.roomAfter(end);
    if (count === 0) return at;
    return out.op(count > 1 ? OP.SETITEMS : OP.SETITEM, at);
  }

  /** Writes a key. */
  key(key: string, start: number): number {
    const out = this.out;
    return this.#checked(out.key(key, out.room(start)), key);
  }

  /** Writes a key and its value. */
  entry(key: string, value: unknown, at: number, depth: number): number {
    return this.#item(value, this.key(key, at), depth);
  }

  #map(value: ReadonlyMap<unknown, unknown>, start: number, depth: number): number {
    const out = this.out;
    let at = this.#putObject(value, out.op(OP.EMPTY_DICT, start));
    const { size } = value;
    this.#checkDepth(depth);
    if (size === 0) return out.roomAfter(at);
    const seen = new Set<number>();
    if (size > 1) at = out.op(OP.MARK, at);
    let count = 0;
    let step: unknown;
    try {
      for (const [key, item] of value) {
        step = key;
        this.#checkKey(key, seen);
        at = this.#item(item, this.#value(key, at, depth + 1), depth + 1);
        if (++count % BATCH === 0) at = out.op(OP.MARK, out.op(OP.SETITEMS, at));
      }
      this.#checkSize(size, count);
    } catch (error) {
      throw this.within(error, step);
    }
    return this.#endEntries(size, at);
  }

  #set(value: ReadonlySet<unknown>, start: number, depth: number): number {
    const out = this.out;
    if (!out.modern) return this.#callWithList("set", value, start, depth);
    const at = this.#putObject(value, out.op(OP.EMPTY_SET, start));
    if (value.size === 0) {
      this.#checkDepth(depth);
      return out.roomAfter(at);
    }
    return out.op(OP.ADDITEMS, this.#elements(value, OP.ADDITEMS, out.op(OP.MARK, at), depth));
  }

  #frozenSet(value: ReadonlySet<unknown>, start: number, depth: number): number {
    const out = this.out;
    if (!out.modern) return this.#callWithList("frozenset", value, start, depth);
    const at = this.#elements(value, undefined, out.op(OP.MARK, start), depth);
    return this.#putObject(value, out.op(OP.FROZENSET, at));
  }

  /** The elements of a set. A full batch ends with an opcode, where one is given. */
  #elements(value: ReadonlySet<unknown>, batch: number | undefined, start: number, depth: number): number {
    const out = this.out;
    this.#checkDepth(depth);
    const seen = new Set<number>();
    let at = start;
    let count = 0;
    try {
      for (const item of value) {
        // A list begins another batch only where something follows, a set always.
        const isFull = count > 0 && count % BATCH === 0;
        if (isFull && batch === OP.APPENDS) at = out.op(OP.MARK, out.op(batch, at));
        this.#checkKey(item, seen);
        at = this.#value(item, at, depth + 1);
        count += 1;
        if (batch === OP.ADDITEMS && count % BATCH === 0) at = out.op(OP.MARK, out.op(batch, at));
      }
      this.#checkSize(value.size, count);
    } catch (error) {
      throw this.within(error, count);
    }
    return out.roomAfter(at);
  }

  /** `set` and `frozenset` before protocol 4: a call with a list. */
  #callWithList(
    name: "set" | "frozenset",
    value: ReadonlySet<unknown>,
    start: number,
    depth: number,
  ): number {
    const out = this.out;
    const { size } = value;
    let at = out.beginCall(name, start);
    at = out.put(out.op(OP.EMPTY_LIST, at));
    if (size > 1) at = out.op(OP.MARK, at);
    at = this.#elements(value, OP.APPENDS, at, depth);
    if (size > 0) at = out.op(size > 1 ? OP.APPENDS : OP.APPEND, at);
    return this.#putObject(value, out.endCall(1, at));
  }

  /** Throws what becomes a ValueError about the value that is being written. */
  #refuse(problem: string): never {
    throw new Refusal(problem);
  }

  #checked(end: number, text: string): number {
    return end < 0 ? this.#refuse(`expected text, got a lone surrogate in ${show(text)}`) : end;
  }

  #checkDigits(value: bigint): void {
    const { protocol } = this.out;
    if (protocol >= 2) return;
    // Decimal digits of an integer without end would take more than linear time.
    const isLong =
      value.toString(16).length > MAX_DIGITS || String(value).replace("-", "").length > MAX_DIGITS;
    if (isLong) this.#refuse(`expected at most ${MAX_DIGITS} digits in protocol ${protocol}`);
  }

  /** Notes that what was just written is this object. */
  #putObject(value: object, at: number): number {
    const out = this.out;
    if (!out.memo) return at;
    (Array.isArray(value) ? this.#lists : this.#objects).set(value, out.count);
    return out.put(at);
  }

  /** Refuses a container with so many around it. */
  #checkDepth(depth: number): void {
    if (depth === this.#maxDepth)
      this.#refuse(`nested deeper than ${this.#maxDepth} levels, or it contains itself`);
  }

  /** What was thrown within a container, with the key or index there. */
  within(thrown: unknown, step: unknown): unknown {
    if (thrown instanceof Refusal) thrown.steps.push(step);
    return thrown;
  }

  /** Refuses a key or an element that Python would not take, or would take for another. */
  #checkKey(key: unknown, seen: Set<number>): void {
    this.#hashables ??= new Hashables();
    const id = this.#hashables.idOf(key, this.#maxDepth);
    if (id === undefined) this.#refuse(`expected a key that Python can hash, got ${show(key)}`);
    if (seen.has(id)) this.#refuse(`expected keys that differ in Python, got ${show(key)} and its equal`);
    seen.add(id);
  }

  #checkSize(expected: number, actual: number): void {
    if (actual !== expected)
      this.#refuse(`expected ${expected} entries, got ${actual}: it changed meanwhile`);
  }
}

/** Whether it is an object literal of another realm, as `node:vm` makes them. */
function isForeignObject(value: object): value is Record<string, unknown> {
  const prototype = Object.getPrototypeOf(value);
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf");
}
