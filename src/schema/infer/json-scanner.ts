import { vanishes } from "../values/decimal.ts";
import { ALL_TEXT, Evidence, LONGEST_DISTINCT, MOST_KEYS, TEXT } from "./evidence.ts";

/** Deepest nesting of lists and objects that is scanned. */
const MOST_LEVELS = 500;

/** What keeps bytes from being JSON, and where. */
export class JsonFault extends Error {
  /** In bytes from 0. */
  readonly offset: number;

  constructor(offset: number, problem: string) {
    super(problem);
    this.offset = offset;
  }
}

/**
 * Reads JSON text, as strictly as JSON.parse, and adds what it meets to the evidence of each path without making the
 * values. Comments, and a comma before a closing bracket, are read over. A key that stands twice in an object, half of a
 * surrogate pair and a number beyond the doubles, or too near to zero for them, are faults.
 */
export class JsonScanner {
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #objects = 0;
  #onOffset: (offset: number) => void = () => {};
  #elements: number[] = [];
  /** Of the text that was scanned last: bits of {@link CLASS}, once of all bytes and once of any. */
  #all = 0;
  #any = 0;
  readonly #mostKeys: number;

  /** @param mostKeys of an object, beyond which they are not told apart: it is a map */
  constructor(mostKeys: number = MOST_KEYS) {
    this.#mostKeys = mostKeys;
  }

  /**
   * Scans the only value of some bytes, after a byte order mark if there is one. Throws JsonFault.
   * @param onOffset is told now and then how many bytes were scanned
   */
  document(path: Evidence, bytes: Buffer, onOffset: (offset: number) => void = () => {}): void {
    this.#onOffset = onOffset;
    this.#bytes = bytes;
    this.#elements = [];
    this.#at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    this.#space();
    this.#value(path, 1);
    this.#space();
    if (this.#at < bytes.length) throw this.#expected("the end of the document");
  }

  /** Where the elements of the last document begin and end, in turns; none where it is no list. */
  get elements(): readonly number[] {
    return this.#elements;
  }

  /** @returns levels of messages that the value takes */
  #value(path: Evidence, level: number): number {
    switch (this.#bytes[this.#at]) {
      case BRACE:
        return this.#object(path, level);
      case BRACKET:
        return this.#list(path, level);
      case QUOTE:
        this.#at += 1;
        this.#text(path, this.#at, this.#string());
        return 0;
      case 0x74:
        this.#word("true");
        path.bools += 1;
        return 0;
      case 0x66:
        this.#word("false");
        path.bools += 1;
        return 0;
      case 0x6e:
        this.#word("null");
        path.nulls += 1;
        return 0;
      default:
        this.#number(path);
        return 0;
    }
  }

