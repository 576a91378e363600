/** Documents: values as a program holds them that reads JSON, rather than in the one form that every schema has. */
import type { CodecVariant } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { type Field, type MessageType, messageOf, type Schema } from "../../model/schema.ts";
import type { RecordValue, Value } from "../../model/value.ts";
import { FieldsByKey } from "./field-keys.ts";
import { heldField } from "./in-place.ts";
import { wellKnownOf } from "./well-known.ts";

/** The dataset that a codec binds to. A schemaless one gets the user's documents for values, where there are any. */
export function carriedBy({ schemaless }: Pick<CodecVariant, "schemaless">, dataset: Dataset): Dataset {
  if (schemaless !== true) return dataset;
  const { schema, documents } = dataset;
  if (documents === undefined) return dataset;
  const held = { ...schema, documents: heldKeys(schema, documents) };
  // What JSON.parse gives has no bigints.
  return { ...dataset, schema: held, values: documents, int64: "number" };
}

/** The keys under which documents hold each field. */
function heldKeys(schema: Schema, documents: readonly Value[]): ReadonlyMap<Field, readonly string[]> {
  const fields = new FieldsByKey("json");
  const found = new Map<Field, Set<string>>();
  const meet = (type: MessageType, document: Value): void => {
    // What has a form of its own has no fields there.
    if (wellKnownOf(type) !== undefined) return;
    if (type.inPlace === true) {
      const field = heldField(schema, type, document);
      if (field !== undefined) meetHeld(field, document);
      return;
    }
    const known = fields.of(type);
    for (const key of Object.keys(document as RecordValue)) {
      const field = known.get(key);
      if (field === undefined) continue;
      const keys = found.get(field);
      if (keys === undefined) found.set(field, new Set([key]));
      else keys.add(key);
      meetHeld(field, (document as RecordValue)[key]!);
    }
  };
  const meetHeld = (field: Field, held: Value): void => {
    if (field.type.kind !== "message") return;
    const message = messageOf(schema, field.type.name);
    for (const one of itemsOf(field, held)) meet(message, one);
  };
  for (const document of documents) meet(messageOf(schema, schema.root), document);
  return new Map(Array.from(found, ([field, keys]) => [field, [...keys]]));
}

/** The messages that a field holds. */
function itemsOf({ repetition }: Field, held: Value): readonly Value[] {
  if (held === null) return [];
  return repetition.kind === "one" ? [held] : Object.values(held);
}
