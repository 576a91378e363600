import { isRecord, type Value } from "../../model/value.ts";

/** A place in a value that can be written to. */
type Place = Record<string, Value>;

/**
 * Changes every number, string, boolean and field of bytes in a value where it stands, to another that is as wide. Keys,
 * lengths and presence stay. A second call puts everything back.
 */
export function changeInPlace(value: Value): void {
  if (value instanceof Uint8Array) {
    if (value.length > 0) value[0]! ^= 1;
  } else if (isRecord(value) || Array.isArray(value)) {
    const place = value as Place;
    for (const key of Object.keys(place)) {
      const held = place[key] as Value;
      if (typeof held === "object") changeInPlace(held);
      else place[key] = otherLeaf(held);
    }
  }
}

function otherLeaf(leaf: Value): Value {
  switch (typeof leaf) {
    case "string":
      return otherText(leaf);
    case "boolean":
      return !leaf;
    case "bigint":
      return leaf ^ 1n;
    case "number":
      if (Number.isInteger(leaf)) return otherInteger(leaf);
      // The bits of NaN are the engine's affair: two of them may be encoded in two ways.
      return Number.isNaN(leaf) ? leaf : -leaf;
    default:
      return leaf;
  }
}

/** The neighbour that differs in the lowest bit; the same where that is no safe integer, or zero has a sign. */
function otherInteger(integer: number): number {
  const other = integer % 2 === 0 ? integer + 1 : integer - 1;
  return Number.isSafeInteger(integer) && Number.isSafeInteger(other) && !Object.is(integer, -0)
    ? other
    : integer;
}

/** Turns the lowest bit of the first character between a space and `}`: it stays there, and takes one byte as before. */
function otherText(text: string): string {
  const at = text.search(/[ -}]/);
  if (at < 0) return text;
  return text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
}
