import { isUtf8 } from "node:buffer";
import { inBytes } from "../../model/in-bytes.ts";
import { pathText, show } from "../../model/value.ts";
import { ByteInput } from "../bytes/input.ts";
import type { AvroShape } from "./shape.ts";

/** What to allow. */
export interface AvroOptions {
  /** Deepest nesting of records, arrays and maps; 100 by default. */
  readonly depth?: number;
  /** Most values in all; one for each byte and 200,000 more by default. An element of an array may take no bytes. */
  readonly items?: number;
  /** The least and the greatest long that a reader has a number for; 64 bits by default. */
  readonly longs?: { readonly least: bigint; readonly most: bigint };
}

/**
 * Checks that bytes are one value of an Avro schema in its binary encoding (specification 1.11, "Binary Encoding"), whole:
 * every length fits into the bytes that are there, blocks have the sizes that they say, ints have 32 bits, text is UTF-8,
 * booleans are 0 or 1, and no key stands twice. The key `__proto__` is refused. Numbers may be padded to ten bytes.
 * Throws DecodeError with the offset and the path.
 */
export function verifyAvro(bytes: Uint8Array, shape: AvroShape, options: AvroOptions = {}): void {
  new AvroWalk(new ByteInput("avro", bytes, Number.POSITIVE_INFINITY), options).whole(shape);
}

const INT = { least: -(2n ** 31n), most: 2n ** 31n - 1n };
const LONG = { least: -(2n ** 63n), most: 2n ** 63n - 1n };

/** Values that take no bytes, by default. */
const EMPTY_ITEMS = 200_000;

/** One pass over a value. It makes only the keys of the maps around it, and recurses no deeper than its limit. */
export class AvroWalk {
  readonly #input: ByteInput;
  readonly #depth: number;
  readonly #items: number;
  readonly #longs: { readonly least: bigint; readonly most: bigint };
  /** Where the walk is, for errors. */
  readonly #steps: (string | number)[] = [];
  #count = 0;

  constructor(
    input: ByteInput,
    { depth = 100, items = input.bytes.length + EMPTY_ITEMS, longs = LONG }: AvroOptions = {},
  ) {
    this.#input = input;
    this.#depth = depth;
    this.#items = items;
    this.#longs = longs;
  }

  whole(shape: AvroShape): void {
    this.#value(shape, 1);
    this.#input.expectEnd();
  }

  #fail(
    problem: string,
    at: number,
    code: "corrupt" | "limit" | "unsupported" | "truncated" = "corrupt",
  ): never {
    return this.#input.fail(problem, { at, path: pathText(this.#steps), code });
  }

  #value(shape: AvroShape, depth: number): void {
    const input = this.#input;
    const { at } = input;
    this.#count += 1;
    if (this.#count > this.#items) this.#fail(`more than ${this.#items} values`, at, "limit");
    switch (shape.kind) {
      case "null":
        return;
      case "boolean":
        this.#skip(1);
        if (input.bytes[at]! > 1) this.#fail(`expected 0 or 1, got ${input.bytes[at]}`, at);
        return;
      case "int":
        this.#long(INT, "32 bits");
        return;
      case "long":
        this.#long(this.#longs, "what a number holds here");
        return;
      case "float":
        this.#skip(4);
        return;
      case "double":
        this.#skip(8);
        return;
      case "fixed":
        this.#skip(shape.size);
        return;
      case "bytes":
        this.#skip(this.#length());
        return;
      case "string":
        this.#text();
        return;
      case "enum":
        this.#index(shape.size, "symbols");
        return;
      case "union":
        this.#value(shape.branches[this.#index(shape.branches.length, "branches")]!, depth);
        return;
      default:
        if (depth > this.#depth) this.#fail(`nested deeper than ${this.#depth} levels`, at, "limit");
        if (shape.kind === "record") {
          for (const field of shape.fields) this.#at(field.name, field.shape, depth);
        } else if (shape.kind === "array") this.#array(shape.items, depth);
        else this.#map(shape.values, depth);
    }
  }

  #at(step: string | number, shape: AvroShape, depth: number): void {
    this.#steps.push(step);
    this.#value(shape, depth + 1);
    this.#steps.pop();
  }

  #array(items: AvroShape, depth: number): void {
    let index = 0;
    this.#blocks(() => this.#at(index++, items, depth));
  }

  #map(values: AvroShape, depth: number): void {
    const seen = new Set<string>();
    this.#blocks(() => {
      const { at } = this.#input;
      const key = this.#text();
      if (key === "__proto__") this.#fail('"__proto__" cannot be read as a key', at, "unsupported");
      if (seen.has(key)) this.#fail(`the key ${show(key)} stands twice`, at);
      seen.add(key);
      this.#at(key, values, depth);
    });
  }

  /** Blocks of elements, up to the empty one. A negative count has the size of its block behind it. */
  #blocks(one: () => void): void {
    const input = this.#input;
    for (;;) {
      const { at } = input;
      const count = this.#long(LONG, "64 bits");
      if (count === 0n) return;
      const size = count < 0n ? this.#length() : undefined;
      const start = input.at;
      // Elements count as they are met: a block cannot hold more than its limit of them.
      for (let left = count < 0n ? -count : count; left > 0n; left -= 1n) one();
      if (size !== undefined && input.at - start !== size)
        this.#fail(`a block of ${inBytes(input.at - start)} says that it has ${size}`, at);
    }
  }

  #index(count: number, what: string): number {
    const { at } = this.#input;
    const index = this.#long(LONG, "64 bits");
    if (index < 0n || index >= BigInt(count))
      this.#fail(`index ${index}, and there are ${count} ${what}`, at);
    return Number(index);
  }

  #length(): number {
    const { at } = this.#input;
    const length = this.#long(LONG, "64 bits");
    if (length < 0n || length > BigInt(this.#input.remaining))
      this.#fail(`a length of ${length}, with ${inBytes(this.#input.remaining)} left`, at, "truncated");
    return Number(length);
  }

  #text(): string {
    const length = this.#length();
    const { at, bytes } = this.#input;
    this.#skip(length);
    const text = bytes.subarray(at, at + length);
    if (!isUtf8(text)) this.#fail("text is not valid UTF-8", at);
    return Buffer.from(text.buffer, text.byteOffset, length).toString("utf8");
  }

  #skip(count: number): void {
    const { at, remaining } = this.#input;
    if (count > remaining) this.#fail(`expected ${count} more bytes, got ${remaining}`, at, "truncated");
    this.#input.at += count;
  }

  /** A number as a zigzag varint of at most ten bytes. */
  #long({ least, most }: { readonly least: bigint; readonly most: bigint }, what: string): bigint {
    const { at, bytes, remaining } = this.#input;
    if (remaining > 0 && bytes[at]! < 0x80) {
      // Most numbers are small.
      this.#input.at += 1;
      return BigInt((bytes[at]! >> 1) ^ -(bytes[at]! & 1));
    }
    let bits = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byteAt = this.#input.at;
      this.#skip(1);
      const byte = this.#input.bytes[byteAt]!;
      bits |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) break;
      if (shift === 63n) this.#fail("a number of more than ten bytes", at);
    }
    if (bits >= 2n ** 64n) this.#fail("a number of more than 64 bits", at);
    const value = (bits >> 1n) ^ -(bits & 1n);
    if (value < least || value > most) this.#fail(`${value} is beyond ${what}`, at, "unsupported");
    return value;
  }
}
