import { setOwn } from "../../model/generated-code.ts";
import { type Field, type FieldType, type MessageType, messageOf, type Schema } from "../../model/schema.ts";
import { isRecord, type Value } from "../../model/value.ts";
import { FieldsByKey } from "./field-keys.ts";
import { heldField } from "./in-place.ts";
import { anyForm, fieldOfNumber, type WellKnown, wellKnownOf } from "./well-known.ts";

/**
 * A document as a program holds it that reads JSON: what `readJson` keeps as a bigint is the number where the schema has a
 * float, which is as exact, else its decimal text. It conforms to the schema.
 */
export function readDocument(schema: Schema, document: unknown): Value {
  // Hardly any has one.
  return holdsBigint(document)
    ? new Reader(schema).message(messageOf(schema, schema.root), document)
    : (document as Value);
}

function holdsBigint(value: unknown): boolean {
  if (typeof value === "bigint") return true;
  if (Array.isArray(value)) return value.some(holdsBigint);
  return isRecord(value) && Object.values(value).some(holdsBigint);
}

class Reader {
  readonly #schema: Schema;
  readonly #fields = new FieldsByKey("json");

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  message(type: MessageType, document: unknown): Value {
    const kind = wellKnownOf(type);
    if (kind !== undefined) return this.#form(type, kind, document);
    if (type.inPlace === true) return this.#field(heldField(this.#schema, type, document), document);
    const fields = this.#fields.of(type);
    return mapped(document, (key, item) => this.#field(fields.get(key), item));
  }

  #field(field: Field | undefined, item: unknown): Value {
    if (field?.jsonText === true) return withTexts(item);
    if (field === undefined || field.repetition.kind === "one") return this.#one(field?.type, item);
    return mapped(item, (_, one) => this.#one(field.type, one));
  }

  #one(type: FieldType | undefined, item: unknown): Value {
    if (type?.kind === "message") return this.message(messageOf(this.#schema, type.name), item);
    if (typeof item !== "bigint") return item as Value;
    const isFloat = type?.kind === "scalar" && (type.scalar === "float" || type.scalar === "double");
    return isFloat ? Number(item) : String(item);
  }

  #form(type: MessageType, kind: WellKnown, document: unknown): Value {
    if (document === null) return null;
    if (kind === "any") {
      const { held, content } = anyForm(this.#schema, document as Readonly<Record<string, unknown>>);
      if (held === undefined) return document as Value;
      const printed = this.message(held, content);
      return {
        ...(document as object),
        ...(wellKnownOf(held) === undefined ? (printed as object) : { value: printed }),
      };
    }
    if (kind === "wrapper") return this.#one(fieldOfNumber(type, 1).type, document);
    // Every other number in a form is a double.
    return doubles(document);
  }
}

/** What has no type: the decimal text of every bigint. */
function withTexts(document: unknown): Value {
  return typeof document === "bigint" ? String(document) : mapped(document, (_, item) => withTexts(item));
}

function doubles(document: unknown): Value {
  return typeof document === "bigint" ? Number(document) : mapped(document, (_, item) => doubles(item));
}

/** A list or an object with other items; anything else stays as it is. */
function mapped(value: unknown, change: (key: string, item: unknown) => Value): Value {
  if (Array.isArray(value)) return value.map((item, index) => change(String(index), item));
  if (!isRecord(value)) return value as Value;
  const result: Record<string, Value> = {};
  for (const [key, item] of Object.entries(value)) setOwn(result, key, change(key, item));
  return result;
}
