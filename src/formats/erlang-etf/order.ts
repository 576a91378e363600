import { compareBytes, utf8Bytes } from "../bytes/portable.ts";
import { MOST_DEPTH, MOST_INTEGER_BYTES, readRules } from "./options.ts";
import { TypedReader } from "./reader.ts";
import * as tags from "./tags.ts";
import {
  type Atom,
  BitBinary,
  type Export,
  type Float,
  type Fun,
  OldFun,
  type Pid,
  type Port,
  type Reference,
} from "./terms.ts";

/** Where each kind of term is in the order of all. */
const RANK = {
  integer: 0,
  float: 1,
  atom: 2,
  reference: 3,
  fun: 4,
  export: 5,
  port: 6,
  pid: 7,
  tuple: 8,
  map: 9,
  nil: 10,
  list: 11,
  bits: 12,
} as const;

/** Ranks of the tags that are written. */
const RANKS: ReadonlyMap<number, number> = new Map([
  [tags.SMALL_INTEGER, RANK.integer],
  [tags.INTEGER, RANK.integer],
  [tags.SMALL_BIG, RANK.integer],
  [tags.LARGE_BIG, RANK.integer],
  [tags.FLOAT, RANK.float],
  [tags.NEW_FLOAT, RANK.float],
  [tags.ATOM, RANK.atom],
  [tags.ATOM_UTF8, RANK.atom],
  [tags.SMALL_ATOM_UTF8, RANK.atom],
  [tags.NEWER_REFERENCE, RANK.reference],
  [tags.NEW_FUN, RANK.fun],
  [tags.FUN, RANK.fun],
  [tags.EXPORT, RANK.export],
  [tags.NEW_PORT, RANK.port],
  [tags.V4_PORT, RANK.port],
  [tags.NEW_PID, RANK.pid],
  [tags.SMALL_TUPLE, RANK.tuple],
  [tags.LARGE_TUPLE, RANK.tuple],
  [tags.MAP, RANK.map],
  [tags.NIL, RANK.nil],
  [tags.STRING, RANK.list],
  [tags.LIST, RANK.list],
  [tags.BINARY, RANK.bits],
  [tags.BIT_BINARY, RANK.bits],
]);

/**
 * Erlang's order of the keys of a map, of terms as they were written: number < atom < reference < fun < port < pid <
 * tuple < map < empty list < list < bit string, and every integer before every float (reference manual, "Term
 * Comparisons").
 */
export class TermOrder {
  readonly #a: TypedReader;
  readonly #b: TypedReader;
  readonly #bytes: Uint8Array;

