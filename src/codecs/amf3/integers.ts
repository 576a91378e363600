import type { Dataset } from "../../model/dataset.ts";
import { type FieldType, is64Bit } from "../../model/schema.ts";
import type { Value } from "../../model/value.ts";
import { type CopyRules, changesValues, compileCopier } from "../../schema/generate/copy.ts";

/** Conversions between a plain value and one whose 64-bit integers are decimal text, or numbers if others wrote it. */
export interface IntegerMapping {
  toText(value: Value): unknown;
  fromText(value: unknown): Value;
}

/** AMF3 has no integers beyond 2^53. Undefined for a dataset that has none either. */
export function compileIntegerMapping({ schema, int64 }: Dataset): IntegerMapping | undefined {
  const isLong = (type: FieldType): boolean => isTextInteger(type, int64);
  const toText: CopyRules = { leaf: (type, value) => (isLong(type) ? `String(${value})` : undefined) };
  const fromText: CopyRules = {
    // BigInt takes text and numbers.
    leaf: (type, value) => (isLong(type) ? `BigInt(${value})` : undefined),
    lenient: true,
  };
  if (!changesValues(schema, toText)) return undefined;
  return {
    toText: compileCopier<Value, unknown>(schema, toText),
    fromText: compileCopier<unknown, Value>(schema, fromText),
  };
}

/**
 * Whether integers of a type are written as decimal text: those of 64 bits where the dataset has bigints. Where it has
 * none they are numbers, so that reading takes both.
 */
export function isTextInteger(type: FieldType, int64: Dataset["int64"]): boolean {
  return int64 === "bigint" && type.kind === "scalar" && is64Bit(type.scalar);
}
