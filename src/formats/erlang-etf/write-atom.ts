import { show } from "../../model/value.ts";
import { writeBytes } from "../bytes/copy.ts";
import { charactersOf } from "./read-atom.ts";
import * as tags from "./tags.ts";
import type { TermWriter } from "./writer.ts";

const LATIN1 = /^[\0-\xff]*$/;

/** Writes an atom: as Latin-1 where that is possible, until minor version 2. */
export function writeAtom(writer: TermWriter, name: string): void {
  const { out } = writer;
  if (typeof name !== "string" || !name.isWellFormed()) {
    writer.refuse(`expected the name of an atom, got ${show(name)}`);
  }
  if (name.length > tags.MAX_ATOM_CHARACTERS && charactersOf(name) > tags.MAX_ATOM_CHARACTERS) {
    writer.refuse(`an atom of more than ${tags.MAX_ATOM_CHARACTERS} characters`);
  }
  const latin = writer.rules.minorVersion < 2 && LATIN1.test(name);
  const bytes = Buffer.from(name, latin ? "latin1" : "utf8");
  if (latin || bytes.length > 255) {
    writer.byte(latin ? tags.ATOM : tags.ATOM_UTF8);
    writer.byte(bytes.length >> 8);
  } else writer.byte(tags.SMALL_ATOM_UTF8);
  writer.byte(bytes.length & 0xff);
  out.reserve(bytes.length);
  writeBytes(out.bytes, out.at, bytes);
  out.at += bytes.length;
}
