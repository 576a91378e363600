import * as tags from "./tags.ts";
import {
  type Atom,
  BitBinary,
  type Export,
  type Float,
  type Pid,
  type Port,
  type Reference,
} from "./terms.ts";

/** Where each kind of term is in the order of all. */
export const [INTEGER, FLOAT, ATOM, REFERENCE, FUN, EXPORT, PORT, PID, TUPLE, MAP, NIL, LIST, BITS] =
  Array.from({ length: 13 }, (_, rank) => rank) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];

/** Ranks of the tags that are written. */
const RANKS: ReadonlyMap<number, number> = new Map([
  ...[tags.SMALL_INTEGER, tags.INTEGER, tags.SMALL_BIG, tags.LARGE_BIG].map((tag) => [tag, INTEGER] as const),
  ...[tags.FLOAT, tags.NEW_FLOAT].map((tag) => [tag, FLOAT] as const),
  ...[tags.ATOM, tags.ATOM_UTF8, tags.SMALL_ATOM_UTF8].map((tag) => [tag, ATOM] as const),
  [tags.NEWER_REFERENCE, REFERENCE],
  ...[tags.NEW_FUN, tags.FUN].map((tag) => [tag, FUN] as const),
  [tags.EXPORT, EXPORT],
  ...[tags.NEW_PORT, tags.V4_PORT].map((tag) => [tag, PORT] as const),
  [tags.NEW_PID, PID],
  ...[tags.SMALL_TUPLE, tags.LARGE_TUPLE].map((tag) => [tag, TUPLE] as const),
  [tags.MAP, MAP],
  [tags.NIL, NIL],
  ...[tags.STRING, tags.LIST].map((tag) => [tag, LIST] as const),
  ...[tags.BINARY, tags.BIT_BINARY].map((tag) => [tag, BITS] as const),
]);

/** Rank of the kind of term that a tag starts. */
export function rankOf(tag: number): number {
  return RANKS.get(tag)!;
}

/** Compares two terms of one rank that hold no others: below 0, 0 or above. */
export function compareLeaves(rank: number, a: unknown, b: unknown): number {
  switch (rank) {
    case INTEGER:
      return compareNumbers(a as number | bigint, b as number | bigint);
    case FLOAT:
      return compareNumbers((a as Float).value, (b as Float).value);
    case ATOM:
      return compareNames((a as Atom).name, (b as Atom).name);
    case REFERENCE:
      return compareReferences(a as Reference, b as Reference);
    case PORT:
      return comparePorts(a as Port, b as Port);
    case PID:
      return comparePids(a as Pid, b as Pid);
    case EXPORT:
      return compareExports(a as Export, b as Export);
    case BITS:
      return compareBits(a as Uint8Array | BitBinary, b as Uint8Array | BitBinary);
    default:
      return 0;
  }
}

/** Compares numbers of one kind, exactly. */
export function compareNumbers(a: number | bigint, b: number | bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compares the names of atoms by their UTF-8. */
export function compareNames(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function compareExports(a: Export, b: Export): number {
  return compareNames(a.module, b.module) || compareNames(a.function, b.function) || a.arity - b.arity;
}

function compareNodes(a: { node: string; creation: number }, b: { node: string; creation: number }): number {
  return compareNames(a.node, b.node) || a.creation - b.creation;
}

function comparePids(a: Pid, b: Pid): number {
  return a.serial - b.serial || a.id - b.id || compareNodes(a, b);
}

function comparePorts(a: Port, b: Port): number {
  return compareNodes(a, b) || compareNumbers(a.id, b.id);
}

/** The last word counts most. */
function compareReferences(a: Reference, b: Reference): number {
  const byNode = compareNodes(a, b);
  if (byNode !== 0) return byNode;
  const length = Math.max(a.words.length, b.words.length);
  for (let i = length - 1; i >= 0; i--) {
    const difference = (a.words[i] ?? 0) - (b.words[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Bit by bit, and of two that start alike, the shorter first. */
function compareBits(a: Uint8Array | BitBinary, b: Uint8Array | BitBinary): number {
  const [x, y] = [a instanceof BitBinary ? a.bytes : a, b instanceof BitBinary ? b.bytes : b];
  const [bitsX, bitsY] = [bitLength(a), bitLength(b)];
  const shared = Math.min(bitsX, bitsY) >> 3;
  const difference = Buffer.compare(x.subarray(0, shared), y.subarray(0, shared));
  if (difference !== 0) return difference;
  const rest = Math.min(bitsX, bitsY) & 7;
  const mask = 0xff << (8 - rest);
  return ((x[shared] ?? 0) & mask) - ((y[shared] ?? 0) & mask) || bitsX - bitsY;
}

function bitLength(value: Uint8Array | BitBinary): number {
  return value instanceof BitBinary ? 8 * (value.bytes.length - 1) + value.bits : 8 * value.length;
}
