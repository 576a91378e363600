/** Goes through the fields of a record, to see which of them a reader or a schema asks for. */

type Accepts = (record: unknown) => boolean;

/** Every object within a value that is not a list, and where it is: `.tests.stages`, with the places in lists left out. */
function objectsIn(value: unknown, at = ""): { at: string; object: Record<string, unknown> }[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one) => objectsIn(one, at));
  const object = value as Record<string, unknown>;
  return [{ at, object }, ...Object.entries(object).flatMap(([key, one]) => objectsIn(one, `${at}.${key}`))];
}

/** Where the fields are without which a record is still accepted, each once, in order. */
export function optionalFields(record: unknown, accepts: Accepts): string[] {
  const optional = new Set<string>();
  const copy = structuredClone(record);
  for (const { at, object } of objectsIn(copy)) {
    for (const [key, value] of Object.entries(object)) {
      delete object[key];
      if (accepts(copy)) optional.add(`${at}.${key}`);
      object[key] = value;
    }
  }
  return [...optional].toSorted();
}

/** Where the objects are that may have a field that nobody knows. */
export function openObjects(record: unknown, accepts: Accepts): string[] {
  const copy = structuredClone(record);
  return objectsIn(copy)
    .filter(({ object }) => {
      object["another"] = 1;
      const accepted = accepts(copy);
      delete object["another"];
      return accepted;
    })
    .map(({ at }) => at);
}
