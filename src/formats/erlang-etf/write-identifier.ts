import { show } from "../../model/value.ts";
import * as tags from "./tags.ts";
import { type Export, type Fun, type OldFun, Pid, type Port, type Reference } from "./terms.ts";
import { writeAtom } from "./write-atom.ts";
import { writeNumber } from "./write-number.ts";
import type { TermWriter } from "./writer.ts";

/** Writes a pid. */
export function writePid(writer: TermWriter, { node, id, serial, creation }: Pid): void {
  writer.byte(tags.NEW_PID);
  writeAtom(writer, node);
  for (const word of [id, serial, creation]) write32(writer, word);
}

/** Writes a port: with 64 bits where it needs them. */
export function writePort(writer: TermWriter, { node, id, creation }: Port): void {
  const isSafe = Number.isSafeInteger(id) || typeof id === "bigint";
  if (!isSafe || id < 0 || id >= 2 ** 64) writer.refuse(`expected the id of a port, got ${show(id)}`);
  const isLong = id > tags.MAX_NEW_PORT;
  writer.byte(isLong ? tags.V4_PORT : tags.NEW_PORT);
  writeAtom(writer, node);
  if (isLong) write32(writer, Number(BigInt(id) >> 32n));
  write32(writer, Number(BigInt(id) & 0xffffffffn));
  write32(writer, creation);
}

/** Writes a reference. */
export function writeReference(writer: TermWriter, { node, creation, words }: Reference): void {
  if (!Array.isArray(words) || words.length === 0 || words.length > tags.MAX_REFERENCE_WORDS) {
    writer.refuse(`expected 1 to ${tags.MAX_REFERENCE_WORDS} words of a reference, got ${show(words)}`);
  }
  writer.byte(tags.NEWER_REFERENCE);
  writer.byte(0);
  writer.byte(words.length);
  writeAtom(writer, node);
  write32(writer, creation);
  for (const word of words) write32(writer, word);
}

/** Writes a fun by its name. */
export function writeExport(writer: TermWriter, term: Export): void {
  writer.byte(tags.EXPORT);
  writeAtom(writer, term.module);
  writeAtom(writer, term.function);
  writer.byte(tags.SMALL_INTEGER);
  writeByte(writer, term.arity);
}

/** Writes a fun with its environment, and its size before it. */
export function writeFun(writer: TermWriter, fun: Fun, depth: number): void {
  const { out } = writer;
  writer.enter(depth);
  const start = out.at + 1;
  writer.head(tags.NEW_FUN, 0);
  writeByte(writer, fun.arity);
  if (!(fun.uniq instanceof Uint8Array) || fun.uniq.length !== 16) {
    writer.refuse(`expected 16 bytes of a module's MD5, got ${show(fun.uniq)}`);
  }
  for (const byte of fun.uniq) writer.byte(byte);
  write32(writer, fun.index);
  expectFree(writer, fun.free);
  write32(writer, fun.free.length);
  writeAtom(writer, fun.module);
  writeSigned(writer, fun.oldIndex);
  writeSigned(writer, fun.oldUniq);
  expectPid(writer, fun.pid);
  writeFree(writer, fun.free, depth);
  out.view.setUint32(start, out.at - start);
}

/** Writes a fun in the old form. */
export function writeOldFun(writer: TermWriter, fun: OldFun, depth: number): void {
  writer.enter(depth);
  expectFree(writer, fun.free);
  writer.head(tags.FUN, fun.free.length);
  expectPid(writer, fun.pid);
  writeAtom(writer, fun.module);
  writeSigned(writer, fun.index);
  writeSigned(writer, fun.uniq);
  writeFree(writer, fun.free, depth);
}

function expectFree(writer: TermWriter, free: unknown): void {
  if (!Array.isArray(free)) writer.refuse(`expected the free variables of a fun, got ${show(free)}`);
}

function expectPid(writer: TermWriter, pid: unknown): void {
  if (!(pid instanceof Pid)) writer.refuse(`expected the pid of a fun, got ${show(pid)}`);
  writePid(writer, pid);
}

function writeFree(writer: TermWriter, free: readonly unknown[], depth: number): void {
  let i = 0;
  try {
    for (; i < free.length; i++) writer.term(free[i], depth);
  } catch (error) {
    writer.below(i);
    throw error;
  }
}

function writeByte(writer: TermWriter, value: number): void {
  if ((value & 0xff) !== value) writer.refuse(`expected an arity of 0 to 255, got ${show(value)}`);
  writer.byte(value);
}

function write32(writer: TermWriter, value: number): void {
  if (value >>> 0 !== value) writer.refuse(`expected 32 bits without a sign, got ${show(value)}`);
  const { out } = writer;
  out.reserve(4);
  out.view.setUint32(out.at, value);
  out.at += 4;
}

function writeSigned(writer: TermWriter, value: number): void {
  if ((value | 0) !== value) writer.refuse(`expected an integer of 32 bits, got ${show(value)}`);
  writeNumber(writer, value);
}
