import type { Dataset } from "../../model/dataset.ts";
import { DecodeError } from "../../model/errors.ts";
import type { Place, RegionRole } from "../../model/region.ts";
import type { Anatomy } from "../../model/region-table.ts";
import type { Value } from "../../model/value.ts";
import { Guided } from "./guided.ts";
import { textOf } from "./leaf-values.ts";
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
const SPACES = new Set(Buffer.from(" \t\r\n"));

class Reader {
  at = 0;
  readonly #list: RegionList;
  readonly #bytes: Uint8Array;

  constructor(list: RegionList) {
    this.#list = list;
    this.#bytes = list.bytes;
  }

  space(place: Place): void {
    const start = this.at;
    while (SPACES.has(this.#bytes[this.at] ?? 0)) this.at++;
    this.#list.add("padding", start, this.at, place, "space");
  }

  value(here: Guided, depth: number): void {
    const { place } = here;
    this.space(place);
    if (depth > MAX_DEPTH) this.#fail(`nested deeper than ${MAX_DEPTH} levels`);
    const byte = this.#bytes[this.at];
    if (byte === OPEN) this.#object(here, depth);
    else if (byte === OPEN_LIST) this.#array(here, depth);
    else this.#leaf(place, byte === QUOTE ? this.#stringEnd() : this.#wordEnd());
  }

  #leaf(place: Place, end: number): void {
    const value = this.#parsed(this.at, end);
    this.#list.leaf("payload", this.at, end, place, value === null ? "null" : typeof value, value);
    this.at = end;
  }

  #parsed(start: number, end: number): Value {
    try {
      return JSON.parse(textOf(this.#bytes.subarray(start, end))) as Value;
    } catch (cause) {
      throw new DecodeError("json", "expected a value", { offset: start, cause });
    }
  }

  #stringEnd(): number {
    let end = this.at + 1;
    for (; end < this.#bytes.length && this.#bytes[end] !== QUOTE; end++)
      if (this.#bytes[end] === SLASH) end++;
    return end + 1;
  }

  #wordEnd(): number {
    let end = this.at;
    for (; end < this.#bytes.length; end++) {
      const byte = this.#bytes[end]!;
      if (byte === COMMA || byte === CLOSE || byte === CLOSE_LIST || SPACES.has(byte)) break;
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
    while (SPACES.has(this.#bytes[this.at] ?? 0)) this.at++;
    const start = this.at;
    if (this.#bytes[start] !== QUOTE) this.#fail("expected a key");
    const end = this.#stringEnd();
    const key = String(this.#parsed(start, end));
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
