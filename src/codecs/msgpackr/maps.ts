import { DecodeError } from "../../model/errors.ts";
import { type Field, messageOf, type Schema } from "../../model/schema.ts";
import { childPath, isRecord, show, type Value } from "../../model/value.ts";
import { type CopyRules, changesValues, compileCopier } from "../../schema/generate/copy.ts";

/** Conversions of a plain value whose maps are objects to one whose maps are `Map`s, and back. */
export interface MapConversion {
  toMaps(value: Value): unknown;
  fromMaps(value: unknown): Value;
  /** Throws a DecodeError unless what was read has a `Map` for each map of the schema, and nowhere else. */
  check(value: unknown): void;
}

/**
 * Where objects are records, a `Map` is what becomes a map. As a record, a map would define its keys in every
 * message. Undefined for a schema without maps.
 */
export function compileMapConversion(schema: Schema): MapConversion | undefined {
  const toMap: CopyRules = { leaf: () => undefined, maps: "to Map" };
  const fromMap: CopyRules = { leaf: () => undefined, maps: "from Map" };
  if (!changesValues(schema, toMap)) return undefined;
  return {
    toMaps: compileCopier<Value, unknown>(schema, toMap),
    fromMaps: compileCopier<unknown, Value>(schema, fromMap),
    check: (value) => checkMessage(schema, schema.root, value, ""),
  };
}

function checkMessage(schema: Schema, name: string, value: unknown, path: string): void {
  if (!isRecord(value) || value instanceof Map) throw mismatch(path, `an object (${name})`, value);
  for (const field of messageOf(schema, name).fields) {
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
    if (!(value instanceof Map)) throw mismatch(path, "a map", value);
    for (const [key, item] of value) one(item, childPath(path, String(key)));
  } else if (value !== undefined) one(value, path);
}

function mismatch(path: string, expected: string, value: unknown): DecodeError {
  return new DecodeError("msgpackr", `expected ${expected}, got ${show(value)}`, { path });
}
