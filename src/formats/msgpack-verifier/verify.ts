import type { KeyRules } from "../bytes/text-input.ts";
import { Bundles } from "./bundles.ts";
import { MessagePackInput, RECORD_TOKEN, RECORD_TYPE, TAGS } from "./input.ts";

/** What to allow. */
export interface MessagePackOptions {
  /** Deepest nesting of arrays, maps and records; 100 by default. */
  readonly depth?: number;
  /** Most values in all, keys not counted; 1,000,000 by default. */
  readonly items?: number;
  /** `safe` refuses integers that a JavaScript number would round; `any` is the default. */
  readonly integers?: "any" | "safe";
  /** The only keys that objects may have: maps, or records where there are records. Any by default. */
  readonly keys?: ReadonlySet<string>;
  /**
   * Whether a map's key `__proto__` is refused, which readers rename, drop or take for a prototype; true by
   * default. A reader that puts maps into `Map`s needs no such care. Records never have it.
   */
  readonly refuseProto?: boolean;
  /** Whether text of more than 64 bytes that starts with a byte order mark is refused; false by default. */
  readonly refuseMark?: boolean;
  /**
   * Whether objects are the records of msgpackr, and maps are maps. A record is its definition, an extension of
   * type 0x72 with an id from 0x40 to 0x7f and an array of keys, and its values; a later one of the same keys is
   * the id as a byte, and its values. False by default.
   */
  readonly records?: boolean;
  /** Whether texts may stand in the bundles of msgpackr: see {@link Bundles}. False by default. */
  readonly bundles?: boolean;
  /** How many fields each record has that reader and writer know beforehand, from the id 0x40 on. It is not defined anew. */
  readonly known?: readonly number[];
}

/**
 * Checks that bytes are one MessagePack value (github.com/msgpack/msgpack, spec.md), whole and unambiguous:
 * every length fits into the bytes that are there, text is UTF-8, keys are text and none stands twice. Numbers
 * and lengths may be written longer than they need to be. Extensions are refused, timestamps among them.
 * Throws DecodeError with the offset.
 */
export function verifyMessagePack(bytes: Uint8Array, options: MessagePackOptions = {}): void {
  new MessagePackWalk(new MessagePackInput(bytes), options).whole();
}

/** Bytes of the longest text that readers do not hand to a TextDecoder, which drops a mark (msgpackr 2.1.3). */
const MARK_IS_KEPT = 64;

/** One pass over a value. It makes only the keys of the maps around it, and recurses no deeper than its limit. */
export class MessagePackWalk {
  readonly #input: MessagePackInput;
  readonly #depth: number;
  readonly #items: number;
  readonly #options: MessagePackOptions;
  /** How many fields each defined record has, by its id. */
  readonly #records = new Map<number, number>();
  readonly #bundles: Bundles | undefined;
  #count = 0;

  constructor(input: MessagePackInput, options: MessagePackOptions = {}) {
    this.#input = input;
    this.#options = options;
    this.#depth = options.depth ?? 100;
    this.#items = options.items ?? 1_000_000;
    if (options.bundles === true) this.#bundles = new Bundles(input);
    for (const [index, length] of options.known?.entries() ?? []) this.#records.set(0x40 + index, length);
  }

  /** Walks the one value that the bytes must be. */
  whole(): void {
    this.#value(1);
    this.#bundles?.end();
    const { at, remaining } = this.#input;
    if (remaining > 0) this.#input.fail(`expected the end, got ${remaining} more bytes`, { at });
  }

