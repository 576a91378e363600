import { UnsupportedError } from "../../model/errors.ts";
import { type Field, type MessageType, messageOf, type Scalar, type Schema } from "../../model/schema.ts";
import { childPath, type RecordValue, type Value } from "../../model/value.ts";

/** The largest that a field is in any of the values. */
export interface Extent {
  /** Elements of a list, entries of a map. */
  count: number;
  /** Bytes of one string or of one bytes value, without a NUL. */
  bytes: number;
  /** Bytes of one string key of a map, without a NUL. */
  keyBytes: number;
}

/**
 * Measures what C has to bound: strings, bytes, lists and maps, each field over all messages that have it.
 * Throws UnsupportedError for a string that C cannot end.
 */
export function measureExtents(schema: Schema, values: readonly Value[]): ReadonlyMap<Field, Extent> {
  const extents = new Map<Field, Extent>();
  const extentOf = (field: Field): Extent => {
    const known = extents.get(field);
    if (known !== undefined) return known;
    const extent: Extent = { count: 0, bytes: 0, keyBytes: 0 };
    extents.set(field, extent);
    return extent;
  };

  const measureMessage = (type: MessageType, value: RecordValue, path: string): void => {
    for (const field of type.fields) {
      if (!Object.hasOwn(value, field.name)) continue;
      const given = value[field.name]!;
      const at = childPath(path, field.name);
      const extent = extentOf(field);
      const { repetition } = field;
      if (repetition.kind === "one") {
        measureOne(field, extent, given, at);
      } else if (repetition.kind === "list") {
        const items = given as readonly Value[];
        extent.count = Math.max(extent.count, items.length);
        items.forEach((item, i) => {
          measureOne(field, extent, item, childPath(at, i));
        });
      } else {
        const entries = Object.entries(given as RecordValue);
        extent.count = Math.max(extent.count, entries.length);
        for (const [key, item] of entries) {
          const keyPath = childPath(at, key);
          if (repetition.key === "string")
            extent.keyBytes = Math.max(extent.keyBytes, textBytes(key, keyPath));
          measureOne(field, extent, item, keyPath);
        }
      }
    }
  };

  const measureOne = (field: Field, extent: Extent, value: Value, path: string): void => {
    const { type } = field;
    if (type.kind === "message") measureMessage(messageOf(schema, type.name), value as RecordValue, path);
    else if (type.kind === "scalar")
      extent.bytes = Math.max(extent.bytes, scalarBytes(type.scalar, value, path));
  };

  const root = messageOf(schema, schema.root);
  for (const value of values) measureMessage(root, value as RecordValue, "");
  return extents;
}

function scalarBytes(scalar: Scalar, value: Value, path: string): number {
  if (scalar === "string") return textBytes(value as string, path);
  return scalar === "bytes" ? (value as Uint8Array).length : 0;
}

function textBytes(text: string, path: string): number {
  if (text.includes("\0")) {
    throw new UnsupportedError(`${path}: a NUL inside a string, which ends it in C`);
  }
  return Buffer.byteLength(text);
}
