import type { ValuePlan } from "./plan.ts";

// Estimates of what V8 keeps of a decoded message, measured in Node 20 on x86-64 and rounded up.

/** What a scalar takes besides the word that holds it: a bigint is an object, and so are most numbers. */
export function scalarMemory(size: ValuePlan["size"]): number {
  return size === 8 ? 32 : size === 4 ? 16 : 0;
}

/** A string of so many bytes of UTF-8: two bytes a character at the most. */
export function stringMemory(bytes: number): number {
  return 32 + 2 * bytes;
}

/** An array that grew element by element has room for half as many again, and for 17 at least. */
export function vectorMemory(count: number, { element, distinctKeys }: ValuePlan): number {
  const each = element?.kind === "scalar" ? scalarMemory(element.size) : 0;
  return 200 + count * ((distinctKeys ? MAP_ENTRY : 12) + each);
}

/** An entry of an object that is used as a map, its key included. */
const MAP_ENTRY = 200;
