import { UnsupportedError } from "../../model/errors.ts";
import { enumOf, type Field, hasPresence, type MessageType, type Schema } from "../../model/schema.ts";

/** One element of a record's tuple, after its name. */
export type Element =
  | { readonly kind: "field"; readonly field: Field }
  /** `undefined`, or a tuple of the name of the member that is set, and its value. */
  | { readonly kind: "oneof"; readonly fields: readonly Field[] };

/** The elements in the order of the schema; a oneof is where its first member is. */
export function elementsOf({ fields }: MessageType): Element[] {
  const seen = new Set<string>();
  return fields.flatMap((field): Element[] => {
    const { oneof } = field;
    if (oneof === undefined) return [{ kind: "field", field }];
    if (seen.has(oneof)) return [];
    seen.add(oneof);
    return [{ kind: "oneof", fields: fields.filter((other) => other.oneof === oneof) }];
  });
}

/** A name as that of an atom. Throws UnsupportedError for one that is too long. */
export function atomName(name: string): string {
  if (name.length <= 255) return name;
  throw new UnsupportedError(
    `an atom has at most 255 characters, and ${name.slice(0, 40)}… has ${name.length}`,
  );
}

/** Throws UnsupportedError where an enum has a value of the name that stands for an absent field. */
export function refuseUndefined(schema: Schema, { fields }: MessageType): void {
  for (const field of fields) {
    if (field.type.kind !== "enum" || !hasPresence(field) || field.oneof !== undefined) continue;
    if (!enumOf(schema, field.type.name).values.some(({ name }) => name === "undefined")) continue;
    throw new UnsupportedError(`${field.name}: the enum's value "undefined" is an absent field in a record`);
  }
}
