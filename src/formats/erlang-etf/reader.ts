import { isAscii } from "node:buffer";
import { setOwn } from "../../model/generated-code.ts";
import { compileBuildObject } from "../bytes/build-object.ts";
import { copyBytes } from "../bytes/copy.ts";
import { NameCache } from "../bytes/name-cache.ts";
import { readShortText, readUtf8, SHORT_TEXT } from "../bytes/utf8.ts";
import { TEXT_BYTE, TermInput } from "./input.ts";
import { type KeyPath, KeyPaths, MOST_KEYS } from "./keys.ts";
import * as tags from "./tags.ts";
import { Atom, Float, Fun, Identities, ImproperList, OldFun, Tuple } from "./terms.ts";

/**
 * Bytes of memory that a place in a list takes: the array has up to half as many again, and those that it grew out of
 * may still be there (measured: 32 where V8 has 64 MB).
 */
export const SLOT = 40;

/** Bytes of memory that a list takes beyond its items: an array and its first 17 places. */
export const LIST = 192;

/** Bytes of memory that a tuple takes beyond its items: an object, which is larger while its class is new, and a list. */
const TUPLE = LIST + 64;

/** Bytes of memory that a pid, a port, a reference or an export takes, beyond an item. */
const IDENTIFIER = 256;

/** Bytes of a module's MD5. */
const UNIQ = 16;

/** Reads one term after the other. What a view of terms makes of the data is left to its subclass. */
export abstract class TermReader extends TermInput {
  #identities: Identities | undefined;

  protected abstract atom(name: string): unknown;
  protected abstract float(value: number): unknown;
  /** Reads the bytes of a binary. */
  protected abstract binary(length: number): unknown;
  /** Reads the entries of a map. @param depth of the map, from 1 */
  protected abstract map(pairs: number, depth: number): unknown;

  /** Reads a term. @param depth of what it is in: 0 at the top */
  term(depth: number): unknown {
    const { at, bytes } = this;
    if (at >= bytes.length) this.need(1);
    const tag = bytes[at]!;
    this.at = at + 1;
    switch (tag) {
      case tags.SMALL_INTEGER:
        return this.uint8();
      case tags.INTEGER:
        return this.int32();
      case tags.BINARY:
        return this.binary(this.length(1));
      case tags.SMALL_BIG:
        return this.readBig(this.uint8());
      case tags.MAP:
        return this.#map(depth + 1);
      case tags.LIST:
        return this.#list(depth + 1);
      case tags.NIL:
        return [];
      case tags.ATOM:
      case tags.SMALL_ATOM:
      case tags.ATOM_UTF8:
      case tags.SMALL_ATOM_UTF8:
        return this.atom(this.readAtomName(tag));
      case tags.SMALL_TUPLE:
        return this.#tuple(this.uint8(), depth + 1);
      case tags.STRING:
        return this.#string();
      case tags.NEW_FLOAT:
        return this.float(this.readNewFloat());
      default:
        return this.#rare(tag, depth);
    }
  }

