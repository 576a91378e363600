import { TextInput } from "../../formats/bytes/text-input.ts";
import { inBytes } from "../../model/in-bytes.ts";

/** Types of values, the upper four bits of the first byte (Ion 1.0, "Typed Value Formats"). */
const TYPE = {
  ...{ null: 0, bool: 1, int: 2, negative: 3, float: 4, string: 8 },
  ...{ list: 11, sexp: 12, struct: 13, annotation: 14, reserved: 15 },
};

/** The lower four bits: the length, or one of these. */
const LENGTH = { ordered: 1, follows: 14, null: 15 };

/** The annotation that makes a symbol table of a struct, `$ion_symbol_table` (Ion 1.0, "Symbols"). */
const SYMBOL_TABLE = 3;

/** Most symbol tables: the library takes in all names anew for each that adds to those before it. */
const MAX_TABLES = 8;

/** Most bytes of an integer: the library takes time by their square. */
const MAX_INTEGER_BYTES = 1024;

const VERSION_MARKER = [0xe0, 0x01, 0x00, 0xea];

/**
 * Throws DecodeError unless bytes are binary Ion, every value ends within what it is in, and a container's last where that ends,
 * and text is UTF-8. The library takes other bytes for Ion's text, a list that says to be longer for one with nulls, padding for
 * a null, and overlong UTF-8 (ion-js 5.2.1). Refused is what takes it longer than the bytes explain: many symbol tables, long
 * integers, and imports of shared tables, of which it has none.
 * @param depth most levels of containers and annotations in each other
 */
export function verifyExtent(bytes: Uint8Array, depth: number): void {
  const input = new TextInput("ion", bytes);
  let tables = 0;
  let inTable = false;
  if (!isMarked()) input.fail("expected the marker of binary Ion 1.0");
  while (input.at < bytes.length) {
    if (isMarked()) input.at += VERSION_MARKER.length;
    else value(bytes.length, depth);
  }

  function isMarked(): boolean {
    return VERSION_MARKER.every((byte, i) => bytes[input.at + i] === byte);
  }

  function value(end: number, left: number): void {
    const { at } = input;
    if (left === 0) input.fail(`nested deeper than ${depth} levels`, { at, code: "limit" });
    const first = byte(end);
    const [type, length] = [first >> 4, first & 15];
    if (type === TYPE.reserved) input.fail("a type that is reserved", { at });
    if (length === LENGTH.null && type !== TYPE.annotation) return;
    if (type === TYPE.null) input.fail("padding", { at, code: "unsupported" });
    if (type === TYPE.bool) {
      if (length > 1) input.fail("expected a boolean of 0 or 1", { at });
      return;
    }
    if (type === TYPE.float && ![0, 4, 8].includes(length))
      input.fail(`a float of ${inBytes(length)}`, { at });
    const isCounted = length === LENGTH.follows || (type === TYPE.struct && length === LENGTH.ordered);
    const size = isCounted ? count(end) : length;
    const stop = input.at + size;
    if (stop > end)
      input.fail(`${inBytes(size)}, of which ${end - input.at} are there`, { at, code: "truncated" });
    if ((type === TYPE.int || type === TYPE.negative) && size > MAX_INTEGER_BYTES)
      input.fail(`an integer of ${inBytes(size)}, expected at most ${MAX_INTEGER_BYTES}`, {
        at,
        code: "limit",
      });
    // Of a symbol table only the struct itself is one, but for those that stand for shared tables.
    if (inTable && type === TYPE.struct && left < depth - 1)
      input.fail("an import of a shared symbol table", { at, code: "unsupported" });
    if (type === TYPE.annotation) annotated(stop, left);
    else if (type === TYPE.struct) while (input.at < stop) field(stop, left);
    else if (type === TYPE.list || type === TYPE.sexp) while (input.at < stop) value(stop, left - 1);
    else if (type === TYPE.string) input.skipText(size);
    else input.at = stop;
  }

  function field(end: number, left: number): void {
    count(end);
    value(end, left - 1);
  }

  function annotated(end: number, left: number): void {
    const { at } = input;
    const names = count(end);
    const start = input.at + names;
    if (names === 0 || start >= end) input.fail("an annotation of nothing", { at });
    if (left === depth && count(start) === SYMBOL_TABLE) {
      tables += 1;
      if (tables > MAX_TABLES) input.fail(`more than ${MAX_TABLES} symbol tables`, { at, code: "limit" });
      inTable = true;
    }
    input.at = start;
    value(end, left - 1);
    inTable = false;
    if (input.at !== end) input.fail("an annotated value that ends too early", { at });
  }

  /** A number of seven bits a byte, the last of which is marked. */
  function count(end: number): number {
    const { at } = input;
    for (let number = 0; number < 2 ** 24; ) {
      const next = byte(end);
      number = number * 128 + (next & 127);
      if (next >= 128) return number;
    }
    return input.fail("a number of more than four bytes", { at });
  }

  function byte(end: number): number {
    if (input.at >= end) input.fail("expected another byte", { at: input.at, code: "truncated" });
    return input.bytes[input.at++]!;
  }
}
