/** JSON values that follow each other in a file, a line each or not: `go list -json` and `jq .` print them over several lines. */
import { defined } from "../model/defined.ts";
import { expectReadable } from "./file-chunks.ts";
import type { FileRecord } from "./file-record.ts";
import { type Beginning, beginningOf } from "./looks-like.ts";

const TAB = 0x09;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const STAR = 0x2a;
const SLASH = 0x2f;
const LIST = 0x5b;
const BACKSLASH = 0x5c;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

const MARK = Buffer.from("\uFEFF");

/**
 * Whether a file is one value (or no JSON at all), values that have a line each, or values that follow each other otherwise. Reads
 * no further than it takes: to the end of one value, or to {@link LOOKED_INTO} where that goes over several lines.
 * @param start what was read
 */
export async function arrangementOf(
  chunks: AsyncGenerator<Buffer>,
  start: Buffer[],
): Promise<"one" | "lines" | "values"> {
  const end = new ValueEnd();
  let isBegun = false;
  let size = 0;
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    const part = next.value;
    start.push(part);
    let from = 0;
    if (!isBegun) {
      from = afterBlank(part, start.length === 1 ? afterMark(part) : 0);
      if (from === part.length) continue;
      if (!isBracket(part[from])) return "one";
      isBegun = true;
    }
    // The end of a long line is that of its value.
    const at = size > LOOKED_INTO ? lineEnd(part, from) : end.in(part, from);
    if (at === undefined) {
      const before = size;
      size += part.length;
      if (before <= LOOKED_INTO && size > LOOKED_INTO && start.some(isSplit)) return "one";
      continue;
    }
    const first = [...start.slice(0, -1), part.subarray(0, at)];
    const arrangement = await followingOf(!first.some(isSplit), part.subarray(at), chunks, start);
    return arrangement === "one" || isJson(first) ? arrangement : "one";
  }
  return "one";
}

/** Bytes of the first value that are looked at, and as many behind it. */
const LOOKED_INTO = 1 << 20;

/** How values go on behind the first, of which `isOneLine` says whether it is on one. @param rest what was read behind it */
async function followingOf(
  isOneLine: boolean,
  rest: Buffer,
  chunks: AsyncGenerator<Buffer>,
  start: Buffer[],
): Promise<"one" | "lines" | "values"> {
  let seen = rest;
  while (seen.length <= LOOKED_INTO) {
    const known = followers(isOneLine, seen.toString("latin1"), false);
    if (known !== undefined) return known;
    const more = await chunks.next();
    if (more.done === true) break;
    start.push(more.value);
    seen = Buffer.concat([seen, more.value]);
  }
  return followers(isOneLine, seen.toString("latin1"), true) ?? "one";
}

/**
 * How values go on behind the first: undefined where more has to be read. A second line that leaves its value open is one that is
 * cut where a new value begins on the third, else its value goes over several lines.
 */
function followers(isOneLine: boolean, rest: string, isEnd: boolean): "one" | "lines" | "values" | undefined {
  const second = rest.search(NO_BLANK);
  if (second < 0) return isEnd ? "one" : undefined;
  if (!isOneLine || !rest.slice(0, second).includes("\n"))
    return isBracket(rest.charCodeAt(second)) ? "values" : "one";
  // Values that have nothing in them are a line in either arrangement.
  const [empty] = /^(?:(?:\{\}|\[\])\s*\n\s*)*/.exec(rest.slice(second))!;
  const line = second + empty.length;
  const lineEnd = rest.indexOf("\n", line);
  const third = lineEnd < 0 ? -1 : rest.slice(lineEnd).search(NO_BLANK);
  if (third < 0) return isEnd ? "lines" : undefined;
  const text = Buffer.from(rest.slice(line, lineEnd), "latin1");
  const isOpen = isBracket(text[0]) && new ValueEnd().in(text, 0) === undefined;
  return isOpen && !isBracket(rest.charCodeAt(lineEnd + third)) ? "values" : "lines";
}

const NO_BLANK = /[^ \t\r\n]/;

/** Whether a value that begins in a part goes on in another line; blank lines before it do not count. */
function isSplit(part: Buffer, index: number): boolean {
  return part.includes(NEWLINE, index === 0 ? afterBlank(part, afterMark(part)) : 0);
}

function isJson(parts: readonly Buffer[]): boolean {
  try {
    JSON.parse(
      Buffer.concat(parts)
        .toString()
        .replace(/^\uFEFF/, ""),
    );
    return true;
  } catch {
    return false;
  }
}

