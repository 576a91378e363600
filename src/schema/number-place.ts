import { DecodeError, UnsupportedError } from "../model/errors.ts";
import { assignField, compile, literal } from "../model/generated-code.ts";
import { type Field, integerOf, type Schema } from "../model/schema.ts";
import type { NumberPlace } from "../model/selection.ts";
import { pathText, type RecordValue, type Value } from "../model/value.ts";
import { narrowedVisits } from "./generate/narrowed.ts";
import { isFixedNumber, middleRecord } from "./selection.ts";

/** A place whose number can be replaced in every value, and its field. */
export interface UpdatePlace extends NumberPlace {
  readonly definition: Field;
  /** What the place holds in each value. */
  readonly numbers: readonly (number | bigint)[];
}

/**
 * A number to replace: the first in the record in the middle that is of fixed width, no member of a oneof, and in
 * every value finite and not zero, since some formats leave zeros out. Throws UnsupportedError when there is none.
 */
export function updatePlace(schema: Schema, values: readonly Value[]): UpdatePlace {
  const { path, message, record, held } = middleRecord(schema, values);
  const definition = message.fields.find(
    (field) =>
      isFixedNumber(field) && field.oneof === undefined && held.every((one) => isReplaceable(one, field)),
  );
  if (definition === undefined) {
    throw new UnsupportedError(
      `no number of fixed width that every value has in record ${record} of ${message.name}`,
    );
  }
  const { name } = definition;
  const numbers = held.map((one) => one[name] as number | bigint);
  return { path, record, field: name, definition, numbers };
}

function isReplaceable(record: RecordValue, { name }: Field): boolean {
  const held = Object.hasOwn(record, name) ? record[name] : undefined;
  return (typeof held === "bigint" || Number.isFinite(held)) && Number(held) !== 0;
}

/**
 * Another number of a field's type that is not zero: an integer with another lowest bit, which takes as many digits
 * and as many bytes of a varint; a float with the other sign.
 */
export function otherNumber({ type }: Field, value: number | bigint): number | bigint {
  const isInteger = type.kind === "scalar" && integerOf(type.scalar) !== undefined;
  if (!isInteger) return -value;
  const flipped = BigInt(value) ^ 1n;
  // The least safe integer has no safe neighbour below, and 1 none that is not zero.
  const isSafe = typeof value === "bigint" || Number.isSafeInteger(Number(flipped));
  const other = flipped !== 0n && isSafe ? flipped : BigInt(value) ^ 2n;
  return typeof value === "bigint" ? other : Number(other);
}

/** Makes the function that replaces the number at a place of a plain value, which must have it. */
export function compileAssigner({ path, record, field }: NumberPlace): (value: Value, number: Value) => void {
  const steps = path.map((name) => `[${literal(name)}]`).join("");
  const target = path.length === 0 ? "value" : `value${steps}[${record}]`;
  return compile(`return function assign(value, x) { ${assignField(target, field, "x")} };`);
}

/**
 * The visits that lead to a place, for a codec's `writer`: the last is of the record and its one field. Throws
 * UnsupportedError for a place that is not of the schema, or that holds no number of fixed width.
 */
export function visitsTo(schema: Schema, place: NumberPlace): ReturnType<typeof narrowedVisits> {
  const { path, record, field } = place;
  const visits = narrowedVisits(schema, { path, first: record, step: 0, fields: [field] });
  const { message } = visits.at(-1)!;
  if (message.fields.some((one) => one.name === field && isFixedNumber(one))) return visits;
  throw new UnsupportedError(
    `${message.name}.${field}: no number of fixed width, which could be overwritten`,
  );
}

/** Makes what a writer throws for a message without the field: a DecodeError that names the place. */
export function absentPlace(format: string, { path, record, field }: NumberPlace): () => never {
  const steps = path.length === 0 ? [field] : [...path, record, field];
  return () => {
    const details = { path: pathText(steps), code: "unsupported" } as const;
    throw new DecodeError(format, "not in the message, expected a number to overwrite", details);
  };
}
