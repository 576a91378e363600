import { show } from "../../model/value.ts";
import { Cursor } from "./cursor.ts";
import type { MessagePackOptions } from "./options.ts";
import { RECORD_TOKEN, RECORD_TYPE, TAGS } from "./tags.ts";

/** Bytes of the longest text that readers do not hand to a TextDecoder, which drops a mark (msgpackr 2.1.3). */
const MARK_IS_KEPT = 64;

/** One pass over a value. It makes only the keys of the maps around it, and recurses no deeper than its limit. */
export class Walk {
  readonly #cursor: Cursor;
  readonly #depth: number;
  readonly #items: number;
  readonly #options: MessagePackOptions;
  /** How many fields each defined record has, by its id. */
  readonly #records = new Map<number, number>();
  #count = 0;

  constructor(bytes: Uint8Array, options: MessagePackOptions) {
    this.#cursor = new Cursor(bytes);
    this.#options = options;
    this.#depth = options.depth ?? 100;
    this.#items = options.items ?? 1_000_000;
  }

  /** Walks the one value that the bytes must be. */
  whole(): void {
    this.#value(1);
    const { at, remaining } = this.#cursor;
    if (remaining > 0) this.#cursor.fail(`expected the end, got ${remaining} more bytes`, at);
  }

  #value(depth: number): void {
    const cursor = this.#cursor;
    const at = cursor.at;
    this.#count += 1;
    if (this.#count > this.#items) cursor.fail(`more than ${this.#items} values`, at, "limit");
    const token = cursor.uint(1);
    if (token < 0x80) {
      if (token >= 0x40 && this.#options.records === true) this.#knownRecord(token, at, depth);
    } else if (token < 0x90) this.#map(token & 0x0f, at, depth);
    else if (token < 0xa0) this.#array(token & 0x0f, at, depth);
    else if (token < 0xc0) this.#text(token & 0x1f);
    else if (token < 0xe0) this.#tagged(token, at, depth);
  }

  #tagged(token: number, at: number, depth: number): void {
    const cursor = this.#cursor;
    const { kind, size } = TAGS[token - 0xc0]!;
    switch (kind) {
      case "fixed":
        cursor.skip(size);
        break;
      case "bytes":
        cursor.skip(cursor.uint(size));
        break;
      case "text":
        this.#text(cursor.uint(size));
        break;
      case "array":
        this.#array(cursor.uint(size), at, depth);
        break;
      case "map":
        this.#map(cursor.uint(size), at, depth);
        break;
      case "uint64":
      case "int64":
        this.#checkInteger(cursor.long(kind === "int64"), at);
        break;
      case "extension":
        cursor.skip(size);
        this.#extension(token, at, depth);
        break;
      case "fixed extension":
        this.#extension(token, at, depth);
        break;
      case "never used":
        cursor.fail("the byte 0xc1 is never used", at);
    }
  }

  #checkInteger(value: bigint, at: number): void {
    if (this.#options.integers !== "safe" || Number.isSafeInteger(Number(value))) return;
    this.#cursor.fail(`${value} is beyond 2^53, expected a safe integer`, at, "unsupported");
  }

  #text(length: number): void {
    this.#checkMark(length);
    this.#cursor.skipText(length);
  }

  #checkMark(length: number): void {
    const cursor = this.#cursor;
    if (this.#options.refuseMark !== true || length <= MARK_IS_KEPT || !cursor.isAtMark()) return;
    cursor.fail("text starts with a byte order mark, which would be lost", cursor.at, "unsupported");
  }

  #array(length: number, at: number, depth: number): void {
    this.#enter(length, at, depth);
    for (let i = 0; i < length; i++) this.#value(depth + 1);
  }

  #map(length: number, at: number, depth: number): void {
    this.#enter(length * 2, at, depth);
    const { refuseProto = true, records = false, keys } = this.#options;
    const seen = new Set<string>();
    for (let i = 0; i < length; i++) {
      this.#key(seen, refuseProto, records ? undefined : keys);
      this.#value(depth + 1);
    }
  }

  /** Checks that what a container says it holds can be there, before anything is made of it. */
  #enter(least: number, at: number, depth: number): void {
    const cursor = this.#cursor;
    if (depth > this.#depth) cursor.fail(`nested deeper than ${this.#depth} levels`, at, "limit");
    if (least <= cursor.remaining) return;
    cursor.fail(`expected at least ${least} more bytes, got ${cursor.remaining}`, at, "truncated");
  }

  #key(seen: Set<string>, refuseProto: boolean, allowed: ReadonlySet<string> | undefined): void {
    const cursor = this.#cursor;
    const at = cursor.at;
    const key = cursor.text(this.#keyLength());
    if (seen.has(key)) cursor.fail(`the key ${show(key)} stands twice`, at);
    if (refuseProto && key === "__proto__")
      cursor.fail('"__proto__" cannot be read as a key', at, "unsupported");
    if (allowed?.has(key) === false) cursor.fail(`unknown key ${show(key)}`, at);
    seen.add(key);
  }

  #keyLength(): number {
    const cursor = this.#cursor;
    const at = cursor.at;
    const token = cursor.uint(1);
    const tag = TAGS[token - 0xc0];
    let length: number;
    if (token >= 0xa0 && token < 0xc0) length = token & 0x1f;
    else if (tag?.kind === "text") length = cursor.uint(tag.size);
    else return cursor.fail(`expected text as a key, got the byte 0x${token.toString(16)}`, at);
    this.#checkMark(length);
    return length;
  }

  #extension(token: number, at: number, depth: number): void {
    const cursor = this.#cursor;
    const type = cursor.uint(1);
    if (token !== RECORD_TOKEN || type !== RECORD_TYPE || this.#options.records !== true) {
      cursor.fail(`extension of type ${(type << 24) >> 24} is not allowed`, at, "unsupported");
    }
    const id = cursor.uint(1);
    if (id < 0x40 || id > 0x7f) cursor.fail(`record id 0x${id.toString(16)}, expected 0x40 to 0x7f`, at);
    const length = this.#recordKeys();
    this.#records.set(id, length);
    this.#array(length, at, depth);
  }

  #recordKeys(): number {
    const cursor = this.#cursor;
    const at = cursor.at;
    const token = cursor.uint(1);
    const tag = TAGS[token - 0xc0];
    let length: number;
    if (token >= 0x90 && token < 0xa0) length = token & 0x0f;
    else if (tag?.kind === "array") length = cursor.uint(tag.size);
    else return cursor.fail(`expected an array of keys, got the byte 0x${token.toString(16)}`, at);
    this.#enter(length, at, 0);
    const seen = new Set<string>();
    for (let i = 0; i < length; i++) this.#key(seen, true, this.#options.keys);
    return length;
  }

  /** A record whose keys an earlier definition has given. */
  #knownRecord(id: number, at: number, depth: number): void {
    const length = this.#records.get(id);
    if (length === undefined) this.#cursor.fail(`record 0x${id.toString(16)} is not defined`, at);
    this.#array(length, at, depth);
  }
}
