import type { PyGlobal } from "./global.ts";
import { ByteArray, FrozenSet, type Tuple } from "./types.ts";

/** Code points of Latin-1 are the bytes. */
const BEYOND_LATIN1 = /[^\0-\xff]/;

/**
 * What the pickler of CPython writes for a built-in type that its protocol has no opcode for, as the value that is
 * meant; undefined for any other call. These are all:
 *
 * - `_codecs.encode(str, "latin1")`, and `bytes()`
 * - `bytearray()`, `bytearray(bytes)`, and `bytearray(str, "latin-1")`
 * - `set(list)` and `frozenset(list)`; the items of the list, for the caller to add
 */
export function reduce(
  { name }: PyGlobal,
  args: Tuple,
): Uint8Array | { readonly made: Set<unknown>; readonly items: readonly unknown[] } | undefined {
  const [first, second] = args;
  if (name === "set" || name === "frozenset") {
    if (args.length > 1 || !(Array.isArray(first) || args.length === 0)) return undefined;
    return {
      made: name === "set" ? new Set() : new FrozenSet(),
      items: args.length === 0 ? [] : (first as unknown[]),
    };
  }
  if (args.length === 0 && name !== "encode") return name === "bytes" ? new Uint8Array(0) : new ByteArray(0);
  if (args.length === 1 && name === "bytearray" && first instanceof Uint8Array) return new ByteArray(first);
  if (args.length !== 2 || name === "bytes" || typeof first !== "string") return undefined;
  const encoding = second instanceof Uint8Array ? Buffer.from(second).toString("latin1") : second;
  if ((encoding !== "latin1" && encoding !== "latin-1") || BEYOND_LATIN1.test(first)) return undefined;
  const bytes = Buffer.from(first, "latin1");
  return name === "encode" ? new Uint8Array(bytes) : new ByteArray(bytes);
}

/** How much a call takes from its arguments, which a pickle can give to many calls. */
export function costOf(args: Tuple): number {
  const [first] = args;
  return typeof first === "string" || Array.isArray(first) || first instanceof Uint8Array ? first.length : 0;
}
