import { expectAtom } from "./read-atom.ts";
import type { TermReader } from "./reader.ts";
import * as tags from "./tags.ts";
import { Pid, Port, Reference } from "./terms.ts";

/** A pid whose tag was read. */
export function readPid(input: TermReader, tag: number): Pid {
  const node = expectAtom(input);
  const id = input.uint32();
  const serial = input.uint32();
  return new Pid(node, id, serial, creation(input, tag === tags.PID));
}

/** Reads a term that must be a pid. */
export function expectPid(input: TermReader): Pid {
  const at = input.at;
  const tag = input.uint8();
  if (tag === tags.PID || tag === tags.NEW_PID) return readPid(input, tag);
  return input.fail(`expected a pid, got a term with the tag ${tag}`, { at });
}

/** A port whose tag was read. */
export function readPort(input: TermReader, tag: number): Port {
  const node = expectAtom(input);
  const high = tag === tags.V4_PORT ? input.uint32() : 0;
  const low = input.uint32();
  const id = high < 2 ** 21 ? high * 2 ** 32 + low : (BigInt(high) << 32n) | BigInt(low);
  return new Port(node, id, creation(input, tag === tags.PORT));
}

/** First word of a reference in the old forms: 18 bits. */
const MAX_OLD_WORD = 2 ** 18 - 1;

/** A reference whose tag was read. */
export function readReference(input: TermReader, tag: number): Reference {
  const start = input.at;
  const count = tag === tags.REFERENCE ? 1 : input.uint16();
  if (count === 0 || count > tags.MAX_REFERENCE_WORDS) {
    input.fail(`expected 1 to ${tags.MAX_REFERENCE_WORDS} words, got ${count}`, { at: start });
  }
  const node = expectAtom(input);
  const words: number[] = [];
  if (tag === tags.REFERENCE) words.push(input.uint32());
  const made = creation(input, tag !== tags.NEWER_REFERENCE);
  while (words.length < count) words.push(input.uint32());
  if (tag !== tags.NEWER_REFERENCE && words[0]! > MAX_OLD_WORD) {
    input.fail(`expected a first word of 18 bits, got ${words[0]}`, { at: start });
  }
  return new Reference(node, made, words);
}

/** What tells apart nodes of one name: two bits in the old forms, 32 in the new. */
function creation(input: TermReader, old: boolean): number {
  const value = old ? input.uint8() : input.uint32();
  return old && value > 3 ? input.fail(`expected a creation of two bits, got ${value}`) : value;
}
