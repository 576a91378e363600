import { type Field, type MessageType, reachableMessages, type Schema } from "../../model/schema.ts";

import { wellKnownOf } from "./well-known.ts";

/** Which key of an object stands for which field. */
export class FieldsByKey {
  readonly #form: "json" | "plain";
  readonly #known = new Map<MessageType, ReadonlyMap<string, Field>>();
  readonly #printed = new Map<MessageType, readonly string[]>();

  /** @param form `json`: a field has its name in JSON too, where no other field of the message has that */
  constructor(form: "json" | "plain") {
    this.#form = form;
  }

  /** The fields of a message by every key that stands for one. */
  of(type: MessageType): ReadonlyMap<string, Field> {
    const known = this.#known.get(type);
    if (known !== undefined) return known;
    // A declared name comes before one that another field has in the schema,
    let declared = type.fields.filter(({ jsonName }) => this.#form === "json" && jsonName !== undefined);
    let fields = this.#keys(type, declared);
    // unless that one has no other: then neither key is lost.
    for (;;) {
      const lost = type.fields.find(
        (field) => fields.get(field.name) !== field && fields.get(jsonNameOf(field)) !== field,
      );
      const holder = lost && (fields.get(lost.name) ?? fields.get(jsonNameOf(lost)));
      if (holder === undefined || !declared.includes(holder)) break;
      declared = declared.filter((field) => field !== holder);
      fields = this.#keys(type, declared);
    }
    this.#known.set(type, fields);
    return fields;
  }

  /** @param declared fields whose declared name in JSON stands for them */
  #keys({ fields: all }: MessageType, declared: readonly Field[]): Map<string, Field> {
    const isJson = this.#form === "json";
    const fields = new Map(declared.map((field) => [field.jsonName!, field]));
    for (const field of all) {
      // An extension has its name in brackets there.
      const isKey = !isJson || !field.name.includes(".");
      if (isKey && !fields.has(field.name)) fields.set(field.name, field);
    }
    const aliases = isJson ? all.map((field) => ({ field, name: jsonNameOf(field) })) : [];
    for (const { field, name } of aliases) {
      const shared = aliases.some((other) => other.field !== field && other.name === name);
      if (!fields.has(name) && !shared) fields.set(name, field);
    }
    return fields;
  }

  /** The key of each field of a message where it is printed: its name in JSON, unless that is another one's. */
  printed(type: MessageType): readonly string[] {
    const known = this.#printed.get(type);
    if (known !== undefined) return known;
    const fields = this.of(type);
    const keys = type.fields.map((field) => {
      const key = jsonNameOf(field);
      return fields.get(key) === field ? key : field.name;
    });
    this.#printed.set(type, keys);
    return keys;
  }
}

/** Every key that an object of the schema's values may have; undefined where maps have keys of any kind. */
export function keysOf(schema: Schema): ReadonlySet<string> | undefined {
  const messages = reachableMessages(schema);
  const isAny = ({ repetition, jsonText }: Field): boolean => repetition.kind === "map" || jsonText === true;
  // The form of an Any has the keys of any message.
  const isOpen = (message: MessageType): boolean =>
    message.fields.some(isAny) || wellKnownOf(message) === "any";
  if (messages.some(isOpen)) return undefined;
  const fields = new FieldsByKey(schema.documents === undefined ? "plain" : "json");
  return new Set(messages.flatMap((message) => [...fields.of(message).keys(), ...(message.nullKeys ?? [])]));
}

/** The key of a field in JSON: the declared one, `[pkg.note]` for an extension, else the {@link jsonName}. */
export function jsonNameOf({ name, jsonName: declared }: Field): string {
  if (declared !== undefined) return declared;
  return name.includes(".") ? `[${name}]` : jsonName(name);
}

/** The proto3 JSON name of a field, `phoneNum` for `phone_num` (language guide, "JSON Mapping"). */
export function jsonName(name: string): string {
  return name.replace(/_+(.?)/g, (_, letter: string) => letter.toUpperCase());
}
