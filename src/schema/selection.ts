import { UnsupportedError } from "../model/errors.ts";
import { type Field, type MessageType, messageOf, type Schema } from "../model/schema.ts";
import type { Selection } from "../model/selection.ts";
import { isRecord, type RecordValue, type Value } from "../model/value.ts";

/** Where the records of a schema's values are. */
export interface Records {
  /** As {@link Selection.path}. */
  readonly path: Selection["path"];
  readonly message: MessageType;
}

/**
 * Where the records are: the first list of messages that is reached from the root through fields that hold one
 * message, the shortest way first, and no message type twice; where there is none, the root is the only record.
 */
export function recordsOf(schema: Schema): Records {
  const root = messageOf(schema, schema.root);
  const seen = new Set([root.name]);
  const queue: Records[] = [{ path: [], message: root }];
  for (const { path, message } of queue) {
    for (const { name, type, repetition } of message.fields) {
      if (type.kind !== "message") continue;
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
export function recordsIn(value: Value, path: Selection["path"]): readonly RecordValue[] {
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
export function middleRecord(schema: Schema, values: readonly Value[]): MiddleRecord {
  const records = recordsOf(schema);
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
export function pickSelection(schema: Schema, values: readonly Value[]): Selection {
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
