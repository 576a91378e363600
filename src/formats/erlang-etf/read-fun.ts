import { copyBytes } from "../bytes/copy.ts";
import { expectAtom } from "./read-atom.ts";
import { expectPid } from "./read-identifier.ts";
import type { TermReader } from "./reader.ts";
import * as tags from "./tags.ts";
import { Export, Fun, OldFun } from "./terms.ts";

/** Bytes of a module's MD5. */
const UNIQ = 16;

/** A fun by its name. */
export function readExport(input: TermReader): Export {
  refuseFun(input);
  const module = expectAtom(input);
  const name = expectAtom(input);
  return new Export(module, name, expectByte(input));
}

/** A fun with its environment, whose size comes first. */
export function readFun(input: TermReader, depth: number): Fun {
  refuseFun(input);
  const start = input.at;
  const size = input.uint32();
  const arity = input.uint8();
  input.need(UNIQ);
  const uniq = copyBytes(input.bytes, input.at, input.at + UNIQ);
  input.at += UNIQ;
  const index = input.uint32();
  const count = input.uint32();
  const module = expectAtom(input);
  const oldIndex = expectInteger(input);
  const oldUniq = expectInteger(input);
  const pid = expectPid(input);
  const free = readFree(input, count, depth);
  if (input.at - start !== size) {
    input.fail(`a fun of ${size} bytes that takes ${input.at - start}`, { at: start });
  }
  return new Fun({ module, arity, uniq, index, oldIndex, oldUniq, pid, free });
}

/** A fun in the old form. */
export function readOldFun(input: TermReader, depth: number): OldFun {
  refuseFun(input);
  const count = input.uint32();
  const pid = expectPid(input);
  const module = expectAtom(input);
  const index = expectInteger(input);
  const uniq = expectInteger(input);
  return new OldFun({ module, index, uniq, pid, free: readFree(input, count, depth) });
}

function refuseFun(input: TermReader): void {
  if (input.rules.funs === "inert") return;
  input.fail('a fun, expected data; the option funs: "inert" takes them as inert values', {
    at: input.at - 1,
    code: "unsupported",
  });
}

function readFree(input: TermReader, count: number, depth: number): unknown[] {
  input.enter(count, depth);
  const free: unknown[] = [];
  for (let i = 0; i < count; i++) free.push(input.term(depth));
  return free;
}

function expectByte(input: TermReader): number {
  const tag = input.uint8();
  if (tag !== tags.SMALL_INTEGER) input.fail(`expected a small integer, got a term with the tag ${tag}`);
  return input.uint8();
}

function expectInteger(input: TermReader): number {
  const tag = input.uint8();
  if (tag === tags.SMALL_INTEGER) return input.uint8();
  if (tag === tags.INTEGER) return input.int32();
  return input.fail(`expected an integer of 32 bits, got a term with the tag ${tag}`);
}