/**
 * The values of a file that follow each other, each with the line and column that it begins at. What stands between them and is
 * no object or list is one up to the end of its line, for whoever reads it to refuse.
 */
export async function* jsonValues(file: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<FileRecord> {
  const end = new ValueEnd();
  let place = { line: 1, column: 1 };
  let start: Beginning | undefined;
  let isFirst = true;
  let open: Buffer[] = [];
  let length = 0;
  const record = (bytes: Buffer): FileRecord => {
    const { line, column } = place;
    const begins = isFirst ? start : undefined;
    isFirst = false;
    place = placeAfter(place, bytes);
    const name = column === 1 ? `${file}:${line}` : `${file}:${line}:${column}`;
    return { ...{ name, file, line, column, bytes }, ...defined({ start: begins }) };
  };
  for await (const chunk of chunks) {
    let at = start === undefined ? afterMark(chunk) : 0;
    start ??= beginningOf(chunk);
    while (at < chunk.length) {
      if (open.length === 0) {
        const from = afterBlank(chunk, at);
        place = placeAfter(place, chunk.subarray(at, from));
        at = from;
        if (at === chunk.length) break;
      }
      const isValue = isBracket((open[0] ?? chunk.subarray(at))[0]);
      const last = isValue ? end.in(chunk, at) : lineEnd(chunk, at);
      const part = chunk.subarray(at, last);
      if (last === undefined) {
        open.push(part);
        length += part.length;
        expectReadable(file, length);
        break;
      }
      const bytes = open.length === 0 ? part : Buffer.concat([...open, part]);
      open = [];
      length = 0;
      at = last;
      yield record(bytes);
    }
  }
  if (open.length > 0) yield record(Buffer.concat(open));
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/** The place behind some bytes, the column in UTF-16 units. */
function placeAfter({ line, column }: Place, bytes: Buffer): Place {
  let lines = 0;
  let begin = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, begin)) {
    lines += 1;
    begin = at + 1;
  }
  return { line: line + lines, column: (lines === 0 ? column : 1) + bytes.toString("utf8", begin).length };
}

function lineEnd(bytes: Buffer, from: number): number | undefined {
  const at = bytes.indexOf(NEWLINE, from);
  return at < 0 ? undefined : at;
}

function afterMark(bytes: Buffer): number {
  return bytes.indexOf(MARK) === 0 ? MARK.length : 0;
}

function afterBlank(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && isBlank(bytes[at]!)) at += 1;
  return at;
}

/** Whether a byte is white space of JSON. */
export function isBlank(byte: number): boolean {
  return byte === SPACE || byte === NEWLINE || byte === TAB || byte === CARRIAGE_RETURN;
}

function isBracket(byte: number | undefined): boolean {
  return byte === OBJECT || byte === LIST;
}

/** What the next byte of a value is part of. */
type Within = "value" | "text" | "escape" | "slash" | "line comment" | "block comment" | "star";

/** Finds where a value ends that is an object or a list, by brackets alone, in parts of any length. Comments have none. */
class ValueEnd {
  #depth = 0;
  #within: Within = "value";

  /** The offset behind the value's end, undefined where it goes on. @param from where the value begins or goes on */
  in(bytes: Uint8Array, from: number): number | undefined {
    let depth = this.#depth;
    let within = this.#within;
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at]!;
      switch (within) {
        case "text":
          if (byte === QUOTE) within = "value";
          else if (byte === BACKSLASH) within = "escape";
          break;
        case "escape":
          within = "text";
          break;
        case "line comment":
          if (byte === NEWLINE) within = "value";
          break;
        case "block comment":
          if (byte === STAR) within = "star";
          break;
        case "star":
          if (byte !== STAR) within = byte === SLASH ? "value" : "block comment";
          break;
        default:
          if (within === "slash") within = commentOf(byte);
          if (within !== "value") break;
          if (byte === QUOTE) within = "text";
          else if (byte === SLASH) within = "slash";
          else if (byte === OBJECT || byte === LIST) depth += 1;
          else if (byte === OBJECT_END || byte === LIST_END) {
            depth -= 1;
            if (depth > 0) break;
            this.#depth = 0;
            this.#within = "value";
            return at + 1;
          }
      }
    }
    this.#depth = depth;
    this.#within = within;
    return undefined;
  }
}

/** What begins with a slash and a byte. */
function commentOf(byte: number): Within {
  if (byte === SLASH) return "line comment";
  return byte === STAR ? "block comment" : "value";
}
