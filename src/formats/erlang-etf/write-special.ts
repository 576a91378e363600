import { show } from "../../model/value.ts";
import { writeBytes } from "../bytes/copy.ts";
import * as tags from "./tags.ts";
import {
  Atom,
  BitBinary,
  Export,
  Float,
  Fun,
  ImproperList,
  OldFun,
  Pid,
  Port,
  Reference,
  Tuple,
} from "./terms.ts";
import { writeAtom } from "./write-atom.ts";
import {
  writeExport,
  writeFun,
  writeOldFun,
  writePid,
  writePort,
  writeReference,
} from "./write-identifier.ts";
import { writeMap } from "./write-map.ts";
import { writeFloat } from "./write-number.ts";
import type { TermWriter } from "./writer.ts";

/** Writes a term that is an object of a class. @param depth of the object, from 1 */
export function writeSpecial(writer: TermWriter, value: object, depth: number): void {
  if (value instanceof Uint8Array) writeBinary(writer, value);
  else if (value instanceof Atom) writeAtom(writer, value.name);
  else if (value instanceof Tuple) writeTuple(writer, value, depth);
  else if (value instanceof Map) writeMap(writer, value, depth);
  else if (value instanceof Float) writeFloat(writer, value.value);
  else if (value instanceof ImproperList) writeImproper(writer, value, depth);
  else if (value instanceof BitBinary) writeBits(writer, value);
  else if (value instanceof Pid) writePid(writer, value);
  else if (value instanceof Port) writePort(writer, value);
  else if (value instanceof Reference) writeReference(writer, value);
  else if (value instanceof Export) writeExport(writer, value);
  else if (value instanceof Fun) writeFun(writer, value, depth);
  else if (value instanceof OldFun) writeOldFun(writer, value, depth);
  else writer.refuse(`expected plain data or a term, got ${show(value)}`);
}

function writeBinary(writer: TermWriter, value: Uint8Array): void {
  const { out } = writer;
  if (value.length === 0) expectAttached(writer, value);
  if (value.length > writer.rules.maxBytes) writer.refuse(`more than ${writer.rules.maxBytes} bytes`);
  writer.head(tags.BINARY, value.length);
  out.reserve(value.length);
  writeBytes(out.bytes, out.at, value);
  out.at += value.length;
}

/** Refuses bytes whose buffer was transferred: they have no length, which is not to say that they were none. */
function expectAttached(writer: TermWriter, bytes: Uint8Array): void {
  try {
    // Throws where there is no buffer; `detached` of ArrayBuffer came after Node 20.
    Uint8Array.prototype.values.call(bytes);
  } catch {
    writer.refuse("expected bytes, got a Uint8Array whose buffer is detached");
  }
}

function writeTuple(writer: TermWriter, { elements }: Tuple, depth: number): void {
  writer.enter(depth);
  if (!Array.isArray(elements)) writer.refuse(`expected the elements of a tuple, got ${show(elements)}`);
  writer.elements(elements.length <= 255 ? tags.SMALL_TUPLE : tags.LARGE_TUPLE, elements, depth);
}

function writeImproper(writer: TermWriter, { elements, tail }: ImproperList, depth: number): void {
  writer.enter(depth);
  if (!Array.isArray(elements) || elements.length === 0) {
    writer.refuse(`expected the elements of an improper list, got ${show(elements)}`);
  }
  if (Array.isArray(tail) || tail instanceof ImproperList) {
    writer.refuse("expected another tail of an improper list, got a list");
  }
  writer.elements(tags.LIST, elements, depth);
  try {
    writer.term(tail, depth);
  } catch (error) {
    writer.below("tail");
    throw error;
  }
}

function writeBits(writer: TermWriter, { bytes, bits }: BitBinary): void {
  const { out } = writer;
  const isWhole = Number.isInteger(bits) && bits >= 1 && bits <= 7;
  if (!isWhole || !(bytes instanceof Uint8Array) || bytes.length === 0) {
    writer.refuse(`expected 1 to 7 bits of a last byte, got ${show(bits)} of ${show(bytes)}`);
  }
  writer.head(tags.BIT_BINARY, bytes.length);
  writer.byte(bits);
  out.reserve(bytes.length);
  writeBytes(out.bytes, out.at, bytes);
  out.at += bytes.length;
  out.bytes[out.at - 1]! &= 0xff << (8 - bits);
}
