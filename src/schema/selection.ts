import { UnsupportedError } from "../model/errors.ts";
import { type Field, integerOf, type MessageType, messageOf, type Schema } from "../model/schema.ts";
import type { MessageSelection, NumberPlace } from "../model/selection.ts";
import { isRecord, type RecordValue, type Value } from "../model/value.ts";
import { wellKnownOf } from "./values/well-known.ts";

/** Where the records of a schema's values are. */
export interface Records {
  /** As {@link MessageSelection.path}. */
  readonly path: MessageSelection["path"];
  readonly message: MessageType;
}

/**
 * Where the records are: the first list of messages that is reached from the root through fields that hold one
 * message, the shortest way first, and no message type twice; where there is none, the root is the only record. What has a
 * form of its own in JSON, as a Struct, is none.
 */
export function recordsOf(schema: Schema): Records {
  const root = messageOf(schema, schema.root);
  const seen = new Set([root.name]);
  const queue: Records[] = [{ path: [], message: root }];
  for (const { path, message } of queue) {
    for (const { name, type, repetition } of message.fields) {
      if (type.kind !== "message" || wellKnownOf(messageOf(schema, type.name)) !== undefined) continue;
      const next = { path: [...path, name], message: messageOf(schema, type.name) };
      if (repetition.kind === "list") return next;
      if (repetition.kind !== "one" || seen.has(type.name)) continue;
      seen.add(type.name);
      queue.push(next);
    }
  }
  return { path: [], message: root };
}

/** A value's records: the elements of the list at a path, none where it is not there; the root for an empty path. */
export function recordsIn(value: Value, path: MessageSelection["path"]): readonly RecordValue[] {
  let at: Value | undefined = value;
  for (const name of path) at = isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  if (at === undefined) return [];
  return (Array.isArray(at) ? at : [at]) as readonly RecordValue[];
}

/** The record in the middle of every value, as the shortest list has it, and what each value holds there. */
export interface MiddleRecord extends Records {
  readonly record: number;
  readonly held: readonly RecordValue[];
}

/** Finds the record in the middle. Throws UnsupportedError where a value has no record, or where there is no value. */
function middleRecord(schema: Schema, values: readonly Value[]): MiddleRecord {
  const records = recordsOf(schema);
  const { name } = records.message;
  if (wellKnownOf(records.message) !== undefined) throw new UnsupportedError(`${name}: no fields in JSON`);
  const lists = values.map((value) => recordsIn(value, records.path));
  const count = Math.min(...lists.map((list) => list.length));
  if (values.length === 0 || count === 0) {
    throw new UnsupportedError(`no record: ${records.path.join(".") || "the dataset"} is empty`);
  }
  const record = Math.floor(count / 2);
  return { ...records, record, held: lists.flatMap((list) => list.slice(record, record + 1)) };
}

/**
 * The selection of one field of the record in the middle: the first number of fixed width that it has in every
 * value, else its first scalar or enum of any kind. Throws UnsupportedError when there is none.
 */
export function pickSelection(schema: Schema, values: readonly Value[]): MessageSelection {
  const { path, message, record, held } = middleRecord(schema, values);
  const single = message.fields.filter(
    ({ name, type, repetition }) =>
      type.kind !== "message" && repetition.kind === "one" && held.every((one) => Object.hasOwn(one, name)),
  );
  const field = single.find(isFixedNumber) ?? single[0];
  if (field === undefined) throw new UnsupportedError(`${message.name}: no field that holds one scalar`);
  return { path, first: record, step: 0, fields: [field.name] };
}

/** Whether a field holds one number of 8 to 64 bits, an integer or a float, whatever protobuf makes of it. */
export function isFixedNumber({ type, repetition }: Field): boolean {
  return repetition.kind === "one" && type.kind === "scalar" && !NO_NUMBERS.has(type.scalar);
}

const NO_NUMBERS: ReadonlySet<string> = new Set(["bool", "string", "bytes"]);

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
      message.inPlace !== true &&
      isFixedNumber(field) &&
      field.oneof === undefined &&
      held.every((one) => isReplaceable(one, field)),
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

/** One operation of a study of partial reads, and how much it reads: shares from 0 to 1. */
export interface SweepRead {
  /** `reads:STEP:FIELDS`. */
  readonly name: string;
  /** One record in STEP; the first record is always read, so that few records make the true share larger. */
  readonly records: number;
  readonly fields: number;
}

const STEPS = [16, 8, 4, 2, 1];

/**
 * The reads whose times show what a partial read costs: no record, every 16th, 8th, 4th, 2nd and every one, of each
 * the first field, half of the fields, and all. Steps beyond the number of records of the first value are left out.
 */
export function readSweep(schema: Schema, values: readonly Value[]): SweepRead[] {
  const { path, message } = recordsOf(schema);
  const [first] = values;
  const records = first === undefined ? 0 : recordsIn(first, path).length;
  const all = message.fields.length;
  const counts = [...new Set([1, Math.ceil(all / 2), all])].filter((count) => count > 0 && count <= all);
  const reads = STEPS.filter((step) => step <= records).flatMap((step) =>
    counts.map((count) => ({ name: `reads:${step}:${count}`, records: 1 / step, fields: count / all })),
  );
  return [{ name: "reads:0:0", records: 0, fields: 0 }, ...reads];
}
