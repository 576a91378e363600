import { inBytes } from "../../model/in-bytes.ts";
import { copyBytes } from "../bytes/copy.ts";
import { ByteInput } from "../bytes/input.ts";
import { KeyChains, TOO_ALIKE } from "../bytes/key-chains.ts";
import {
  expectAtom,
  expectPid,
  readAtom,
  readBig,
  readBitBinary,
  readExport,
  readFloatText,
  readNewFloat,
  readPid,
  readPort,
  readReference,
} from "./leaf.ts";
import type { ReadRules } from "./options.ts";
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

/** Bytes of memory that an item takes at most: an empty Map or Uint8Array takes more than an empty object or list. */
function bytesPerItem({ terms, maps, binaries }: ReadRules): number {
  return terms === "typed" || maps === "Map" || binaries !== "text" ? 256 : 64;
}

/** Reads one term after the other. What a view of terms makes of the data is left to its subclass. */
export abstract class TermReader extends ByteInput {
  readonly rules: ReadRules;
  /** Items that may still come. */
  #items: number;
  /** Bytes of memory that may still be taken. */
  #memory: number;
  readonly #perItem: number;
  #identities: Identities | undefined;
  #chains: KeyChains | undefined;

  /**
   * @param most bytes of input
   * @param memory most bytes that values may take, about: what deflate expands needs such a bound
   */
  constructor(bytes: Uint8Array, rules: ReadRules, most: number, memory: number) {
    super("erlang-etf", bytes, most);
    this.rules = rules;
    this.#items = rules.maxItems;
    this.#memory = memory;
    this.#perItem = bytesPerItem(rules);
  }

  /** An unsigned integer of 8 bits. */
  uint8(): number {
    const { at, bytes } = this;
    if (at >= bytes.length) this.need(1);
    this.at = at + 1;
    return bytes[at]!;
  }

  /** An unsigned integer of 16 bits. */
  uint16(): number {
    this.need(2);
    this.at += 2;
    return this.view.getUint16(this.at - 2);
  }

  /** An unsigned integer of 32 bits. */
  uint32(): number {
    if (this.bytes.length - this.at < 4) this.need(4);
    this.at += 4;
    return this.view.getUint32(this.at - 4);
  }

  /** A signed integer of 32 bits. */
  int32(): number {
    if (this.bytes.length - this.at < 4) this.need(4);
    this.at += 4;
    return this.view.getInt32(this.at - 4);
  }

  /** A count of 32 bits of what takes at least `size` bytes each, which must be there. */
  length(size: number): number {
    const count = this.uint32();
    if (count * size > this.bytes.length - this.at) this.need(count * size);
    return count;
  }

  /**
   * Counts items before anything is made of them. They take a byte each, which must be there.
   * @param memory bytes that they take, and what they are in
   */
  enter(items: number, depth: number, memory = this.#perItem * items): void {
    if (items > this.bytes.length - this.at) this.need(items);
    this.#items -= items;
    if (this.#items < 0) this.fail(`more than ${this.rules.maxItems} items`, { code: "limit" });
    this.spend(memory);
    if (depth > this.rules.maxDepth) {
      this.fail(`nested deeper than ${this.rules.maxDepth} levels`, { code: "limit" });
    }
  }

  /** Counts memory that something takes beyond what an item does. */
  spend(bytes: number): void {
    this.#memory -= bytes;
    if (this.#memory < 0) this.fail("a compressed term that takes too much memory", { code: "limit" });
  }

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
        return readBig(this, this.uint8());
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
        return this.atom(readAtom(this, tag));
      case tags.SMALL_TUPLE:
        return this.#tuple(this.uint8(), depth + 1);
      case tags.STRING:
        return this.#string();
      case tags.NEW_FLOAT:
        return this.float(readNewFloat(this));
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
    let hasZero = false;
    for (let i = 0; i < pairs; i++) {
      const { at } = this;
      let key = this.term(depth);
      if (key === 0) {
        if (hasZero) this.fail("a key stands twice", { at });
        hasZero = true;
        // A Map's keys have no -0: it would be the integer 0 when it is written again.
        if (Object.is(key, -0)) key = new Float(-0);
      }
      if (typeof key === "object" && key !== null) {
        if (pairs > 1) {
          this.#identities ??= new Identities();
          const identity = this.#identities.of(key);
          identities ??= new Set();
          if (identities.has(identity)) this.fail("a key stands twice", { at });
          identities.add(identity);
        }
      } else {
        if (map.has(key)) this.fail("a key stands twice", { at });
        this.#countChains(map, key);
      }
      map.set(key, this.term(depth));
    }
    return map;
  }

  #countChains(map: ReadonlyMap<unknown, unknown>, key: unknown): void {
    this.#chains ??= new KeyChains();
    this.#chains.count(map, key);
    if (this.#chains.exceed(this.at)) this.fail(TOO_ALIKE, { code: "limit" });
  }

  #tuple(arity: number, depth: number): Tuple {
    this.enter(arity, depth, TUPLE + this.#perItem * arity);
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
      if (done < count) this.spend((this.#perItem - SLOT) * (elements.length + count - done));
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
    // All of its bytes are there: it needs not grow.
    const list = Array<number>(length);
    for (let i = 0; i < length; i++) list[i] = bytes[at + i]!;
    this.at = at + length;
    return list;
  }

  #rare(tag: number, depth: number): unknown {
    this.spend(IDENTIFIER);
    switch (tag) {
      case tags.LARGE_BIG:
        return readBig(this, this.uint32());
      case tags.FLOAT:
        return this.float(readFloatText(this));
      case tags.LARGE_TUPLE:
        return this.#tuple(this.uint32(), depth + 1);
      case tags.BIT_BINARY:
        return readBitBinary(this) ?? this.binary(this.#wholeBits());
      case tags.PID:
      case tags.NEW_PID:
        return readPid(this, tag);
      case tags.PORT:
      case tags.NEW_PORT:
      case tags.V4_PORT:
        return readPort(this, tag);
      case tags.REFERENCE:
      case tags.NEW_REFERENCE:
      case tags.NEWER_REFERENCE:
        return readReference(this, tag);
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
    return readExport(this);
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
    const module = expectAtom(this);
    const oldIndex = this.#expectInteger();
    const oldUniq = this.#expectInteger();
    const pid = expectPid(this);
    const free = this.#free(count, depth);
    if (this.at - start !== size) {
      this.fail(`a fun of ${inBytes(size)} that takes ${this.at - start}`, { at: start });
    }
    return new Fun({ module, arity, uniq, index, oldIndex, oldUniq, pid, free });
  }

  /** A fun in the old form. */
  #oldFun(depth: number): OldFun {
    this.#refuseFun();
    const count = this.uint32();
    const pid = expectPid(this);
    const module = expectAtom(this);
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
