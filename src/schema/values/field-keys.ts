import { type Field, type MessageType, reachableMessages, type Schema } from "../../model/schema.ts";

/** Which key of an object stands for which field. */
export class FieldsByKey {
  readonly #form: "json" | "plain";
  readonly #known = new Map<MessageType, ReadonlyMap<string, Field>>();

  /** @param form `json`: a field has its name in JSON too, where no other field of the message has that */
  constructor(form: "json" | "plain") {
    this.#form = form;
  }

  /** The fields of a message by every key that stands for one. */
  of(type: MessageType): ReadonlyMap<string, Field> {
    const known = this.#known.get(type);
    if (known !== undefined) return known;
    const fields = new Map(type.fields.map((field) => [field.name, field]));
    const aliases =
      this.#form === "json" ? type.fields.map((field) => ({ field, name: jsonName(field.name) })) : [];
    for (const { field, name } of aliases) {
      const shared = aliases.some((other) => other.field !== field && other.name === name);
      if (!fields.has(name) && !shared) fields.set(name, field);
    }
    this.#known.set(type, fields);
    return fields;
  }
}

/** Every key that an object of the schema's values may have; undefined where maps have keys of any kind. */
export function keysOf(schema: Schema): ReadonlySet<string> | undefined {
  const messages = reachableMessages(schema);
  if (messages.some(({ fields }) => fields.some(({ repetition }) => repetition.kind === "map")))
    return undefined;
  const fields = new FieldsByKey(schema.documents === undefined ? "plain" : "json");
  return new Set(messages.flatMap((message) => [...fields.of(message).keys()]));
}

/** The proto3 JSON name of a field, `phoneNum` for `phone_num` (language guide, "JSON Mapping"). */
export function jsonName(name: string): string {
  return name.replace(/_+(.?)/g, (_, letter: string) => letter.toUpperCase());
}