  #object(path: Evidence, level: number): number {
    if (level > MOST_LEVELS) throw this.#fault(`nested deeper than ${MOST_LEVELS} levels`);
    const bytes = this.#bytes;
    const number = this.#objects++;
    if ((number & 0x3fff) === 0) this.#onOffset(this.#at);
    path.objects += 1;
    this.#at += 1;
    this.#space();
    let seen: Set<string> | undefined;
    let keys = 0;
    let next = 0;
    let height = 0;
    while (bytes[this.#at] !== CLOSING_BRACE) {
      if (bytes[this.#at] !== QUOTE) throw this.#expected(keys === 0 ? "a key or }" : "a key");
      const start = this.#at + 1;
      keys += 1;
      // Objects of a kind have their members in one order.
      let member = path.members[next];
      if (member === undefined || !this.#skipKey(member.keyBytes, start)) {
        this.#at = start;
        const key = this.#textOf(start, this.#string());
        if (path.entry === undefined) {
          member = path.member(key);
          if (path.members.length > this.#mostKeys) {
            seen = new Set(path.members.flatMap((one) => (one.lastObject === number ? [one.key!] : [])));
            member = path.asMap();
          }
        } else {
          member = path.entry;
        }
        if (path.entry !== undefined) {
          seen ??= new Set();
          if (seen.has(key)) throw this.#twice(key, start);
          seen.add(key);
        }
      }
      if (path.entry === undefined) {
        if (member.lastObject === number) throw this.#twice(member.key ?? "", start);
        member.lastObject = number;
        next = member.index + 1;
      }
      this.#space();
      if (bytes[this.#at] !== COLON) throw this.#expected(": after a key");
      this.#at += 1;
      this.#space();
      height = Math.max(height, this.#value(member, level + 1));
      this.#afterItem(CLOSING_BRACE);
    }
    this.#at += 1;
    if (keys === 0) path.emptyObjects += 1;
    if (keys < path.leastKeys) path.leastKeys = keys;
    if (keys > path.mostKeys) path.mostKeys = keys;
    if (height + 1 > path.height) path.height = height + 1;
    return height + 1;
  }

  #list(path: Evidence, level: number): number {
    if (level > MOST_LEVELS) throw this.#fault(`nested deeper than ${MOST_LEVELS} levels`);
    const bytes = this.#bytes;
    path.lists += 1;
    path.item ??= new Evidence();
    const { item } = path;
    this.#at += 1;
    this.#space();
    let items = 0;
    let height = 0;
    while (bytes[this.#at] !== CLOSING_BRACKET) {
      items += 1;
      if (level === 1) this.#elements.push(this.#at);
      height = Math.max(height, this.#value(item, level + 1));
      if (level === 1) this.#elements.push(this.#at);
      this.#afterItem(CLOSING_BRACKET);
    }
    this.#at += 1;
    if (items === 0) path.emptyLists += 1;
    if (items < path.leastItems) path.leastItems = items;
    if (items > path.mostItems) path.mostItems = items;
    if (height + 1 > path.height) path.height = height + 1;
    return height + 1;
  }

  /** A comma, or the closing bracket, which is not skipped. */
  #afterItem(closing: number): void {
    this.#space();
    const next = this.#bytes[this.#at];
    if (next === closing) return;
    if (next !== COMMA) throw this.#expected(closing === CLOSING_BRACE ? ", or }" : ", or ]");
    this.#at += 1;
    this.#space();
  }

  #space(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    for (;;) {
      const byte = bytes[at];
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) at += 1;
      else if (byte === SLASH) at = this.#comment(at);
      else break;
    }
    this.#at = at;
  }

  #comment(at: number): number {
    const kind = this.#bytes[at + 1];
    this.#at = at;
    if (kind === SLASH) {
      const line = this.#bytes.indexOf(0x0a, at);
      return line < 0 || line > this.#bytes.length ? this.#bytes.length : line;
    }
    if (kind !== STAR) throw this.#expected("a comment after /");
    const closed = this.#bytes.indexOf("*/", at + 2);
    if (closed < 0 || closed > this.#bytes.length) throw new JsonFault(at, "a comment without its end");
    return closed + 2;
  }

  /** Whether a key is the one that was expected, and is skipped then, with its closing quote. */
  #skipKey(key: Uint8Array | undefined, start: number): boolean {
    if (key === undefined) return false;
    const bytes = this.#bytes;
    const { length } = key;
    if (bytes[start + length] !== QUOTE) return false;
    for (let i = 0; i < length; i++) if (bytes[start + i] !== key[i]) return false;
    this.#at = start + length + 1;
    return true;
  }

  /** Skips a string, its opening quote skipped before. @returns the offset of its closing quote */
  #string(): number {
    const bytes = this.#bytes;
    let at = this.#at;
    let all = 0xff;
    let any = 0;
    for (; at < bytes.length; at++) {
      const byte = bytes[at]!;
      const known = CLASS[byte]!;
      if ((known & STOP) !== 0) {
        if (byte === QUOTE) {
          this.#all = all;
          this.#any = any;
          this.#at = at + 1;
          return at;
        }
        this.#at = at;
        if (byte !== BACKSLASH) throw this.#fault("a control character in a string, expected an escape");
        at = this.#escape(at);
        all = 0;
        any |= ESCAPED;
        continue;
      }
      all &= known;
      any |= known;
    }
    this.#at = at;
    throw this.#fault("unexpected end of JSON, expected the end of a string");
  }

