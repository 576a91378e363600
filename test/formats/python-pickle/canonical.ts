import { ByteArray, FrozenSet, PyFloat, Tuple } from "../../../src/formats/python-pickle/index.ts";

/**
 * A value as text in which Python's types differ, for comparison with `canonical` of reference.py: two values have the
 * same text if they are equal in Python, of the same types, and share what can be changed in the same places.
 */
export function canonical(value: unknown, met = new Map<object, number>()): string {
  switch (typeof value) {
    case "boolean":
      return value ? "T" : "F";
    case "bigint":
      return `i${value}`;
    case "number":
      return Number.isSafeInteger(value) && !Object.is(value, -0) ? `i${value}` : float(value);
    case "string":
      return `s${Buffer.from(value).toString("hex")}`;
    default:
      return value === null ? "N" : container(value as object, met);
  }
}

function float(value: number): string {
  if (Number.isNaN(value)) return "fnan";
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return `f${bytes.toString("hex")}`;
}

function container(value: object, met: Map<object, number>): string {
  if (value instanceof PyFloat) return float(value.value);
  if (value instanceof Tuple) return `(${[...value].map((item) => canonical(item, met)).join()})`;
  if (value instanceof FrozenSet) return `^<${[...value].map((item) => canonical(item)).sort()}>`;
  if (value instanceof Uint8Array && !(value instanceof ByteArray)) return `b${hex(value)}`;
  const known = met.get(value);
  if (known !== undefined) return `@${known}`;
  met.set(value, met.size);
  if (value instanceof Uint8Array) return `y${hex(value)}`;
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, met)).join()}]`;
  if (value instanceof Set) return `<${[...value].map((item) => canonical(item)).sort()}>`;
  const entries = [...(value instanceof Map ? value : Object.entries(value))] as [unknown, unknown][];
  const sorted = entries
    .map(([key, item]) => [canonical(key), item] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, item]) => `${key}:${canonical(item, met)}`).join()}}`;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
