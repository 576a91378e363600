/**
 * Puts Maps in the place of the objects that they replace, wherever a value refers to those, and returns the value.
 * A dict can contain itself before it has a key that is not text.
 */
export function replaceDicts(value: unknown, replaced: ReadonlyMap<object, unknown>): unknown {
  const next = (item: unknown): unknown => replaced.get(item as object) ?? item;
  const whole = next(value);
  const seen = new Set<unknown>([whole]);
  for (const container of seen) {
    for (const item of replaceIn(container, next)) {
      if (typeof item === "object" && item !== null && !ArrayBuffer.isView(item)) seen.add(item);
    }
  }
  return whole;
}

/** Replaces what a container holds itself, and returns that. Keys and elements of sets are never dicts. */
function replaceIn(container: unknown, next: (item: unknown) => unknown): readonly unknown[] {
  if (Array.isArray(container)) {
    container.forEach((item, index) => {
      container[index] = next(item);
    });
    return container;
  }
  if (container instanceof Map) {
    for (const [key, item] of container) container.set(key, next(item));
    return [...container.values()];
  }
  if (container instanceof Set || Object.getPrototypeOf(container) !== Object.prototype) return [];
  const dict = container as Record<string, unknown>;
  for (const key of Object.keys(dict)) {
    const item = next(dict[key]);
    if (item !== dict[key]) Object.defineProperty(dict, key, { value: item });
  }
  return Object.values(dict);
}
