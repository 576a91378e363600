import { Atom, BitBinary, Float, ImproperList, Tuple } from "./terms.ts";

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
  return `${bytes.length}:${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")}`;
}
