import { DecodeError } from "../../model/errors.ts";
import type { Place, RegionRole } from "../../model/region.ts";
import { type Held, QUOTED } from "../../model/region-table.ts";
import type { Value } from "../../model/value.ts";
import { MAX_DEPTH } from "./cursor.ts";
import { textAt } from "./leaf-values.ts";
import type { RegionId, RegionList } from "./region-list.ts";

/** Bytes that structure JSON. */
export const [QUOTE, COMMA, COLON, SLASH, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = Buffer.from('",:\\[]{}');
const [SPACE, TAB, RETURN, NEWLINE] = Buffer.from(" \t\r\n");

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === NEWLINE || byte === RETURN || byte === TAB;
}

/** Digits of which any number is a safe integer. */
const MOST_DIGITS = 15;

/** Goes through JSON in UTF-8 (RFC 8259) from front to back, and says what its tokens are. */
export class JsonText {
  at = 0;
  readonly list: RegionList;
  readonly bytes: Uint8Array;
  readonly #format: string;
  /** Whether the string that was met last is what stands between its quotes, without an escape. */
  isPlain = false;
  /** Where what {@link ahead} has met ends. */
  #end = 0;

  constructor(format: string, list: RegionList) {
    this.#format = format;
    this.list = list;
    this.bytes = list.bytes;
  }

  space(place: Place): void {
    const start = this.at;
    this.passSpace();
    this.list.add("padding", start, this.at, place, "space");
  }

  /** {@link space} of which nothing is said. */
  passSpace(): void {
    while (isSpace(this.bytes[this.at])) this.at++;
  }

  /** A string that is the value of its place, whose text is made when it is asked for. */
  string(place: Place): RegionId {
    const start = this.at;
    const end = this.#stringEnd();
    const held: Held = this.isPlain ? QUOTED : this.parsed(start, end);
    this.at = end;
    return this.list.leaf("payload", start, end, place, "string", held);
  }

  /** A number or constant that is the value of its place. */
  word(place: Place): RegionId {
    const start = this.at;
    const value = this.#wordAhead();
    this.at = this.#end;
    return this.list.leaf("payload", start, this.at, place, value === null ? "null" : typeof value, value);
  }

  /** The string, number or constant that comes next, which is not passed. */
  ahead(): Value {
    if (this.bytes[this.at] === QUOTE) return this.textAhead("expected a string");
    return this.#wordAhead();
  }

  /** The string that comes next, which is not passed. */
  textAhead(expected: string): string {
    const start = this.at;
    if (this.bytes[start] !== QUOTE) this.fail(expected);
    const end = this.#stringEnd();
    this.#end = end;
    return this.isPlain ? textAt(this.bytes, start + 1, end - 1) : String(this.parsed(start, end));
  }

  /** Passes what was {@link ahead}. */
  take(role: RegionRole, place: Place, type: string, value?: Held): RegionId {
    const start = this.at;
    this.at = this.#end;
    return this.list.add(role, start, this.at, place, type, value);
  }

  /** {@link take} for the value of a place. */
  leaf(place: Place, type: string, value: Held): RegionId {
    const start = this.at;
    this.at = this.#end;
    return this.list.leaf("payload", start, this.at, place, type, value);
  }

  /** Passes the string that was {@link textAhead}, and the colon behind it. */
  name(role: RegionRole, place: Place, type: string, value: string): RegionId {
    const start = this.at;
    this.at = this.#end;
    if (this.bytes[this.at] === COLON) return this.list.add(role, start, ++this.at, place, type, value);
    const id = this.list.add(role, start, this.at, place, type, value);
    this.space(place);
    this.expect(COLON!, role, place, "colon");
    return id;
  }

  #wordAhead(): Value {
    const end = this.#wordEnd();
    this.#end = end;
    return this.#digits(end) ?? this.parsed(this.at, end);
  }

  /** The number that some digits are; undefined where anything else is there. */
  #digits(end: number): number | undefined {
    const start = this.at;
    if (end === start || end - start > MOST_DIGITS) return undefined;
    let number = 0;
    for (let at = start; at < end; at++) {
      const digit = this.bytes[at]! - 0x30;
      if (digit < 0 || digit > 9) return undefined;
      number = 10 * number + digit;
    }
    // Nothing but 0 begins with it.
    return this.bytes[start] === 0x30 && end - start > 1 ? undefined : number;
  }

  /** What some bytes are as JSON. */
  parsed(start: number, end: number): Value {
    try {
      return JSON.parse(textAt(this.bytes, start, end)) as Value;
    } catch (cause) {
      throw new DecodeError(this.#format, "expected a value", { offset: start, cause });
    }
  }

  #stringEnd(): number {
    const { bytes } = this;
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
    this.isPlain = isPlain && end < bytes.length;
    return end + 1;
  }

  #wordEnd(): number {
    let end = this.at;
    for (; end < this.bytes.length; end++) {
      const byte = this.bytes[end]!;
      if (byte === COMMA || byte === CLOSE || byte === CLOSE_LIST || isSpace(byte)) break;
    }
    return end;
  }

  /** Passes a value of any kind, of which nothing is said, up to its last bracket. */
  skip(): void {
    const { length } = this.bytes;
    let open = 0;
    do {
      const byte = this.bytes[this.at];
      let end = this.at + 1;
      if (byte === OPEN || byte === OPEN_LIST) open++;
      else if (byte === CLOSE || byte === CLOSE_LIST) open--;
      else if (byte === QUOTE) end = this.#stringEnd();
      else if (open === 0) end = this.#wordEnd();
      if (open < 0 || end === this.at || end > length) this.fail("expected a value", Math.min(end, length));
      this.at = end;
    } while (open > 0);
  }

  /** Passes what begins a list or an object. */
  begin(kind: "array" | "object", place: Place, role: RegionRole = "tag"): void {
    if (this.bytes[this.at] !== (kind === "array" ? OPEN_LIST : OPEN)) this.fail(`expected an ${kind}`);
    this.mark(role, place, kind);
  }

  /**
   * Whether a list or an object goes on with an item. Passes what stands before that, or what ends the list or object.
   * @param item of a comma, the place of the item behind it
   */
  goesOn(
    kind: "array" | "object",
    index: number,
    place: Place,
    role: RegionRole = "terminator",
    item = place,
  ): boolean {
    this.space(place);
    if (this.bytes[this.at] === (kind === "array" ? CLOSE_LIST : CLOSE)) {
      this.mark(role, place, kind === "array" ? "end of array" : "end of object");
      return false;
    }
    if (index > 0) this.expect(COMMA!, role, item, "comma");
    this.space(item);
    return true;
  }

  expect(byte: number, role: RegionRole, place: Place, type: string): void {
    if (this.bytes[this.at] !== byte) this.fail(`expected a ${type}`);
    this.mark(role, place, type);
  }

  /** Passes a byte. */
  mark(role: RegionRole, place: Place, type: string): void {
    this.list.add(role, this.at, this.at + 1, place, type);
    this.at += 1;
  }

  /** Throws where values are nested too deeply to go on. */
  enter(depth: number): void {
    if (depth > MAX_DEPTH) this.fail(`nested deeper than ${MAX_DEPTH} levels`, this.at, "limit");
  }

  expectEnd(place: Place): void {
    this.space(place);
    if (this.at < this.bytes.length) this.fail("text after the end");
  }

  fail(problem: string, offset = this.at, code?: "unsupported" | "limit"): never {
    throw new DecodeError(this.#format, problem, {
      offset,
      code: code ?? (offset >= this.bytes.length ? "truncated" : "corrupt"),
    });
  }
}
