import type { KeyRules } from "../bytes/text-input.ts";
import { CborInput, type Head, INFO } from "./input.ts";

/** What to allow. */
export interface CborOptions {
  /** Deepest nesting of arrays, maps and records; 100 by default. */
  readonly depth?: number;
  /** Most values in all, keys not counted; 1,000,000 by default. */
  readonly items?: number;
  /** `safe` refuses integers that a JavaScript number would round; `any` is the default. */
  readonly integers?: "any" | "safe";
  /** The only keys that objects may have: maps, or records where there are records. Any by default. */
  readonly keys?: ReadonlySet<string>;
  /** Whether a map's key `__proto__` is refused; true by default. Records never have it. */
  readonly refuseProto?: boolean;
  /** Bytes of the longest text whose byte order mark its reader keeps: longer text with one is refused. Unbounded by default. */
  readonly keepsMarks?: number;
  /** Whether byte strings may have the tag 64 of RFC 8746, a typed array of 8-bit integers; false by default. */
  readonly typedBytes?: boolean;
  /**
   * Whether objects are the records of cbor-x, and maps are maps. A record is the tag 0xdfff on an array of an id from 0xe000 to
   * 0xe0ff, an array of keys, and its values; a later one of the same keys has the id as a tag on an array of its values.
   * False by default.
   */
  readonly records?: boolean;
}

/**
 * Checks that bytes are one CBOR data item (RFC 8949), whole and unambiguous: every length fits into the bytes that are
 * there, text is UTF-8, keys are text and none stands twice. Arguments may be longer than they need to be, and arrays and
 * maps may have no length. Refused are text and byte strings in chunks, tags, `undefined` and other simple values.
 * Throws DecodeError with the offset.
 */
export function verifyCbor(bytes: Uint8Array, options: CborOptions = {}): void {
  new CborWalk(new CborInput(bytes), options).whole();
}

/** Major types (RFC 8949, section 3.1). */
const MAJOR = { unsigned: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6, simple: 7 } as const;

/** Simple values that are allowed: false, true and null. */
const CONSTANTS = [20, 21, 22];

const TYPED_BYTES = 64;

/** Tags of cbor-x 1.6.9: what defines a record, and the ids of those that are defined. */
const RECORDS = { defines: 0xdfff, first: 0xe000, last: 0xe0ff } as const;

/** One pass over a value. It makes only the keys of the maps around it, and recurses no deeper than its limit. */
export class CborWalk {
  readonly #input: CborInput;
  readonly #depth: number;
  readonly #items: number;
  readonly #options: CborOptions;
  /** How many fields each defined record has, by its id. */
  readonly #records = new Map<number, number>();
  #count = 0;

  constructor(input: CborInput, options: CborOptions = {}) {
    this.#input = input;
    this.#options = options;
    this.#depth = options.depth ?? 100;
    this.#items = options.items ?? 1_000_000;
  }

  whole(): void {
    this.#value(1);
    this.#input.expectEnd();
  }

  #value(depth: number): void {
    const input = this.#input;
    const head = input.head();
    const { at, major, argument } = head;
    this.#count += 1;
    if (this.#count > this.#items) input.fail(`more than ${this.#items} values`, { at, code: "limit" });
    switch (major) {
      case MAJOR.bytes:
        input.skip(this.#length(head));
        break;
      case MAJOR.text:
        this.#checkMark(this.#length(head));
        input.skipText(argument);
        break;
      case MAJOR.array:
        this.#array(head, depth);
        break;
      case MAJOR.map:
        this.#map(head, depth);
        break;
      case MAJOR.tag:
        this.#tagged(head, depth);
        break;
      case MAJOR.simple:
        this.#simple(head);
        break;
      default:
        this.#integer(head);
    }
  }

  #integer(head: Head): void {
    const value = this.#length(head);
    const beyond =
      head.major === MAJOR.negative ? value >= Number.MAX_SAFE_INTEGER : !Number.isSafeInteger(value);
    if (this.#options.integers !== "safe" || !beyond) return;
    this.#input.fail("an integer is beyond 2^53, expected a safe one", { at: head.at, code: "unsupported" });
  }

  /** An argument that must be there. */
  #length({ at, argument, major }: Head): number {
    if (argument >= 0) return argument;
    const what = ["an integer", "an integer", "a byte string", "text"][major] ?? "this";
    return this.#input.fail(`${what} has no length of its own`, { at, code: "unsupported" });
  }

