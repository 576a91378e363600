import type { TermReader } from "./reader.ts";

/** The entries of a map, with any term as a key, in the order of the input. */
export function readMap(input: TermReader, pairs: number, depth: number): Map<unknown, unknown> {
  const map = new Map<unknown, unknown>();
  // Two keys that are objects are two keys to a Map, also where they are the same term.
  let identities: Set<string> | undefined;
  for (let i = 0; i < pairs; i++) {
    const { at } = input;
    const key = input.term(depth);
    if (typeof key === "object" && key !== null) {
      if (pairs > 1) {
        const identity = input.identities.of(key);
        identities ??= new Set();
        if (identities.has(identity)) input.fail("a key stands twice", { at });
        identities.add(identity);
      }
    } else if (map.has(key)) input.fail("a key stands twice", { at });
    map.set(key, input.term(depth));
  }
  return map;
}
