import { base64 } from "../../formats/bytes/portable.ts";
import { shortPath } from "../../model/errors.ts";
import {
  enumOf,
  type Field,
  type FieldType,
  type MessageType,
  messageOf,
  type Schema,
} from "../../model/schema.ts";
import { isRecord, pathText, type RecordValue, show, type Value } from "../../model/value.ts";
import { FieldsByKey } from "./field-keys.ts";
import { heldField } from "./in-place.ts";
import { documentText } from "./json-text.ts";
import { documentOf } from "./print-document.ts";

/**
 * Where a canonical value is not what its document says, as a sentence that starts with the path; undefined where nothing
 * was lost or added. Null and absent are one, an absent list is an empty one, and a float is what prints as the number.
 */
export function lossIn(schema: Schema, document: Value, value: Value): string | undefined {
  const check = new LossCheck(schema);
  const problem = check.message(messageOf(schema, schema.root), document, value as RecordValue);
  return problem === undefined ? undefined : `${shortPath(pathText(check.steps)) || "the value"}: ${problem}`;
}

class LossCheck {
  readonly steps: (string | number)[] = [];
  readonly #schema: Schema;
  readonly #fields = new FieldsByKey("json");

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  message(type: MessageType, document: Value, value: RecordValue): string | undefined {
    if (type.inPlace === true) {
      const field = heldField(this.#schema, type, document);
      if (field !== undefined) return this.#field(field, document, value[field.name]);
      return document === null ? undefined : `nothing holds ${show(document)}`;
    }
    if (!isRecord(document)) return this.#printed(type, document, value);
    const fields = this.#fields.of(type);
    let given = 0;
    for (const key of Object.keys(document)) {
      const held = document[key]!;
      const field = fields.get(key);
      if (held === null || field === undefined) continue;
      given += 1;
      this.steps.push(key);
      const problem = this.#field(field, held, ownOf(value, field.name));
      // The path of a problem stays.
      if (problem !== undefined) return problem;
      this.steps.pop();
    }
    return Object.keys(value).length === given ? undefined : this.#added(type, document, value);
  }

  /** What a message has that its document lacks. */
  #added(type: MessageType, document: RecordValue, value: RecordValue): string | undefined {
    const fields = this.#fields.of(type);
    const given = new Set(Object.keys(document).map((key) => document[key] !== null && fields.get(key)));
    const added = type.fields.find((field) => !given.has(field) && !isEmpty(ownOf(value, field.name)));
    return added === undefined ? undefined : `${added.name} is ${show(value[added.name])}, and was absent`;
  }

  /** A message whose JSON is no object, such as a timestamp. */
  #printed(type: MessageType, document: Value, value: RecordValue): string | undefined {
    const printed = documentOf({ ...this.#schema, root: type.name }, value);
    return printed === document ? undefined : changed(document, printed);
  }

  #field(field: Field, document: Value, value: Value | undefined): string | undefined {
    if (value === undefined) return `${show(document)} is lost`;
    if (field.repetition.kind === "one") return this.#one(field, document, value);
    if (field.repetition.kind === "list")
      return this.#list(field, document as readonly Value[], value as readonly Value[]);
    const before = Object.entries(document as RecordValue);
    const after = Object.keys(value as object).length;
    if (before.length !== after) return `${before.length} became ${after}`;
    for (const [key, item] of before) {
      const held = ownOf(value as RecordValue, key);
      this.steps.push(key);
      const problem = held === undefined ? `${show(item)} is lost` : this.#one(field, item, held);
      if (problem !== undefined) return problem;
      this.steps.pop();
    }
    return undefined;
  }

  #list(field: Field, before: readonly Value[], after: readonly Value[]): string | undefined {
    if (before.length !== after.length) return `${before.length} became ${after.length}`;
    for (let i = 0; i < before.length; i++) {
      this.steps.push(i);
      const problem = this.#one(field, before[i]!, after[i]!);
      if (problem !== undefined) return problem;
      this.steps.pop();
    }
    return undefined;
  }

  #one({ type, jsonText }: Field, document: Value, value: Value): string | undefined {
    if (jsonText === true) return same(documentText(document), value);
    if (type.kind === "message") {
      return this.message(messageOf(this.#schema, type.name), document, value as RecordValue);
    }
    return this.#leaf(type, document, value);
  }

  #leaf(type: Exclude<FieldType, { kind: "message" }>, document: Value, value: Value): string | undefined {
    if (type.kind === "enum") {
      if (typeof document === "number") return same(document, value);
      const named = enumOf(this.#schema, type.name).values.find(({ number }) => number === value);
      return same(document, named?.name ?? value);
    }
    if (value instanceof Uint8Array) return same(document, base64(value));
    if (typeof document === "string") return same(document, String(value));
    // As many digits as tell two floats apart are what was meant.
    const isFloat = type.scalar === "float" && typeof document === "number";
    if (isFloat && Math.fround(document) === value && digitsOf(document) <= FLOAT_DIGITS) return undefined;
    return same(document, typeof value === "bigint" ? Number(value) : value);
  }
}

/** Significant digits of which any number survives in 32 bits. */
const FLOAT_DIGITS = 6;

function digitsOf(number: number): number {
  return number.toExponential().replace(/e.*$/, "").replace(/[-.]/g, "").length;
}

function ownOf(value: RecordValue, name: string): Value | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function isEmpty(value: Value | undefined): boolean {
  return (
    value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0)
  );
}

function same(before: Value, after: Value): string | undefined {
  return Object.is(before, after) ? undefined : changed(before, after);
}

function changed(before: Value, after: Value): string {
  return `${show(before)} became ${show(after)}`;
}