  /** @returns the offset of the last byte of the escape that begins at an offset */
  #escape(at: number): number {
    const code = this.#bytes[at + 1];
    if (code !== 0x75) {
      if (code === undefined || !SIMPLE_ESCAPES.has(code)) throw this.#fault("no such escape in a string");
      return at + 1;
    }
    const unit = this.#unit(at);
    const isHigh = unit >= 0xd800 && unit < 0xdc00;
    if (unit >= 0xdc00 && unit < 0xe000) throw this.#fault("half of a surrogate pair has no UTF-8 form");
    if (!isHigh) return at + 5;
    const isPair = this.#bytes[at + 6] === BACKSLASH && this.#bytes[at + 7] === 0x75;
    const low = isPair ? this.#unit(at + 6) : 0;
    if (low < 0xdc00 || low > 0xdfff) throw this.#fault("half of a surrogate pair has no UTF-8 form");
    return at + 11;
  }

  #unit(at: number): number {
    const digits = this.#bytes.toString("latin1", at + 2, at + 6);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.#fault("expected four hexadecimal digits after \\u");
    return Number.parseInt(digits, 16);
  }

  #text(path: Evidence, start: number, end: number): void {
    const length = end - start;
    path.texts += 1;
    if (length < path.shortest) path.shortest = length;
    if (length > path.longest) path.longest = length;
    const base64 = (length & 3) === 0 ? ALL_TEXT : ALL_TEXT & ~TEXT.base64;
    path.common &= this.#all & base64;
    if ((this.#any & SIGN) !== 0) path.hasSigns = true;
    if (path.distinct === undefined) return;
    if (length > LONGEST_DISTINCT) path.distinct = undefined;
    else path.addDistinct(this.#textOf(start, end), 1);
  }

  #textOf(start: number, end: number): string {
    if ((this.#any & ESCAPED) !== 0) {
      return JSON.parse(this.#bytes.toString("utf8", start - 1, end + 1)) as string;
    }
    return this.#bytes.toString((this.#all & ASCII) === 0 ? "utf8" : "latin1", start, end);
  }

  #number(path: Evidence): void {
    const bytes = this.#bytes;
    const start = this.#at;
    let at = start;
    const isNegative = bytes[at] === MINUS;
    if (isNegative) at += 1;
    let byte = bytes[at]!;
    if (!isDigit(byte)) {
      this.#at = at;
      throw this.#expected(isNegative ? "a digit" : "a value");
    }
    let value = 0;
    const first = at;
    if (byte === ZERO) byte = bytes[++at]!;
    else {
      do {
        value = value * 10 + (byte - ZERO);
        byte = bytes[++at]!;
      } while (isDigit(byte));
    }
    let digits = at - first;
    if (byte !== DOT && (byte | 0x20) !== 0x65) {
      this.#at = at;
      if (digits > 15) this.#wideInteger(path, start, at);
      else if (isNegative && value === 0) this.#fraction(path, -0, 1);
      else this.#integer(path, isNegative ? -value : value);
      return;
    }
    if (byte === DOT) {
      const point = at;
      byte = bytes[++at]!;
      for (; isDigit(byte); byte = bytes[++at]!);
      if (at === point + 1) {
        this.#at = at;
        throw this.#expected("a digit after the point");
      }
      digits += at - point - 1;
    }
    if ((byte | 0x20) === 0x65) {
      byte = bytes[++at]!;
      if (byte === PLUS || byte === MINUS) byte = bytes[++at]!;
      this.#at = at;
      if (!isDigit(byte)) throw this.#expected("a digit of the exponent");
      for (; isDigit(byte); byte = bytes[++at]!);
    }
    this.#at = at;
    const text = bytes.toString("latin1", start, at);
    const exact = Number(text);
    if (!Number.isFinite(exact) || (exact === 0 && vanishes(text)))
      throw new JsonFault(start, "a number outside the range of a double");
    this.#fraction(path, exact, digits);
  }

  #integer(path: Evidence, value: number): void {
    path.integers += 1;
    if (value < path.low) path.low = value;
    if (value > path.high) path.high = value;
  }

  #fraction(path: Evidence, value: number, digits: number): void {
    path.fractions += 1;
    if (digits > path.digits) path.digits = digits;
    if (value < path.low) path.low = value;
    if (value > path.high) path.high = value;
  }

  #wideInteger(path: Evidence, start: number, end: number): void {
    const text = this.#bytes.toString("latin1", start, end);
    const value = Number(text);
    if (!Number.isFinite(value)) throw new JsonFault(start, "a number outside the range of a double");
    this.#integer(path, value);
    if (Number.isSafeInteger(value)) return;
    const integer = BigInt(text);
    path.addWide(integer, BigInt(value) !== integer);
  }

  #word(word: string): void {
    const { length } = word;
    for (let i = 0; i < length; i++) {
      if (this.#bytes[this.#at + i] !== word.charCodeAt(i)) throw this.#expected("a value");
    }
    this.#at += length;
  }

  #twice(key: string, start: number): JsonFault {
    return new JsonFault(start - 1, `the key ${JSON.stringify(key)} stands twice`);
  }

  #expected(what: string): JsonFault {
    if (this.#at >= this.#bytes.length) return this.#fault(`unexpected end of JSON, expected ${what}`);
    const [found = ""] = this.#bytes.toString("utf8", this.#at, this.#at + 4);
    return this.#fault(`expected ${what}, got ${JSON.stringify(found)}`);
  }

  #fault(problem: string): JsonFault {
    return new JsonFault(this.#at, problem);
  }
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= 0x39;
}

const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const STAR = 0x2a;
const ZERO = 0x30;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const SIMPLE_ESCAPES = new Set(Buffer.from('"\\/bfnrt'));

/** What a byte is in a string: bits of {@link TEXT} and these. */
const STOP = 8;
const ASCII = 16;
const SIGN = 32;
const ESCAPED = 64;

const CLASS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x20 || byte === QUOTE || byte === BACKSLASH) return STOP;
  if (byte > 0x7e) return 0;
  const character = String.fromCharCode(byte);
  return (
    ASCII |
    (/[A-Za-z0-9+/=]/.test(character) ? TEXT.base64 : 0) |
    (/[0-9TZ:.+-]/.test(character) ? TEXT.time : 0) |
    (/\w/.test(character) ? TEXT.word : 0) |
    (/[+/=]/.test(character) ? SIGN : 0)
  );
});