  #map(depth: number): unknown {
    const pairs = this.uint32();
    this.enter(2 * pairs, depth);
    return this.map(pairs, depth);
  }

  /** The entries of a map, with any term as a key, in the order of the input. */
  protected readMap(pairs: number, depth: number): Map<unknown, unknown> {
    const map = new Map<unknown, unknown>();
    // Two keys that are objects are two keys to a Map, also where they are the same term.
    let identities: Set<string> | undefined;
    for (let i = 0; i < pairs; i++) {
      const { at } = this;
      const key = this.term(depth);
      if (typeof key === "object" && key !== null) {
        if (pairs > 1) {
          this.#identities ??= new Identities();
          const identity = this.#identities.of(key);
          identities ??= new Set();
          if (identities.has(identity)) this.fail("a key stands twice", { at });
          identities.add(identity);
        }
      } else if (map.has(key)) this.fail("a key stands twice", { at });
      map.set(key, this.term(depth));
    }
    return map;
  }

  #tuple(arity: number, depth: number): Tuple {
    this.enter(arity, depth, TUPLE + this.perItem * arity);
    const elements: unknown[] = [];
    for (let i = 0; i < arity; i++) elements.push(this.term(depth));
    return new Tuple(elements);
  }

  /**
   * Reads the first elements of a list, as long as they are integers of 32 bits, and returns how many they are. If all
   * are, they take nothing but their places; else they may be objects as well, as those after a float are.
   */
  #integers(elements: unknown[], count: number): number {
    const { bytes, view } = this;
    const end = bytes.length;
    for (let i = 0; i < count; i++) {
      const { at } = this;
      const tag = bytes[at];
      if (tag === tags.SMALL_INTEGER && at + 1 < end) {
        elements.push(bytes[at + 1]);
        this.at = at + 2;
      } else if (tag === tags.INTEGER && at + 4 < end) {
        elements.push(view.getInt32(at + 1));
        this.at = at + 5;
      } else return i;
    }
    return count;
  }

  /** A list may end in another, which is its rest: that is one list, and no deeper for it. */
  #list(depth: number): unknown {
    const elements: unknown[] = [];
    for (;;) {
      const count = this.uint32();
      // The tail takes a byte as well.
      this.enter(count, depth, LIST + SLOT * count);
      const done = this.#integers(elements, count);
      if (done < count) this.spend((this.perItem - SLOT) * (elements.length + count - done));
      for (let i = done; i < count; i++) elements.push(this.term(depth));
      const tag = this.uint8();
      if (tag === tags.NIL) return elements;
      if (tag === tags.LIST) continue;
      this.at -= 1;
      const tail = this.term(depth);
      if (Array.isArray(tail)) {
        for (const element of tail) elements.push(element);
        return elements;
      }
      // Erlang takes a list of no elements for its tail.
      return elements.length === 0 ? tail : new ImproperList(elements, tail);
    }
  }

  #string(): number[] {
    const length = this.uint16();
    this.enter(length, 0, LIST + SLOT * length);
    const { at, bytes } = this;
    const list: number[] = [];
    for (let i = 0; i < length; i++) list.push(bytes[at + i]!);
    this.at = at + length;
    return list;
  }

  #rare(tag: number, depth: number): unknown {
    this.spend(IDENTIFIER);
    switch (tag) {
      case tags.LARGE_BIG:
        return this.readBig(this.uint32());
      case tags.FLOAT:
        return this.float(this.readFloatText());
      case tags.LARGE_TUPLE:
        return this.#tuple(this.uint32(), depth + 1);
      case tags.BIT_BINARY:
        return this.readBitBinary() ?? this.binary(this.#wholeBits());
      case tags.PID:
      case tags.NEW_PID:
        return this.readPid(tag);
      case tags.PORT:
      case tags.NEW_PORT:
      case tags.V4_PORT:
        return this.readPort(tag);
      case tags.REFERENCE:
      case tags.NEW_REFERENCE:
      case tags.NEWER_REFERENCE:
        return this.readReference(tag);
      case tags.EXPORT:
        return this.#export();
      case tags.NEW_FUN:
        return this.#fun(depth + 1);
      case tags.FUN:
        return this.#oldFun(depth + 1);
      default:
        return this.#refuse(tag);
    }
  }

  /** Length of a bit binary whose last byte has all its bits: to Erlang, it is a binary. */
  #wholeBits(): number {
    const length = this.length(1);
    this.at += 1;
    return length;
  }

  #export(): unknown {
    this.#refuseFun();
    return this.readExport();
  }

  /** A fun with its environment, whose size comes first. */
  #fun(depth: number): Fun {
    this.#refuseFun();
    const start = this.at;
    const size = this.uint32();
    const arity = this.uint8();
    this.need(UNIQ);
    const uniq = copyBytes(this.bytes, this.at, this.at + UNIQ);
    this.at += UNIQ;
    const index = this.uint32();
    const count = this.uint32();
    const module = this.expectAtom();
    const oldIndex = this.#expectInteger();
    const oldUniq = this.#expectInteger();
    const pid = this.expectPid();
    const free = this.#free(count, depth);
    if (this.at - start !== size) {
      this.fail(`a fun of ${size} bytes that takes ${this.at - start}`, { at: start });
    }
    return new Fun({ module, arity, uniq, index, oldIndex, oldUniq, pid, free });
  }

  /** A fun in the old form. */
  #oldFun(depth: number): OldFun {
    this.#refuseFun();
    const count = this.uint32();
    const pid = this.expectPid();
    const module = this.expectAtom();
    const index = this.#expectInteger();
    const uniq = this.#expectInteger();
    return new OldFun({ module, index, uniq, pid, free: this.#free(count, depth) });
  }

  #refuseFun(): void {
    if (this.rules.funs === "inert") return;
    this.fail('a fun, expected data; the option funs: "inert" takes them as inert values', {
      at: this.at - 1,
      code: "unsupported",
    });
  }

  /** Values of the free variables of a fun. */
  #free(count: number, depth: number): unknown[] {
    this.enter(count, depth);
    const free: unknown[] = [];
    for (let i = 0; i < count; i++) free.push(this.term(depth));
    return free;
  }

  #expectInteger(): number {
    const tag = this.uint8();
    if (tag === tags.SMALL_INTEGER) return this.uint8();
    if (tag === tags.INTEGER) return this.int32();
    return this.fail(`expected an integer of 32 bits, got a term with the tag ${tag}`);
  }

  #refuse(tag: number): never {
    const at = this.at - 1;
    const known = tags.REFUSED.get(tag);
    if (known !== undefined) this.fail(`expected a term, got ${known}`, { at, code: "unsupported" });
    this.fail(`expected a tag, got the byte ${tag}`, { at });
  }
}

/** Reads terms as what they are: nothing that Erlang tells apart becomes one value. */
export class TypedReader extends TermReader {
  protected override atom(name: string): Atom {
    return new Atom(name);
  }

  protected override float(value: number): Float {
    return new Float(value);
  }

  protected override binary(length: number): Uint8Array {
    const { at } = this;
    this.at = at + length;
    this.spend(length);
    return copyBytes(this.bytes, at, at + length);
  }

  protected override map(pairs: number, depth: number): Map<unknown, unknown> {
    return this.readMap(pairs, depth);
  }
}

