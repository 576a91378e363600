import { DecodeError } from "../../model/errors.ts";
import { type Field, messageOf, type Schema } from "../../model/schema.ts";
import { childPath, isRecord, show } from "../../model/value.ts";

/** Throws a DecodeError unless a value has the lists, maps and messages of the schema where it has them, and no others. */
export function checkShape(schema: Schema, value: unknown): void {
  checkMessage(schema, schema.root, value, "");
}

function checkMessage(schema: Schema, name: string, value: unknown, path: string): void {
  if (!isRecord(value)) throw mismatch(path, `an object (${name})`, value);
  const { fields } = messageOf(schema, name);
  for (const key of Object.keys(value)) {
    if (fields.some((field) => field.name === key)) continue;
    throw new DecodeError("erlang-etf", `${name} has no such field`, { path: childPath(path, key) });
  }
  for (const field of fields) {
    const item = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
    checkField(schema, field, item, childPath(path, field.name));
  }
}

function checkField(schema: Schema, { type, repetition }: Field, value: unknown, path: string): void {
  const one = (item: unknown, at: string): void => {
    if (type.kind === "message") checkMessage(schema, type.name, item, at);
  };
  if (repetition.kind === "list") {
    if (!Array.isArray(value)) throw mismatch(path, "a list", value);
    value.forEach((item, index) => {
      one(item, childPath(path, index));
    });
  } else if (repetition.kind === "map") {
    if (!isRecord(value)) throw mismatch(path, "a map", value);
    for (const [key, item] of Object.entries(value)) one(item, childPath(path, key));
  } else if (value !== undefined) one(value, path);
}

function mismatch(path: string, expected: string, value: unknown): DecodeError {
  return new DecodeError("erlang-etf", `expected ${expected}, got ${show(value)}`, { path });
}
