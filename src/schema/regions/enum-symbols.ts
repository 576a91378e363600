import type { SchemaPath } from "../../model/region.ts";
import { enumOf, type FieldType, type MessageType, messageOf, type Schema } from "../../model/schema.ts";
import { FieldsByKey } from "../values/field-keys.ts";

/** Says at each path of a message that has an enum what its numbers are called. @param root path of the message itself */
export function nameSymbols(schema: Schema, root: SchemaPath): void {
  const names = new FieldsByKey(schema.documents === undefined ? "plain" : "json");
  const symbols = (name: string): ReadonlyMap<number, string> =>
    // Of two names of a number the first is its own.
    new Map(
      enumOf(schema, name)
        .values.toReversed()
        .map(({ name, number }) => [number, name]),
    );
  const visitMessage = (path: SchemaPath, message: MessageType): void => {
    const fields = names.of(message);
    for (const child of path.children) {
      const field = fields.get(child.name);
      if (field === undefined) continue;
      for (const held of field.repetition.kind === "one" ? [child] : child.children) visit(held, field.type);
    }
  };
  const visit = (path: SchemaPath, type: FieldType): void => {
    if (type.kind === "message") visitMessage(path, messageOf(schema, type.name));
    else if (type.kind === "enum") path.symbols = symbols(type.name);
  };
  visitMessage(root, messageOf(schema, schema.root));
}
