import { type Field, type FieldType, type MessageType, messageOf, type Schema } from "../../model/schema.ts";
import type { RecordValue, Value } from "../../model/value.ts";

/** Bytes of the shortest and of the longest text, or bytes, of a field. */
export interface Extent {
  readonly least: number;
  readonly most: number;
}

/** What a field's values and, where it is a map with text as keys, its keys take; undefined without any. */
export interface Extents {
  value?: Extent;
  key?: Extent;
}

/** Measures the texts and bytes of each field over all messages that have it. */
export function measure(schema: Schema, values: readonly Value[]): ReadonlyMap<Field, Extents> {
  const found = new Map<Field, Extents>();

  const visitMessage = (type: MessageType, value: RecordValue): void => {
    for (const field of type.fields) {
      if (!Object.hasOwn(value, field.name)) continue;
      const given = value[field.name]!;
      const extents = found.get(field) ?? {};
      found.set(field, extents);
      if (field.repetition.kind === "one") {
        visitOne(field.type, extents, given);
      } else if (field.repetition.kind === "list") {
        for (const item of given as readonly Value[]) visitOne(field.type, extents, item);
      } else {
        for (const [key, item] of Object.entries(given as RecordValue)) {
          if (field.repetition.key === "string") extents.key = extended(extents.key, Buffer.byteLength(key));
          visitOne(field.type, extents, item);
        }
      }
    }
  };

  const visitOne = (type: FieldType, extents: Extents, value: Value): void => {
    if (type.kind === "message") visitMessage(messageOf(schema, type.name), value as RecordValue);
    else if (typeof value === "string") extents.value = extended(extents.value, Buffer.byteLength(value));
    else if (value instanceof Uint8Array) extents.value = extended(extents.value, value.length);
  };

  for (const value of values) visitMessage(messageOf(schema, schema.root), value as RecordValue);
  return found;
}

function extended(extent: Extent | undefined, bytes: number): Extent {
  if (extent === undefined) return { least: bytes, most: bytes };
  return { least: Math.min(extent.least, bytes), most: Math.max(extent.most, bytes) };
}
