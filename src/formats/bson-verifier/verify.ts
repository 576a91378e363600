import { isUtf8 } from "node:buffer";
import { inBytes } from "../../model/in-bytes.ts";
import { show } from "../../model/value.ts";
import { ByteInput } from "../bytes/input.ts";

/** What to allow. */
export interface BsonOptions {
  /** Deepest nesting of documents and arrays; 100 by default. */
  readonly depth?: number;
  /** `safe` refuses integers that a JavaScript number would round; `any` is the default. */
  readonly integers?: "any" | "safe";
  /** The only keys that documents may have; any by default. */
  readonly keys?: ReadonlySet<string>;
}

/** Types of elements that are allowed (bsonspec.org, version 1.1). */
const TYPE = {
  double: 0x01,
  string: 0x02,
  document: 0x03,
  array: 0x04,
  binary: 0x05,
  boolean: 0x08,
  null: 0x0a,
  int32: 0x10,
  int64: 0x12,
} as const;

/** Whether BSON has the type at all: 0x01 to 0x13, and the keys that come before and after all others. */
function isKnown(type: number): boolean {
  return (type > 0 && type <= 0x13) || type === 0x7f || type === 0xff;
}

/** The old subtype of binaries, which has a second length within. */
const OLD_BINARY = 2;

/** Bytes of a document without elements. */
const LEAST = 5;

/**
 * Checks that bytes are one BSON document, whole and unambiguous: documents end where they say, text and names are UTF-8,
 * no name stands twice, and elements of arrays are numbered from 0. Refused are the types that JSON and bytes have no use
 * for, and the name `$ref`, by which MongoDB's library makes an object of its own. Throws DecodeError with the offset.
 */
export function verifyBson(bytes: Uint8Array, options: BsonOptions = {}): void {
  new BsonWalk(new ByteInput("bson", bytes, Number.POSITIVE_INFINITY), options).whole();
}

/** One pass over a document. It makes only the names of the documents around it, and recurses no deeper than its limit. */
export class BsonWalk {
  readonly #input: ByteInput;
  readonly #depth: number;
  readonly #options: BsonOptions;

  constructor(input: ByteInput, options: BsonOptions = {}) {
    this.#input = input;
    this.#depth = options.depth ?? 100;
    this.#options = options;
  }

  whole(): void {
    this.#document(false, 1);
    this.#input.expectEnd();
  }

  #document(isArray: boolean, depth: number): void {
    const input = this.#input;
    const { at } = input;
    if (depth > this.#depth) input.fail(`nested deeper than ${this.#depth} levels`, { at, code: "limit" });
    const size = this.#int32();
    if (size < LEAST) input.fail(`expected a document of at least ${LEAST} bytes, got ${size}`, { at });
    input.need(size - 4);
    const end = at + size;
    const seen = new Set<string>();
    for (let index = 0; ; index++) {
      const type = this.#byte();
      if (type === 0) break;
      const nameAt = input.at;
      const name = this.#name(end);
      if (isArray && name !== String(index))
        input.fail(`expected the element ${index}, got ${show(name)}`, { at: nameAt });
      if (!isArray) this.#checkName(name, seen, nameAt);
      this.#value(type, nameAt, depth);
    }
    if (input.at !== end)
      input.fail(`a document of ${inBytes(input.at - at)} says that it has ${size}`, { at });
  }

  #checkName(name: string, seen: Set<string>, at: number): void {
    const input = this.#input;
    if (seen.has(name)) input.fail(`the name ${show(name)} stands twice`, { at });
    if (name === "$ref") input.fail('"$ref" makes a reference of its document', { at, code: "unsupported" });
    if (this.#options.keys?.has(name) === false) input.fail(`unknown name ${show(name)}`, { at });
    seen.add(name);
  }

  #value(type: number, at: number, depth: number): void {
    const input = this.#input;
    switch (type) {
      case TYPE.double:
        this.#skip(8);
        break;
      case TYPE.string:
        this.#string();
        break;
      case TYPE.document:
      case TYPE.array:
        this.#document(type === TYPE.array, depth + 1);
        break;
      case TYPE.binary:
        this.#binary();
        break;
      case TYPE.boolean:
        if (this.#byte() > 1) input.fail("expected 0 or 1 as a boolean", { at: input.at - 1 });
        break;
      case TYPE.null:
        break;
      case TYPE.int32:
        this.#skip(4);
        break;
      case TYPE.int64:
        this.#int64();
        break;
      default:
        input.fail(`an element of type 0x${type.toString(16).padStart(2, "0")} is not allowed`, {
          at: at - 1,
          code: isKnown(type) ? "unsupported" : "corrupt",
        });
    }
  }

  #string(): void {
    const input = this.#input;
    const { at } = input;
    const size = this.#int32();
    if (size < 1) input.fail(`expected a text of at least 1 byte, got ${size}`, { at });
    const start = input.at;
    this.#skip(size);
    if (input.bytes[input.at - 1] !== 0) input.fail("a text does not end in a zero byte", { at });
    if (!isUtf8(input.bytes.subarray(start, input.at - 1)))
      input.fail("text is not valid UTF-8", { at: start });
  }

  #binary(): void {
    const input = this.#input;
    const { at } = input;
    const size = this.#int32();
    if (size < 0) input.fail(`expected the size of a binary, got ${size}`, { at });
    if (this.#byte() === OLD_BINARY)
      input.fail("a binary of subtype 2 is not allowed", { at, code: "unsupported" });
    this.#skip(size);
  }

  #int64(): void {
    const input = this.#input;
    const { at } = input;
    this.#skip(8);
    if (this.#options.integers !== "safe") return;
    const value = input.view.getBigInt64(at, true);
    if (Number.isSafeInteger(Number(value))) return;
    input.fail(`${value} is beyond 2^53, expected a safe integer`, { at, code: "unsupported" });
  }

  /** A name, up to its zero byte. @param end of the document that it is in */
  #name(end: number): string {
    const input = this.#input;
    const { at, bytes } = input;
    let stop = at;
    while (stop < end && bytes[stop] !== 0) stop += 1;
    if (stop >= end) input.fail("a name has no end", { at });
    input.at = stop + 1;
    const name = bytes.subarray(at, stop);
    if (!isUtf8(name)) input.fail("a name is not valid UTF-8", { at });
    return Buffer.from(name.buffer, name.byteOffset, name.length).toString("utf8");
  }

  #byte(): number {
    const { at } = this.#input;
    this.#skip(1);
    return this.#input.bytes[at]!;
  }

  #int32(): number {
    const { at } = this.#input;
    this.#skip(4);
    return this.#input.view.getInt32(at, true);
  }

  #skip(count: number): void {
    this.#input.need(count);
    this.#input.at += count;
  }
}