/** Bytes of text from which on it is worth knowing whether a byte of it is a byte of memory. */
const LONG_TEXT = 2 ** 16;

/** Bytes of a short text that V8 makes one string of. A longer one is a string of two, which take so much more memory. */
const ONE_STRING = 12;
const TWO_STRINGS = 64;

/** Bytes of memory that an atom takes beyond an item. */
const ATOM = 96;

/** Keys that were met, by any reader. */
const paths = new KeyPaths();
const buildObject = compileBuildObject(0, 1);
const names = new NameCache();

/** Reads terms as values of JavaScript. */
export class PlainReader extends TermReader {
  /** Values of the maps that are being read, those of the outer before those of the inner. */
  readonly #values: unknown[] = [];
  #top = 0;

  protected override atom(name: string): unknown {
    switch (name) {
      case "true":
        return true;
      case "false":
        return false;
      case "null":
        return null;
      default:
        this.spend(ATOM);
        return new Atom(name);
    }
  }

  protected override float(value: number): number {
    return value;
  }

  protected override binary(length: number): string | Uint8Array {
    const { at, bytes } = this;
    this.at = at + length;
    if (this.rules.binaries === "bytes") {
      this.spend(length);
      return copyBytes(bytes, at, at + length);
    }
    const short = length <= SHORT_TEXT ? readShortText(bytes, at, length) : undefined;
    if (short !== undefined) {
      if (length > ONE_STRING) this.spend(TWO_STRINGS);
      return short;
    }
    const isAsciiAlone = length >= LONG_TEXT && isAscii(bytes.subarray(at, at + length));
    this.spend(isAsciiAlone ? length : TEXT_BYTE * length);
    const text = readUtf8(bytes, at, at + length);
    if (text !== undefined) return text;
    if (this.rules.binaries === "auto") return copyBytes(bytes, at, at + length);
    return this.fail('a binary that is not UTF-8; the options binaries: "bytes" and "auto" take it', { at });
  }

  protected override map(pairs: number, depth: number): unknown {
    if (this.rules.maps === "Map") return this.readMap(pairs, depth);
    if (pairs > MOST_KEYS) return this.#setAll({}, pairs, depth);
    const from = this.#top;
    const values = this.#values;
    this.#top = from + pairs;
    const { bytes, view } = this;
    const end = bytes.length;
    let path = paths.root;
    for (let i = 0; i < pairs; i++) {
      let next = paths.follow(path, view, this.at, end);
      if (next === undefined) {
        const { at } = this;
        const key = this.#key();
        if (path.keys.includes(key)) this.#twice(key, at);
        next = paths.add(path, key, view, at, this.at);
        if (next === undefined) return this.#mixed(path, key, from, pairs, depth);
      } else this.at += next.size;
      path = next;
      const { at } = this;
      // Small integers are done with in place.
      if (at + 1 < end && bytes[at] === tags.SMALL_INTEGER) {
        values[from + i] = bytes[at + 1];
        this.at = at + 2;
      } else values[from + i] = this.term(depth);
    }
    this.#top = from;
    return path.assignable ? buildObject(path.keys, values, from) : this.#setPath({}, path, from);
  }

  /** A map of which the first keys are known, and where `key`, which was just read, is the first that is not kept. */
  #mixed(path: KeyPath, key: string, from: number, pairs: number, depth: number): object {
    const object = this.#setPath({}, path, from);
    setOwn(object, key, this.term(depth));
    this.#top = from;
    return this.#setAll(object, pairs - path.keys.length - 1, depth);
  }

  #setPath(object: Record<string, unknown>, { keys }: KeyPath, from: number): Record<string, unknown> {
    keys.forEach((key, i) => {
      setOwn(object, key, this.#values[from + i]);
    });
    return object;
  }

  /** Reads that many entries into an object. */
  #setAll(object: Record<string, unknown>, pairs: number, depth: number): object {
    for (let i = 0; i < pairs; i++) {
      const { at } = this;
      const key = this.#key();
      if (Object.hasOwn(object, key)) this.#twice(key, at);
      setOwn(object, key, this.term(depth));
    }
    return object;
  }

  /** Reads a key: a binary of UTF-8, or an atom. */
  #key(): string {
    const start = this.at;
    const tag = this.uint8();
    switch (tag) {
      case tags.BINARY: {
        const length = this.length(1);
        const { at } = this;
        this.at = at + length;
        if (length > SHORT_TEXT) this.spend(TEXT_BYTE * length);
        return names.read(this.bytes, at, at + length) ?? this.fail("a key that is not UTF-8", { at });
      }
      case tags.ATOM:
      case tags.SMALL_ATOM:
      case tags.ATOM_UTF8:
      case tags.SMALL_ATOM_UTF8:
        return this.readAtomName(tag);
      default:
        return this.fail(
          `expected a binary or an atom as a key, got a term with the tag ${tag}; the option maps: "Map" takes any`,
          { at: start, code: "unsupported" },
        );
    }
  }

  #twice(key: string, at: number): never {
    this.fail(`the key ${JSON.stringify(key)} stands twice`, { at });
  }
}
