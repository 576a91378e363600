import type { Dataset } from "../../model/dataset.ts";
import { type FieldType, is64Bit } from "../../model/schema.ts";
import { isRecord, type Value } from "../../model/value.ts";
import { type CopyRules, changesValues, compileCopier } from "../../schema/generate/copy.ts";
import { base64, jsonNumber } from "../../schema/values/json-text.ts";

/** Conversions between a plain value and what JSON.stringify and JSON.parse carry. */
export interface JsonMapping {
  toJson(value: Value): unknown;
  fromJson(json: unknown): Value;
}

/**
 * Makes the conversions a dataset needs to go through JSON, or undefined where it needs none: bytes become
 * base64, bigints decimal strings, and floats that JSON cannot write become strings if the values hold any.
 */
export function compileJsonMapping(dataset: Dataset): JsonMapping | undefined {
  const { schema } = dataset;
  const specials = mayHoldSpecials(dataset);
  const mapped = (type: FieldType): Mapped | undefined => mappingOf(type, dataset, specials);
  const scope = { base64, bytes, jsonNumber };
  const toJson: CopyRules = { leaf: (type, value) => mapped(type)?.to(value), scope };
  const fromJson: CopyRules = { leaf: (type, value) => mapped(type)?.from(value), scope, lenient: true };
  if (!changesValues(schema, toJson)) return undefined;
  return {
    toJson: compileCopier<Value, unknown>(schema, toJson),
    fromJson: compileCopier<unknown, Value>(schema, fromJson),
  };
}

interface Mapped {
  to(value: string): string;
  from(value: string): string;
}

function mappingOf(type: FieldType, dataset: Dataset, specials: boolean): Mapped | undefined {
  if (type.kind !== "scalar") return undefined;
  const { scalar } = type;
  if (scalar === "bytes") return { to: (v) => `base64(${v})`, from: (v) => `bytes(${v})` };
  if (is64Bit(scalar) && dataset.int64 === "bigint")
    return { to: (v) => `String(${v})`, from: (v) => `BigInt(${v})` };
  if ((scalar === "float" || scalar === "double") && specials) {
    return { to: (v) => `jsonNumber(${v})`, from: (v) => `Number(${v})` };
  }
  return undefined;
}

/** Whether a float may be NaN, infinite or -0. Without values to look at, it may. */
function mayHoldSpecials(dataset: Dataset): boolean {
  return dataset.values.length === 0 || dataset.values.some(holdsSpecial);
}

function holdsSpecial(value: Value): boolean {
  if (typeof value === "number") return typeof jsonNumber(value) === "string";
  if (Array.isArray(value)) return value.some(holdsSpecial);
  return isRecord(value) && Object.values(value).some(holdsSpecial);
}

function bytes(text: string): Uint8Array {
  return Buffer.from(text, "base64");
}
