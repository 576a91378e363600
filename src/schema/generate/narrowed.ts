import { DecodeError, UnsupportedError } from "../../model/errors.ts";
import { assignField, compile, fieldOf, literal } from "../../model/generated-code.ts";
import { type Field, type MessageType, messageOf, type Schema } from "../../model/schema.ts";
import type { MessageSelection, NumberPlace } from "../../model/selection.ts";
import { pathText, type Value } from "../../model/value.ts";
import { isFixedNumber } from "../selection.ts";

/** A generated function that visits a part of a message, in place of one that visits all of it. */
export interface NarrowedVisit {
  /** Name of the function in generated code. */
  readonly name: string;
  readonly message: MessageType;
  /** Names of the fields that it visits. */
  readonly fields: ReadonlySet<string>;
  /** The function to which messages within go; undefined where they are visited as a whole. */
  readonly nested: string | undefined;
  /** Which elements of the lists it visits; undefined where it is all. */
  readonly records: Pick<MessageSelection, "first" | "step"> | undefined;
}

/** Name of the first of {@link narrowedVisits}. */
export const NARROWED_ROOT = "some0";

/**
 * The functions that visit what a selection names and nothing else: one for each message from the root to the
 * records, which are visited by the last, each calling the next. Throws UnsupportedError for a selection that is
 * not of the schema.
 */
export function narrowedVisits(schema: Schema, selection: MessageSelection): readonly NarrowedVisit[] {
  const { path, first, step, fields } = selection;
  if (![first, step].every((number) => Number.isSafeInteger(number) && number >= 0)) {
    throw new UnsupportedError(
      `selection: expected whole numbers from 0, got first ${first} and step ${step}`,
    );
  }
  if (path.length === 0 && first > 0) {
    throw new UnsupportedError(`selection: the root is the only record, got record ${first}`);
  }
  let message = messageOf(schema, schema.root);
  const visits: NarrowedVisit[] = [];
  for (const [depth, name] of path.entries()) {
    const { type, repetition } = fieldNamed(message, name);
    const kind = depth === path.length - 1 ? "list" : "one";
    if (type.kind !== "message" || repetition.kind !== kind) {
      const expected = kind === "list" ? "a list of messages" : "one message";
      throw new UnsupportedError(`selection: ${message.name}.${name}: expected ${expected}`);
    }
    const records = kind === "list" ? { first, step } : undefined;
    const nested = `some${depth + 1}`;
    visits.push({ name: `some${depth}`, message, fields: new Set([name]), nested, records });
    message = messageOf(schema, type.name);
  }
  for (const name of fields) fieldNamed(message, name);
  const record = { message, fields: new Set(fields), nested: undefined, records: undefined };
  return [...visits, { name: `some${path.length}`, ...record }];
}

function fieldNamed(message: MessageType, name: string): Field {
  const field = message.fields.find((one) => one.name === name);
  if (field === undefined) throw new UnsupportedError(`selection: ${message.name} has no field ${name}`);
  return field;
}

/** The loop `for (let i …)` of generated code over those elements of a list of `count` that are visited. */
export function elementLoop(count: string, records: NarrowedVisit["records"]): string {
  if (records === undefined) return `for (let i = 0; i < ${count}; i++)`;
  const { first, step } = records;
  return `for (let i = ${first}; i < ${count}; ${step === 0 ? `i = ${count}` : `i += ${step}`})`;
}

/**
 * The visits that lead to a place, for a codec's `writer`: the last is of the record and its one field. Throws
 * UnsupportedError for a place that is not of the schema, or that holds no number of fixed width.
 */
export function visitsTo(schema: Schema, place: NumberPlace): readonly NarrowedVisit[] {
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

/**
 * Makes the function that replaces the number at a place of a plain value, which must have it. In a document it is
 * text where it was.
 * @param schema of the value, where that may be a document
 */
export function compileAssigner(
  place: NumberPlace,
  schema?: Schema,
): (value: Value, number: Extract<Value, number | bigint>) => void {
  const { path, record, field } = place;
  if (schema?.documents !== undefined) return documentAssigner(place, schema, schema.documents);
  const steps = path.map((name) => `[${literal(name)}]`).join("");
  const target = path.length === 0 ? "value" : `value${steps}[${record}]`;
  return compile(`return function assign(value, x) { ${assignField(target, field, "x")} };`);
}

function documentAssigner(
  { path, record, field }: NumberPlace,
  schema: Schema,
  keysOf: NonNullable<Schema["documents"]>,
): ReturnType<typeof compileAssigner> {
  let message = messageOf(schema, schema.root);
  let target = "value";
  for (const [depth, name] of path.entries()) {
    const step = fieldNamed(message, name);
    const keys = keysOf.get(step) ?? [];
    const read = message.inPlace === true ? target : keys.map((key) => fieldOf(target, key)).join(" ?? ");
    target = depth === path.length - 1 ? `(${read})[${record}]` : `(${read})`;
    if (step.type.kind === "message") message = messageOf(schema, step.type.name);
  }
  const assignments = (keysOf.get(fieldNamed(message, field)) ?? []).map((key) => {
    const read = fieldOf("m", key);
    const assign = assignField("m", key, `typeof ${read} === "string" ? String(x) : Number(x)`);
    return `if (${read} != null) { ${assign} }`;
  });
  return compile(`return function assign(value, x) { const m = ${target}; ${assignments.join(" else ")} };`);
}
