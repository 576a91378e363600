import {
  compareLeaves,
  compareNames,
  compareNumbers,
  FUN,
  INTEGER,
  LIST,
  MAP,
  NIL,
  rankOf,
  TUPLE,
} from "./leaf-order.ts";
import { MOST_DEPTH, MOST_INTEGER_BYTES, readRules } from "./options.ts";
import * as tags from "./tags.ts";
import { type Fun, OldFun } from "./terms.ts";
import { TypedReader } from "./typed-reader.ts";

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
      case TUPLE:
        return this.#tuples();
      case MAP:
        return this.#maps();
      case LIST:
        return this.#lists();
      case FUN:
        return this.#funs();
      default:
        return compareLeaves(rank, this.#a.term(0), this.#b.term(0));
    }
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
      return Number(b instanceof OldFun) - Number(a instanceof OldFun) || Buffer.compare(x, y);
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
    return sign * (LIST - shorter.tailRank());
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
    return this.isString ? INTEGER : rankAt(this.#input);
  }

  #number(): number | bigint {
    return this.isString ? this.#input.uint8() : (this.#input.term(0) as number | bigint);
  }

  /** Rank of what follows the elements. */
  tailRank(): number {
    return this.isString ? NIL : rankAt(this.#input);
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
