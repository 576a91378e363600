import { DecodeError, type DecodeProblem } from "../../model/errors.ts";
import { inBytes } from "../../model/in-bytes.ts";
import { pathText } from "../../model/value.ts";

/** What a message may become. Offsets may share, so that it is more than its bytes. */
export interface FlexBufferLimits {
  /** Most levels of vectors and maps in each other; 1,000 by default. */
  readonly depth?: number;
  /** Most values, each counted as often as an offset leads to it; 200,000 beyond one for each byte by default. */
  readonly items?: number;
  /** Most bytes of texts, keys and blobs, counted likewise; 64 MiB by default. */
  readonly bytes?: number;
}

/** The upper six bits of a type byte (flatbuffers, `flexbuffers.h`); vectors of one type follow each other by theirs. */
const TYPE = {
  null: 0,
  int: 1,
  uint: 2,
  float: 3,
  key: 4,
  string: 5,
  indirect: 6,
  map: 9,
  vector: 10,
  blob: 25,
  bool: 26,
};
const TYPED = { first: 11, last: 15, bools: 36 };
/** Vectors of two, three and four numbers, without a length. */
const FIXED = { first: 16, last: 24 };

/**
 * Throws a DecodeError unless every offset leads back to what its type says, within the bytes, and texts and keys are UTF-8
 * that ends in a NUL; and for what the library cannot read (flatbuffers 25.9.23): offsets and lengths of eight bytes, which it
 * takes for bigints and cannot add to a place, and lists of texts of which one has more than 255 bytes. Takes time in proportion
 * to the bytes and to the limits.
 */
export function verifyFlexBuffer(bytes: Uint8Array, limits: FlexBufferLimits = {}): void {
  new FlexBufferWalk(bytes, limits).root();
}

class FlexBufferWalk {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #depth: number;
  readonly #utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #items: number;
  #text: number;
  readonly #steps: (string | number)[] = [];

