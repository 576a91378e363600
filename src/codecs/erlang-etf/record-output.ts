import { writeBytes } from "../../formats/bytes/copy.ts";
import * as tags from "../../formats/erlang-etf/tags.ts";
import { writeNumber } from "../../formats/erlang-etf/write-leaf.ts";
import type { TermWriter } from "../../formats/erlang-etf/writer.ts";

/** Writes a term that is at hand as bytes. */
export function raw({ out }: TermWriter, term: Uint8Array): void {
  out.reserve(term.length);
  writeBytes(out.bytes, out.at, term);
  out.at += term.length;
}

/** Writes bytes as a binary. */
export function binary(writer: TermWriter, bytes: Uint8Array): void {
  writer.head(tags.BINARY, bytes.length);
  raw(writer, bytes);
}

/** Writes text as a list of its code points, which is a list of bytes where all are below 256. */
export function codePoints(writer: TermWriter, text: string): void {
  const { length } = text;
  if (length === 0) writer.byte(tags.NIL);
  else if (length > tags.MAX_STRING || !latin1(writer, text)) integers(writer, text);
}

function latin1({ out }: TermWriter, text: string): boolean {
  const { length } = text;
  out.reserve(3 + length);
  const { at, bytes, view } = out;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0xff) return false;
    bytes[at + 3 + i] = code;
  }
  bytes[at] = tags.STRING;
  view.setUint16(at + 1, length);
  out.at = at + 3 + length;
  return true;
}

function integers(writer: TermWriter, text: string): void {
  const { out } = writer;
  const start = out.at + 1;
  writer.head(tags.LIST, 0);
  let count = 0;
  for (const character of text) {
    const point = character.codePointAt(0)!;
    if (point >= 0xd800 && point < 0xe000) writer.refuse("a lone surrogate is no character");
    writeNumber(writer, point);
    count += 1;
  }
  out.view.setUint32(start, count);
  writer.byte(tags.NIL);
}
