import { readShortText, readUtf8, SHORT_TEXT } from "../bytes/utf8.ts";
import type { TermReader } from "./reader.ts";
import * as tags from "./tags.ts";

/** Bytes of memory for a byte of text, which may be two units. */
const MOST_PER_BYTE = 2;

/** The name of an atom whose tag was read, in any of the four forms. */
export function readAtom(input: TermReader, tag: number): string {
  const long = tag === tags.ATOM || tag === tags.ATOM_UTF8;
  const length = long ? input.uint16() : input.uint8();
  input.need(length);
  const { at, bytes } = input;
  const end = at + length;
  input.at = end;
  const short = length <= SHORT_TEXT ? readShortText(bytes, at, length) : undefined;
  if (short !== undefined) return short;
  input.spend(MOST_PER_BYTE * length);
  const isLatin = tag === tags.ATOM || tag === tags.SMALL_ATOM;
  const name = isLatin
    ? Buffer.from(bytes.subarray(at, end)).toString("latin1")
    : (readUtf8(bytes, at, end) ?? input.fail("the name of an atom is not UTF-8", { at }));
  if (length > tags.MAX_ATOM_CHARACTERS && charactersOf(name) > tags.MAX_ATOM_CHARACTERS) {
    input.fail(`an atom of more than ${tags.MAX_ATOM_CHARACTERS} characters`, { at, code: "limit" });
  }
  return name;
}

/** Reads a term that must be an atom, such as a node's name. */
export function expectAtom(input: TermReader): string {
  const at = input.at;
  const tag = input.uint8();
  switch (tag) {
    case tags.ATOM:
    case tags.SMALL_ATOM:
    case tags.ATOM_UTF8:
    case tags.SMALL_ATOM_UTF8:
      return readAtom(input, tag);
    default:
      return input.fail(`expected an atom, got a term with the tag ${tag}`, { at });
  }
}

/** Code points of a text. */
export function charactersOf(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
