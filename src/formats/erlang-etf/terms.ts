import { latin1Slice } from "../bytes/native.ts";
import { MAX_ATOM_CHARACTERS } from "./tags.ts";

/**
 * The terms that JavaScript has no value for, as inert data: nothing is called, looked up or interned. Fields are read
 * as they stand; what an encoder takes is checked when it writes.
 */

/** An atom. Compare names: two atoms of one name are two objects. */
export class Atom {
  /** At most 255 characters. */
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Whether a name has more code points than an atom may have. */
export function isTooLong(name: string): boolean {
  if (name.length <= MAX_ATOM_CHARACTERS) return false;
  let characters = 0;
  for (const _ of name) characters += 1;
  return characters > MAX_ATOM_CHARACTERS;
}

/** A tuple, `{a, 1}`. */
export class Tuple {
  readonly elements: readonly unknown[];

  constructor(elements: readonly unknown[]) {
    this.elements = elements;
  }
}

/** A float of the typed view, where 1.0 is not the integer 1. Always finite. */
export class Float {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** A list that does not end in the empty list, `[1, 2 | tail]`. */
export class ImproperList {
  /** At least one. */
  readonly elements: readonly unknown[];
  /** Not a list. */
  readonly tail: unknown;

  constructor(elements: readonly unknown[], tail: unknown) {
    this.elements = elements;
    this.tail = tail;
  }
}

/** A bit string that is no whole number of bytes, `<<5:3>>`. */
export class BitBinary {
  /** At least one. */
  readonly bytes: Uint8Array;
  /** Bits of the last byte, from the highest: 1 to 7. The others are 0. */
  readonly bits: number;

  constructor(bytes: Uint8Array, bits: number) {
    this.bytes = bytes;
    this.bits = bits;
  }
}

/** A process identifier. */
export class Pid {
  /** Name of the node's atom. */
  readonly node: string;
  /** 32 bits each, unsigned. */
  readonly id: number;
  readonly serial: number;
  readonly creation: number;

  constructor(node: string, id: number, serial: number, creation: number) {
    this.node = node;
    this.id = id;
    this.serial = serial;
    this.creation = creation;
  }
}

/** A port identifier. */
export class Port {
  /** Name of the node's atom. */
  readonly node: string;
  /** 64 bits, unsigned; a bigint beyond 2^53 - 1. */
  readonly id: number | bigint;
  /** 32 bits, unsigned. */
  readonly creation: number;

  constructor(node: string, id: number | bigint, creation: number) {
    this.node = node;
    this.id = id;
    this.creation = creation;
  }
}

/** A reference. */
export class Reference {
  /** Name of the node's atom. */
  readonly node: string;
  /** 32 bits, unsigned. */
  readonly creation: number;
  /** One to five words of 32 bits, unsigned. */
  readonly words: readonly number[];

  constructor(node: string, creation: number, words: readonly number[]) {
    this.node = node;
    this.creation = creation;
    this.words = words;
  }
}

/** A fun by its name, `fun lists:map/2`. */
export class Export {
  readonly module: string;
  readonly function: string;
  /** 0 to 255. */
  readonly arity: number;

  constructor(module: string, name: string, arity: number) {
    this.module = module;
    this.function = name;
    this.arity = arity;
  }
}

/** A fun with its environment, as an inert description. */
export class Fun {
  readonly module: string;
  /** 0 to 255. */
  readonly arity: number;
  /** MD5 of the significant parts of the module: 16 bytes. */
  readonly uniq: Uint8Array;
  /** Which fun of its module: 32 bits, unsigned. */
  readonly index: number;
  /** The same as releases before R15 have them: 32 bits, signed. */
  readonly oldIndex: number;
  readonly oldUniq: number;
  /** The process that made it. */
  readonly pid: Pid;
  /** Values of its free variables. */
  readonly free: readonly unknown[];

  constructor(parts: Fun) {
    this.module = parts.module;
    this.arity = parts.arity;
    this.uniq = parts.uniq;
    this.index = parts.index;
    this.oldIndex = parts.oldIndex;
    this.oldUniq = parts.oldUniq;
    this.pid = parts.pid;
    this.free = parts.free;
  }
}

/** A fun in the form of releases before R8, which has no arity. */
export class OldFun {
  readonly module: string;
  /** 32 bits, signed. */
  readonly index: number;
  readonly uniq: number;
  /** The process that made it. */
  readonly pid: Pid;
  /** Values of its free variables. */
  readonly free: readonly unknown[];

  constructor(parts: OldFun) {
    this.module = parts.module;
    this.index = parts.index;
    this.uniq = parts.uniq;
    this.pid = parts.pid;
    this.free = parts.free;
  }
}

/**
 * Tells terms apart: a text that two terms share only if they are the same term. -0.0 and 0.0 are, as they are to Erlang
 * before OTP 27. What a term holds is looked at once, however often it is in a key of a key.
 */
export class Identities {
  readonly #numbers = new Map<string, number>();
  readonly #known = new Map<object, string>();

  /** The text of a term, short where it holds others. */
  of(term: unknown): string {
    if (typeof term === "string") return `"${term.length}:${term}`;
    // Decimal digits take more than linear time.
    if (typeof term === "bigint") return `n${term.toString(16)}`;
    if (typeof term !== "object" || term === null) return `${typeof term} ${term}`;
    if (term instanceof Uint8Array) return `b${latin1(term)}`;
    if (term instanceof Atom) return `a${term.name.length}:${term.name}`;
    if (term instanceof Float) return `f${term.value + 0}`;
    if (term instanceof BitBinary) return `c${term.bits},${latin1(term.bytes)}`;
    const known = this.#known.get(term);
    if (known !== undefined) return known;
    const text = this.#numbered(this.#whole(term));
    this.#known.set(term, text);
    return text;
  }

  /** All of a term that holds others. */
  #whole(term: object): string {
    if (Array.isArray(term)) return this.#many("l", term);
    if (term instanceof Tuple) return this.#many("t", term.elements);
    if (term instanceof ImproperList) return `${this.#many("i", term.elements)}${this.of(term.tail)}`;
    if (term instanceof Map) return `m${[...term].map((entry) => this.#many("", entry)).sort()}`;
    // Pids and their like, funs, and objects, whose keys are not in an order.
    const entries = Object.entries(term).sort(([a], [b]) => (a < b ? -1 : 1));
    return this.#many(term.constructor?.name ?? "", entries.flat());
  }

  #many(kind: string, terms: readonly unknown[]): string {
    return `${kind}${terms.length}(${terms.map((term) => this.of(term)).join()})`;
  }

  #numbered(whole: string): string {
    const number = this.#numbers.get(whole) ?? this.#numbers.size;
    this.#numbers.set(whole, number);
    return `#${number}`;
  }
}

function latin1(bytes: Uint8Array): string {
  return `${bytes.length}:${latin1Slice.call(bytes, 0, bytes.length)}`;
}