  #value(depth: number): void {
    const input = this.#input;
    const at = input.at;
    this.#count += 1;
    if (this.#count > this.#items) input.fail(`more than ${this.#items} values`, { at, code: "limit" });
    if (this.#bundles?.text() !== undefined) return;
    const token = input.uint(1);
    if (token < 0x80) {
      if (token >= 0x40 && this.#options.records === true) this.#knownRecord(token, at, depth);
    } else if (token < 0x90) this.#map(token & 0x0f, at, depth);
    else if (token < 0xa0) this.#array(token & 0x0f, at, depth);
    else if (token < 0xc0) this.#text(token & 0x1f);
    else if (token < 0xe0) this.#tagged(token, at, depth);
  }

  #tagged(token: number, at: number, depth: number): void {
    const input = this.#input;
    const { kind, size } = TAGS[token - 0xc0]!;
    switch (kind) {
      case "fixed":
        input.skip(size);
        break;
      case "bytes":
        input.skip(input.uint(size));
        break;
      case "text":
        this.#text(input.uint(size));
        break;
      case "array":
        this.#array(input.uint(size), at, depth);
        break;
      case "map":
        this.#map(input.uint(size), at, depth);
        break;
      case "uint64":
      case "int64":
        this.#checkInteger(input.long(kind === "int64"), at);
        break;
      case "extension":
        input.skip(size);
        this.#extension(token, at, depth);
        break;
      case "fixed extension":
        this.#extension(token, at, depth);
        break;
      case "never used":
        input.fail("the byte 0xc1 is never used", { at });
    }
  }

  #checkInteger(value: bigint, at: number): void {
    if (this.#options.integers !== "safe" || Number.isSafeInteger(Number(value))) return;
    this.#input.fail(`${value} is beyond 2^53, expected a safe integer`, { at, code: "unsupported" });
  }

  #text(length: number): void {
    this.#checkMark(length);
    this.#input.skipText(length);
  }

  #checkMark(length: number): void {
    if (this.#options.refuseMark === true && length > MARK_IS_KEPT) this.#input.expectNoMark();
  }

  #array(length: number, at: number, depth: number): void {
    this.#input.enter(length, at, depth, this.#depth);
    for (let i = 0; i < length; i++) this.#value(depth + 1);
  }

  #map(length: number, at: number, depth: number): void {
    this.#input.enter(length * 2, at, depth, this.#depth);
    const { refuseProto = true, records = false, keys } = this.#options;
    const rules = { seen: new Set<string>(), refuseProto, allowed: records ? undefined : keys };
    for (let i = 0; i < length; i++) {
      this.#key(rules);
      this.#value(depth + 1);
    }
  }

  #key(rules: KeyRules): void {
    const input = this.#input;
    const { at } = input;
    const bundled = this.#bundles?.text();
    if (bundled !== undefined) {
      input.checkKey(bundled, at, rules);
      return;
    }
    const length = input.textLength(true);
    this.#checkMark(length);
    input.key(length, at, rules);
  }

  #extension(token: number, at: number, depth: number): void {
    const input = this.#input;
    const type = input.uint(1);
    if (token !== RECORD_TOKEN || type !== RECORD_TYPE || this.#options.records !== true) {
      input.fail(`extension of type ${(type << 24) >> 24} is not allowed`, { at, code: "unsupported" });
    }
    const id = input.uint(1);
    if (id < 0x40 || id > 0x7f) input.fail(`record id 0x${id.toString(16)}, expected 0x40 to 0x7f`, { at });
    if (id < 0x40 + (this.#options.known?.length ?? 0))
      input.fail(`record 0x${id.toString(16)} is known already`, { at });
    const length = this.#recordKeys();
    this.#records.set(id, length);
    this.#array(length, at, depth);
  }

  #recordKeys(): number {
    const input = this.#input;
    const at = input.at;
    const token = input.uint(1);
    const tag = TAGS[token - 0xc0];
    let length: number;
    if (token >= 0x90 && token < 0xa0) length = token & 0x0f;
    else if (tag?.kind === "array") length = input.uint(tag.size);
    else return input.fail(`expected an array of keys, got the byte 0x${token.toString(16)}`, { at });
    this.#input.enter(length, at, 0, this.#depth);
    const rules = { seen: new Set<string>(), refuseProto: true, allowed: this.#options.keys };
    for (let i = 0; i < length; i++) this.#key(rules);
    return length;
  }

  /** A record whose keys an earlier definition has given. */
  #knownRecord(id: number, at: number, depth: number): void {
    const length = this.#records.get(id);
    if (length === undefined) this.#input.fail(`record 0x${id.toString(16)} is not defined`, { at });
    this.#array(length, at, depth);
  }
}