  /** @param bytes terms that were just written, so that their keys are in order and their depth is bounded */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#a = new TypedReader(bytes, RULES, bytes.length, Number.POSITIVE_INFINITY);
    this.#b = new TypedReader(bytes, RULES, bytes.length, Number.POSITIVE_INFINITY);
  }

  /** Compares the terms at two offsets: below 0, 0 or above. */
  compare(a: number, b: number): number {
    this.#a.at = a;
    this.#b.at = b;
    return this.#next();
  }

  /** Compares the next two terms. After two that are equal, both readers are at their ends. */
  #next(): number {
    const tag = this.#bytes[this.#a.at]!;
    const other = this.#bytes[this.#b.at]!;
    const rank = rankOf(tag);
    const difference = rank - rankOf(other);
    if (difference !== 0) return difference;
    switch (rank) {
      case RANK.tuple:
        return this.#tuples();
      case RANK.map:
        return this.#maps();
      case RANK.list:
        return this.#lists();
      case RANK.fun:
        return this.#funs();
      default:
        if (tag === tags.BINARY && other === tags.BINARY) return this.#binaries();
        return compareLeaves(rank, this.#a.term(0), this.#b.term(0));
    }
  }

  /** Where they stand: the longer may be much longer, and is compared with many. */
  #binaries(): number {
    const [a, b] = [this.#a, this.#b];
    a.at += 1;
    b.at += 1;
    const [x, y] = [a.uint32(), b.uint32()];
    const shared = Math.min(x, y);
    const bytes = this.#bytes;
    const difference = compareBytes(bytes.subarray(a.at, a.at + shared), bytes.subarray(b.at, b.at + shared));
    a.at += x;
    b.at += y;
    return difference || x - y;
  }

  /** The shorter first, then by the elements. */
  #tuples(): number {
    const arity = tupleArity(this.#a);
    const difference = arity - tupleArity(this.#b);
    return difference === 0 ? this.#count(arity) : difference;
  }

  /** By module, number, age and environment; those of the old form come first, by their bytes. */
  #funs(): number {
    const [startA, startB] = [this.#a.at, this.#b.at];
    const [a, b] = [this.#a.term(0) as Fun | OldFun, this.#b.term(0) as Fun | OldFun];
    if (a instanceof OldFun || b instanceof OldFun) {
      const [x, y] = [this.#bytes.subarray(startA, this.#a.at), this.#bytes.subarray(startB, this.#b.at)];
      return Number(b instanceof OldFun) - Number(a instanceof OldFun) || compareBytes(x, y);
    }
    const difference =
      compareNames(a.module, b.module) ||
      a.index - b.index ||
      a.oldUniq - b.oldUniq ||
      a.free.length - b.free.length;
    if (difference !== 0) return difference;
    toFree(this.#a, startA);
    toFree(this.#b, startB);
    return this.#count(a.free.length);
  }

  #count(terms: number): number {
    for (let i = 0; i < terms; i++) {
      const difference = this.#next();
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /** The smaller first, then by all keys, then by the values. */
  #maps(): number {
    const [a, b] = [this.#a, this.#b];
    a.at += 1;
    b.at += 1;
    const size = a.uint32();
    const difference = size - b.uint32();
    if (difference !== 0) return difference;
    const [startA, startB] = [a.at, b.at];
    for (let i = 0; i < size; i++) {
      const byKey = this.#next();
      if (byKey !== 0) return byKey;
      a.term(0);
      b.term(0);
    }
    a.at = startA;
    b.at = startB;
    for (let i = 0; i < size; i++) {
      a.term(0);
      b.term(0);
      const byValue = this.#next();
      if (byValue !== 0) return byValue;
    }
    return 0;
  }

  /** By the elements, then by what follows the shorter: its tail against the rest of the longer. */
  #lists(): number {
    const [a, b] = [new ListStart(this.#a), new ListStart(this.#b)];
    const shared = Math.min(a.count, b.count);
    for (let i = 0; i < shared; i++) {
      const difference = a.isString || b.isString ? a.element(b) : this.#next();
      if (difference !== 0) return difference;
    }
    if (a.count === b.count) return a.isString && b.isString ? 0 : this.#tails(a, b);
    const [shorter, sign] = a.count < b.count ? [a, -1] : [b, 1];
    return sign * (RANK.list - shorter.tailRank());
  }

  /** A list of bytes ends in the empty list, which is not written. */
  #tails(a: ListStart, b: ListStart): number {
    if (!a.isString && !b.isString) return this.#next();
    const difference = a.tailRank() - b.tailRank();
    if (difference === 0) (a.isString ? this.#b : this.#a).at += 1;
    return difference;
  }
}

/** A list whose head was read. */
class ListStart {
  readonly count: number;
  readonly isString: boolean;
  readonly #input: TypedReader;

  constructor(input: TypedReader) {
    this.#input = input;
    this.isString = input.uint8() === tags.STRING;
    this.count = this.isString ? input.uint16() : input.uint32();
  }

  /** Compares the next elements of two lists of which one is of bytes. */
  element(other: ListStart): number {
    const [a, b] = [this.#rank(), other.#rank()];
    if (a !== b) return a - b;
    return compareNumbers(this.#number(), other.#number());
  }

  #rank(): number {
    return this.isString ? RANK.integer : rankAt(this.#input);
  }

  #number(): number | bigint {
    return this.isString ? this.#input.uint8() : (this.#input.term(0) as number | bigint);
  }

  /** Rank of what follows the elements. */
  tailRank(): number {
    return this.isString ? RANK.nil : rankAt(this.#input);
  }
}

/** Goes to the first free variable of a fun: past its head, and its module, two integers and pid. */
function toFree(input: TypedReader, start: number): void {
  input.at = start + FUN_HEAD;
  for (let i = 0; i < 4; i++) input.term(0);
}

/** Bytes of a fun's tag, size, arity, MD5, index and count of free variables. */
const FUN_HEAD = 30;

function rankAt(input: TypedReader): number {
  return rankOf(input.bytes[input.at]!);
}

function tupleArity(input: TypedReader): number {
  return input.uint8() === tags.SMALL_TUPLE ? input.uint8() : input.uint32();
}

/** Terms that were written are within every limit. */
const RULES = readRules({
  terms: "typed",
  funs: "inert",
  maxDepth: MOST_DEPTH,
  maxItems: Number.POSITIVE_INFINITY,
  maxIntegerBytes: MOST_INTEGER_BYTES,
});

/** Rank of the kind of term that a tag starts. */
function rankOf(tag: number): number {
  return RANKS.get(tag)!;
}

/** Compares two terms of one rank that hold no others: below 0, 0 or above. */
function compareLeaves(rank: number, a: unknown, b: unknown): number {
  switch (rank) {
    case RANK.integer:
      return compareNumbers(a as number | bigint, b as number | bigint);
    case RANK.float:
      return compareNumbers((a as Float).value, (b as Float).value);
    case RANK.atom:
      return compareNames((a as Atom).name, (b as Atom).name);
    case RANK.reference:
      return compareReferences(a as Reference, b as Reference);
    case RANK.port:
      return comparePorts(a as Port, b as Port);
    case RANK.pid:
      return comparePids(a as Pid, b as Pid);
    case RANK.export:
      return compareExports(a as Export, b as Export);
    case RANK.bits:
      return compareBits(a as Uint8Array | BitBinary, b as Uint8Array | BitBinary);
    default:
      return 0;
  }
}

/** Compares numbers of one kind, exactly. */
function compareNumbers(a: number | bigint, b: number | bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compares the names of atoms by their UTF-8. */
function compareNames(a: string, b: string): number {
  return compareBytes(utf8Bytes(a), utf8Bytes(b));
}

function compareExports(a: Export, b: Export): number {
  return compareNames(a.module, b.module) || compareNames(a.function, b.function) || a.arity - b.arity;
}

function compareNodes(a: { node: string; creation: number }, b: { node: string; creation: number }): number {
  return compareNames(a.node, b.node) || a.creation - b.creation;
}

function comparePids(a: Pid, b: Pid): number {
  return a.serial - b.serial || a.id - b.id || compareNodes(a, b);
}

function comparePorts(a: Port, b: Port): number {
  return compareNodes(a, b) || compareNumbers(a.id, b.id);
}

/** The last word counts most. */
function compareReferences(a: Reference, b: Reference): number {
  const byNode = compareNodes(a, b);
  if (byNode !== 0) return byNode;
  const length = Math.max(a.words.length, b.words.length);
  for (let i = length - 1; i >= 0; i--) {
    const difference = (a.words[i] ?? 0) - (b.words[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Bit by bit, and of two that start alike, the shorter first. */
function compareBits(a: Uint8Array | BitBinary, b: Uint8Array | BitBinary): number {
  const [x, y] = [a instanceof BitBinary ? a.bytes : a, b instanceof BitBinary ? b.bytes : b];
  const [bitsX, bitsY] = [bitLength(a), bitLength(b)];
  const shared = Math.min(bitsX, bitsY) >> 3;
  const difference = compareBytes(x.subarray(0, shared), y.subarray(0, shared));
  if (difference !== 0) return difference;
  const rest = Math.min(bitsX, bitsY) & 7;
  const mask = 0xff << (8 - rest);
  return ((x[shared] ?? 0) & mask) - ((y[shared] ?? 0) & mask) || bitsX - bitsY;
}

function bitLength(value: Uint8Array | BitBinary): number {
  return value instanceof BitBinary ? 8 * (value.bytes.length - 1) + value.bits : 8 * value.length;
}
