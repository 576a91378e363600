import type { CapnpLayout } from "../../schema/layout/capnp.ts";

/**
 * Deepest nesting that the C++ library reads by default (capnp/message.h, `ReaderOptions.nestingLimit`). The
 * root counts, every struct and list that a pointer leads to, and every struct in a list.
 */
export const MAX_NESTING = 64;

/** The deepest nesting that a value of a layout can have: Infinity where structs contain themselves. */
export function deepestNesting({ structs }: CapnpLayout): number {
  const known = new Map<number, number>();
  const depthOf = (index: number): number => {
    const found = known.get(index);
    if (found !== undefined) return found;
    // Stands while the struct's own fields are looked at, so that a circle is endless.
    known.set(index, Number.POSITIVE_INFINITY);
    const below = (structs[index]?.members ?? []).map(({ slot: { type } }) => {
      const list = type.kind === "list" ? 1 : 0;
      const inner = type.kind === "list" ? type.element : type;
      return inner.kind === "struct" ? list + depthOf(inner.struct) : list;
    });
    const depth = 1 + Math.max(0, ...below);
    known.set(index, depth);
    return depth;
  };
  return depthOf(0);
}
