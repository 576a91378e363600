import type { PickleOutput } from "./output.ts";
import { Tuple } from "./types.ts";

/** An object as the keys and values that it has. */
export type Dict = Readonly<Record<string | number, unknown>>;

/** What writing an object of a kind needs of the pickler. */
export interface ObjectSink {
  readonly out: PickleOutput;
  /** Memo index of an array, or -1. */
  knownList(value: readonly unknown[]): number;
  /** Memo index of an object that is no array, or -1. */
  known(value: object): number;
  /** Writes a list that the memo does not have. */
  list(value: readonly unknown[], start: number, depth: number): number;
  /** Writes an object that the memo does not have, by these keys. */
  entriesByKeys(value: Dict, keys: readonly string[], start: number, depth: number): number;
}

/**
 * Writes an object from an offset on and returns where it ends; -1, and nothing is done, for one that it does not write.
 * @param depth containers around the object
 */
export type WriteObject = (pickler: ObjectSink, object: object, at: number, depth: number) => number;

/**
 * A property that no object has. To ask for it has no effect on an object, unlike to ask for its constructor, and V8 then
 * knows the object's hidden class, and with it the prototype.
 */
export const PROBE = Symbol("probe");

/** Writes no object. */
export const writeNone: WriteObject = () => -1;

type Probed = { readonly [PROBE]?: unknown };

/** {@link WriteObject} for lists. */
export const writeList: WriteObject = (pickler, value, start, depth) => {
  if (!Array.isArray(value) || value instanceof Tuple) return -1;
  const { out } = pickler;
  const at = out.room(start);
  const known = pickler.knownList(value);
  return known < 0 ? pickler.list(value, at, depth) : out.fetch(known, at);
};

/** {@link WriteObject} for objects with indexes that begin with 0 or 1. */
export const writeIndexed: WriteObject = (pickler, value, start, depth) => {
  const isPlain = (value as Probed)[PROBE] === undefined && Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain) return -1;
  const { out } = pickler;
  // Before its keys, of which it may have many, are asked for.
  const known = pickler.known(value);
  if (known >= 0) return out.fetch(known, out.room(start));
  const keys = Object.keys(value);
  if (keys[0] !== "1" && keys[0] !== "0") return -1;
  return pickler.entriesByKeys(value as Dict, keys, out.room(start), depth);
};
