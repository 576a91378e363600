import { Atom, termToBinary } from "../../formats/erlang-etf/index.ts";
import type { TermReader } from "../../formats/erlang-etf/reader.ts";
import type { EnumType } from "../../model/schema.ts";

/** An atom that is expected, as OTP 17 to 25 write it: comparing bytes takes half the time of reading a name. */
export class KnownAtom {
  readonly name: string;
  readonly #term: Uint8Array;

  constructor(name: string) {
    this.name = name;
    this.#term = termToBinary(new Atom(name)).slice(1);
  }

  /** Reads the atom if it is what comes next, in that form. */
  follows(r: TermReader): boolean {
    const term = this.#term;
    const { at, bytes } = r;
    if (term.length > bytes.length - at) return false;
    for (let i = term.length - 1; i >= 0; i--) if (bytes[at + i] !== term[i]) return false;
    r.at = at + term.length;
    return true;
  }
}

/** Most names of an enum that are compared with what is there. */
const MOST_NAMES = 8;

/** The names of an enum's values. */
export class EnumNames {
  readonly #known: readonly (readonly [KnownAtom, number])[];
  readonly #numbers: ReadonlyMap<string, number>;

  constructor(values: EnumType["values"]) {
    this.#known = values.slice(0, MOST_NAMES).map(({ name, number }) => [new KnownAtom(name), number]);
    this.#numbers = new Map(values.map(({ name, number }) => [name, number]));
  }

  /** The number of the name that comes next, which is read; undefined for one that is written in another form. */
  known(r: TermReader): number | undefined {
    for (const [atom, number] of this.#known) if (atom.follows(r)) return number;
    return undefined;
  }

  /** The number of a name. */
  get(name: string): number | undefined {
    return this.#numbers.get(name);
  }
}