  /** A constant or a float, whose bytes were its argument. */
  #simple({ at, info, argument }: Head): void {
    const isFloat = info === INFO.two || info === INFO.four || info === INFO.eight;
    if (isFloat || (info < INFO.one && CONSTANTS.includes(argument))) return;
    if (info === INFO.indefinite) this.#input.fail("a break ends nothing", { at });
    const what = argument === 23 ? "undefined" : `the simple value ${argument}`;
    this.#input.fail(`${what} is not allowed`, { at, code: "unsupported" });
  }

  #checkMark(length: number): void {
    const { keepsMarks = Number.POSITIVE_INFINITY } = this.#options;
    if (length > keepsMarks) this.#input.expectNoMark();
  }

  /** Goes through what a container holds, or up to its break. */
  #each({ at, argument }: Head, depth: number, least: number, one: () => void): void {
    this.#input.enter(argument * least, at, depth, this.#depth);
    if (argument < 0) while (!this.#input.isBreak()) one();
    else for (let i = 0; i < argument; i++) one();
  }

  #array(head: Head, depth: number): void {
    this.#each(head, depth, 1, () => this.#value(depth + 1));
  }

  #map(head: Head, depth: number): void {
    const { refuseProto = true, records = false, keys } = this.#options;
    const rules = { seen: new Set<string>(), refuseProto, allowed: records ? undefined : keys };
    this.#each(head, depth, 2, () => {
      this.#key(rules);
      this.#value(depth + 1);
    });
  }

  #key(rules: KeyRules): void {
    const input = this.#input;
    const head = input.head();
    const { at, major } = head;
    if (major !== MAJOR.text)
      input.fail(`expected text as a key, got the major type ${major}`, { at, code: "unsupported" });
    const length = this.#length(head);
    this.#checkMark(length);
    input.key(length, at, rules);
  }

  #tagged({ at, argument: tag }: Head, depth: number): void {
    const { records = false, typedBytes = false } = this.#options;
    if (tag === TYPED_BYTES && typedBytes) {
      this.#input.skip(this.#length(this.#expect(MAJOR.bytes, "a byte string")));
    } else if (records && tag === RECORDS.defines) this.#record(at, depth);
    else if (records && tag >= RECORDS.first && tag <= RECORDS.last) this.#knownRecord(tag, at, depth);
    else this.#input.fail(`the tag ${tag} is not allowed`, { at, code: "unsupported" });
  }

  /** The head of the next item, of the only kind that may stand here. */
  #expect(major: number, what: string): Head {
    const head = this.#input.head();
    if (head.major === major && head.argument >= 0) return head;
    return this.#input.fail(`expected ${what} with its length`, { at: head.at });
  }

  #record(at: number, depth: number): void {
    const input = this.#input;
    const { argument: length } = this.#expect(MAJOR.array, "an array");
    const { argument: id } = this.#expect(MAJOR.unsigned, "the id of a record");
    if (id < RECORDS.first || id > RECORDS.last)
      input.fail(`record id ${id}, expected 57344 to 57599`, { at });
    const { argument: fields } = this.#expect(MAJOR.array, "an array of keys");
    if (length !== fields + 2) input.fail(`a record of ${fields} keys has ${length - 2} values`, { at });
    this.#input.enter(fields, at, depth, this.#depth);
    const rules = { seen: new Set<string>(), refuseProto: true, allowed: this.#options.keys };
    for (let i = 0; i < fields; i++) this.#key(rules);
    this.#records.set(id, fields);
    this.#values(fields, at, depth);
  }

  /** A record whose keys an earlier definition has given. */
  #knownRecord(id: number, at: number, depth: number): void {
    const fields = this.#records.get(id);
    if (fields === undefined) this.#input.fail(`record ${id} is not defined`, { at });
    const { argument: length } = this.#expect(MAJOR.array, "an array");
    if (length !== fields) this.#input.fail(`a record of ${fields} keys has ${length} values`, { at });
    this.#values(fields, at, depth);
  }

  #values(count: number, at: number, depth: number): void {
    this.#input.enter(count, at, depth, this.#depth);
    for (let i = 0; i < count; i++) this.#value(depth + 1);
  }
}
