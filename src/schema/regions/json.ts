import type { Dataset } from "../../model/dataset.ts";
import { DecodeError } from "../../model/errors.ts";
import type { Place, RegionRole } from "../../model/region.ts";
import { type Anatomy, type Held, QUOTED } from "../../model/region-table.ts";
import type { Value } from "../../model/value.ts";
import { Guided } from "./guided.ts";
import { textAt } from "./leaf-values.ts";
import { RegionList } from "./region-list.ts";

/** A level for each message, and one for the list or map that it is in. */
const MAX_DEPTH = 1000;

/** Takes JSON in UTF-8 apart (RFC 8259). A key has its quotes and its colon. */
export function jsonRegions(bytes: Uint8Array, { schema }: Dataset): Anatomy {
  const list = new RegionList(bytes);
  const root = Guided.root(schema);
  const reader = new Reader(list);
  list.attempt(() => {
    reader.value(root, 1);
    reader.space(root.place);
    if (reader.at < bytes.length) throw new DecodeError("json", "text after the end", { offset: reader.at });
  });
  return list.finish(root.place);
}

const [QUOTE, COMMA, COLON, SLASH, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = Buffer.from('",:\\[]{}');
const [SPACE, TAB, RETURN, NEWLINE] = Buffer.from(" \t\r\n");

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === NEWLINE || byte === RETURN || byte === TAB;
}

/** Digits of which any number is a safe integer. */
const MOST_DIGITS = 15;

class Reader {
  at = 0;
  readonly #list: RegionList;
  readonly #bytes: Uint8Array;
  /** Whether the string that was passed last is what stands between its quotes. */
  #isPlain = false;

  constructor(list: RegionList) {
    this.#list = list;
    this.#bytes = list.bytes;
  }

  space(place: Place): void {
    const start = this.at;
    while (isSpace(this.#bytes[this.at])) this.at++;
    this.#list.add("padding", start, this.at, place, "space");
  }

  value(here: Guided, depth: number): void {
    const { place } = here;
    this.space(place);
    if (depth > MAX_DEPTH) this.#fail(`nested deeper than ${MAX_DEPTH} levels`);
    const byte = this.#bytes[this.at];
    if (byte === OPEN) this.#object(here, depth);
    else if (byte === OPEN_LIST) this.#array(here, depth);
    else if (byte === QUOTE) this.#string(place);
    else this.#word(place);
  }

  /** A string, whose text is made when it is asked for. */
  #string(place: Place): void {
    const end = this.#stringEnd();
    const held: Held = this.#isPlain ? QUOTED : this.#parsed(this.at, end);
    this.#list.leaf("payload", this.at, end, place, "string", held);
    this.at = end;
  }

  #word(place: Place): void {
    const end = this.#wordEnd();
    const value = this.#digits(end) ?? this.#parsed(this.at, end);
    this.#list.leaf("payload", this.at, end, place, value === null ? "null" : typeof value, value);
    this.at = end;
  }

  /** The number that some digits are; undefined where anything else is there. */
  #digits(end: number): number | undefined {
    const start = this.at;
    if (end === start || end - start > MOST_DIGITS) return undefined;
    let number = 0;
    for (let at = start; at < end; at++) {
      const digit = this.#bytes[at]! - 0x30;
      if (digit < 0 || digit > 9) return undefined;
      number = 10 * number + digit;
    }
    // Nothing but 0 begins with it.
    return this.#bytes[start] === 0x30 && end - start > 1 ? undefined : number;
  }

  #parsed(start: number, end: number): Value {
    try {
      return JSON.parse(textAt(this.#bytes, start, end)) as Value;
    } catch (cause) {
      throw new DecodeError("json", "expected a value", { offset: start, cause });
    }
  }

  #stringEnd(): number {
    const bytes = this.#bytes;
    let end = this.at + 1;
    let isPlain = true;
    for (; end < bytes.length; end++) {
      const byte = bytes[end]!;
      if (byte === QUOTE) break;
      if (byte < 0x20) isPlain = false;
      else if (byte === SLASH) {
        isPlain = false;
        end++;
      }
    }
    this.#isPlain = isPlain && end < bytes.length;
    return end + 1;
  }

  #wordEnd(): number {
    let end = this.at;
    for (; end < this.#bytes.length; end++) {
      const byte = this.#bytes[end]!;
      if (byte === COMMA || byte === CLOSE || byte === CLOSE_LIST || isSpace(byte)) break;
    }
    return end;
  }

  #array(here: Guided, depth: number): void {
    const { place } = here;
    this.#mark("tag", place, "array");
    this.space(place);
    for (let i = 0; this.#bytes[this.at] !== CLOSE_LIST; i++) {
      const inner = here.element(i);
      if (i > 0) this.#expect(COMMA!, inner.place, "comma");
      this.value(inner, depth + 1);
      this.space(place);
    }
    this.#mark("terminator", place, "end of array");
  }

  #object(here: Guided, depth: number): void {
    const { place } = here;
    const known = new Map<string, Place>();
    this.#mark("tag", place, "object");
    this.space(place);
    for (let i = 0; this.#bytes[this.at] !== CLOSE; i++) {
      const inner = this.#key(here, i);
      const key = String(inner.place.step);
      const earlier = known.get(key);
      if (earlier !== undefined) this.#list.replace(earlier);
      known.set(key, inner.place);
      this.value(inner, depth + 1);
      this.space(place);
    }
    this.#mark("terminator", place, "end of object");
  }

  /** A key, and the comma before it if it is not the first. */
  #key(here: Guided, ordinal: number): Guided {
    const comma = this.at;
    if (ordinal > 0) {
      if (this.#bytes[comma] !== COMMA) this.#fail("expected a comma");
      this.at += 1;
    }
    const space = this.at;
    while (isSpace(this.#bytes[this.at])) this.at++;
    const start = this.at;
    if (this.#bytes[start] !== QUOTE) this.#fail("expected a key");
    const end = this.#stringEnd();
    const key = this.#isPlain ? textAt(this.#bytes, start + 1, end - 1) : String(this.#parsed(start, end));
    const inner = here.property(key, ordinal);
    this.#list.add("terminator", comma, space, inner.place, "comma");
    this.#list.add("padding", space, start, inner.place, "space");
    this.at = end;
    if (this.#bytes[end] === COLON) {
      this.#list.add("key", start, ++this.at, inner.place, "key", key);
      return inner;
    }
    this.#list.add("key", start, end, inner.place, "key", key);
    this.space(inner.place);
    this.#expect(COLON!, inner.place, "colon");
    return inner;
  }

  #expect(byte: number, place: Place, type: string): void {
    if (this.#bytes[this.at] !== byte) this.#fail(`expected a ${type}`);
    this.#mark(type === "colon" ? "key" : "terminator", place, type);
  }

  #mark(role: RegionRole, place: Place, type: string): void {
    this.#list.add(role, this.at, this.at + 1, place, type);
    this.at += 1;
  }

  #fail(problem: string): never {
    const code = this.at >= this.#bytes.length ? "truncated" : "corrupt";
    throw new DecodeError("json", problem, { offset: this.at, code });
  }
}