  constructor(
    bytes: Uint8Array,
    { depth = 1000, items = bytes.length + 200_000, bytes: text = 2 ** 26 }: FlexBufferLimits,
  ) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#depth = depth;
    this.#items = items;
    this.#text = text;
  }

  root(): void {
    const { length } = this.#bytes;
    if (length < 3) throw this.#problem("expected 3 bytes or more", length, "truncated");
    const width = this.#bytes[length - 1]!;
    if (![1, 2, 4, 8].includes(width))
      throw this.#problem("expected a width of 1, 2, 4 or 8 bytes", length - 1);
    this.#value(this.#within(length - 2 - width, width), width, this.#bytes[length - 2]!, this.#depth);
  }

  /** @param width bytes of what is in place: a number, or an offset */
  #value(at: number, width: number, packed: number, depth: number): void {
    this.#items -= 1;
    if (this.#items < 0) throw this.#problem("more values than allowed", at, "limit");
    if (depth < 0) throw this.#problem(`nested deeper than ${this.#depth} levels`, at, "limit");
    const [type, own] = [packed >> 2, 1 << (packed & 3)];
    if (type === TYPE.float) {
      if (width < 4) throw this.#problem(`a float of ${inBytes(width)}`, at);
      return;
    }
    if (type <= TYPE.uint || type === TYPE.bool) return;
    if (width === 8) throw this.#problem("an offset of 8 bytes", at, "unsupported");
    const to = this.#offset(at, width);
    if (type === TYPE.key) this.#keyAsText(to);
    else if (type === TYPE.string) this.#string(to, own);
    else if (type === TYPE.blob) this.#spend(this.#readLength(to, own), to);
    else if (type === TYPE.map) this.#map(to, own, depth);
    else if (type === TYPE.vector) this.#untyped(to, own, depth);
    else if (type >= TYPE.indirect && type < TYPE.map) this.#indirect(to, own, type);
    else this.#typed(to, own, type, depth);
  }

  #indirect(at: number, width: number, type: number): void {
    if (type === TYPE.map - 1 && width < 4) throw this.#problem(`a float of ${inBytes(width)}`, at);
    this.#within(at, width);
  }

  #map(at: number, width: number, depth: number): void {
    const length = this.#length(at, width);
    const keys = this.#offset(this.#within(at - 3 * width, width), width);
    const keyWidth = this.#number(at - 2 * width, width);
    if (![1, 2, 4, 8].includes(keyWidth))
      throw this.#problem("expected keys of 1, 2, 4 or 8 bytes", at - 2 * width);
    this.#within(keys, length * keyWidth);
    const names = new Set<string>();
    const types = this.#within(at + length * width, length);
    for (let i = 0; i < length; i++) {
      const name = this.#key(this.#offset(keys + i * keyWidth, keyWidth));
      // A reader that assigns it sets the prototype, or nothing.
      if (name === "__proto__" || names.has(name))
        throw this.#problem(`the key ${JSON.stringify(name)} is not allowed, or stands twice`, at);
      names.add(name);
      this.#steps.push(name);
      this.#value(at + i * width, width, this.#bytes[types + i]!, depth - 1);
      this.#steps.pop();
    }
  }

  #untyped(at: number, width: number, depth: number): void {
    const length = this.#readLength(at, width);
    const types = this.#within(at + length * width, length);
    for (let i = 0; i < length; i++) this.#element(i, at, width, this.#bytes[types + i]!, depth);
  }

  #typed(at: number, width: number, type: number, depth: number): void {
    const isFixed = type >= FIXED.first && type <= FIXED.last;
    if (!isFixed && type !== TYPED.bools && (type < TYPED.first || type > TYPED.last)) {
      throw this.#problem(`no type is ${type}`, at);
    }
    const length = isFixed ? Math.floor((type - FIXED.first) / 3) + 2 : this.#readLength(at, width);
    const element = isFixed ? ((type - FIXED.first) % 3) + 1 : type - TYPED.first + 1;
    this.#within(at, length * width);
    for (let i = 0; i < length; i++) this.#element(i, at, width, element << 2, depth);
    // The library reads a type behind them for each, which elements of one type have not.
    this.#within(at, length * width + length);
  }

  #element(i: number, at: number, width: number, packed: number, depth: number): void {
    this.#steps.push(i);
    this.#value(at + i * width, width, packed, depth - 1);
    this.#steps.pop();
  }

  #string(at: number, width: number): void {
    const end = this.#within(at + this.#number(at - width, width), 1);
    // In a list of texts lengths are as wide as the longest needs, and the library reads the highest byte of one alone.
    if (this.#bytes[end] !== 0) throw this.#problem("a text that does not end where its length says", at);
    this.#textAt(at, end);
  }

  /** The library reads on from the NUL of an empty one. */
  #keyAsText(at: number): void {
    if (this.#key(at) === "") throw this.#problem("an empty key as a value", at);
  }

  #key(at: number): string {
    const end = this.#bytes.indexOf(0, at);
    if (end < 0) throw this.#problem("a key without an end", at, "truncated");
    return this.#textAt(at, end);
  }

  #textAt(at: number, end: number): string {
    this.#spend(end - at, at);
    try {
      return this.#utf8.decode(this.#bytes.subarray(at, end));
    } catch (cause) {
      throw this.#problem("not valid UTF-8", at, "corrupt", cause);
    }
  }

  /** The length before what it is of, whose bytes it may not exceed. */
  #length(at: number, width: number): number {
    const length = this.#number(at - width, width);
    this.#within(at, length);
    return length;
  }

  /** The same of anything but a map, whose length the library makes a number. */
  #readLength(at: number, width: number): number {
    if (width === 8) throw this.#problem("a length of 8 bytes", at, "unsupported");
    return this.#length(at, width);
  }

  #spend(bytes: number, at: number): void {
    this.#text -= bytes;
    if (this.#text < 0) throw this.#problem("more text than allowed", at, "limit");
  }

  /** Where the offset at a place leads: back, and never forward. */
  #offset(at: number, width: number): number {
    return this.#within(at - this.#number(at, width), 0);
  }

  #number(at: number, width: number): number {
    this.#within(at, width);
    if (width === 1) return this.#view.getUint8(at);
    if (width === 2) return this.#view.getUint16(at, true);
    if (width === 4) return this.#view.getUint32(at, true);
    return Number(this.#view.getBigUint64(at, true));
  }

  #within(at: number, size: number): number {
    if (at >= 0 && at + size <= this.#bytes.length) return at;
    throw this.#problem(`${inBytes(size)} are outside of the message`, at, "truncated");
  }

  #problem(text: string, offset: number, code: DecodeProblem = "corrupt", cause?: unknown): DecodeError {
    return new DecodeError("flexbuffers", text, { path: pathText(this.#steps), offset, code, cause });
  }
}
