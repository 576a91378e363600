/** Changes of a field's type: wider, narrower, of another sign, a double, a text, a list, and back. */

import { defined } from "../../model/defined.ts";
import {
  type Field,
  type FieldType,
  type Int64Mode,
  integerOf,
  is64Bit,
  type Scalar,
} from "../../model/schema.ts";
import type { RecordValue, Value } from "../../model/value.ts";
import { packsLists } from "../../schema/layout/protobuf.ts";
import { at, type Place, placeIn, withAt } from "../places.ts";
import {
  type Change,
  type Direction,
  fieldPath,
  isOpen,
  type Subject,
  scalarPlace,
  Unfit,
} from "./change.ts";
import { editMessages, integerAs, replaced, versionOf, withFields } from "./edit.ts";

type Map = Partial<Record<Scalar, Scalar>>;

const WIDER_SMALL: Map = { int8: "int16", uint8: "uint16", int16: "int32", uint16: "uint32" };

const WIDER: Map = {
  int32: "int64",
  uint32: "uint64",
  sint32: "sint64",
  fixed32: "fixed64",
  sfixed32: "sfixed64",
};

const OTHER_SIGN: Map = {
  int8: "uint8",
  int16: "uint16",
  int32: "uint32",
  int64: "uint64",
  sint32: "uint32",
  sint64: "uint64",
  sfixed32: "fixed32",
  sfixed64: "fixed64",
};

const ZIGZAG: Map = {
  int32: "sint32",
  int64: "sint64",
  uint32: "sint32",
  uint64: "sint64",
};

/** Every change of a type that a schema has a field for. */
export function retypings(subject: Subject): Change[] {
  return [
    ...[WIDER_SMALL, WIDER].flatMap((wider) => [
      ...resized(subject, "widen", wider),
      ...resized(subject, "narrow", reversed(wider)),
    ]),
    ...resized(subject, "change the sign:", { ...reversed(OTHER_SIGN), ...OTHER_SIGN }),
    ...resized(subject, "change to zigzag:", ZIGZAG, false),
    ...converted(subject, "widen", "float", "double", (value) => value),
    ...toFloat(subject),
    ...toDouble(subject),
    ...toText(subject),
    ...converted(subject, "change", "string", "bytes", (value) => Buffer.from(value as string)),
    ...lists(subject),
  ];
}

/** Of several types that become one, the first. */
function reversed(map: Map): Map {
  const pairs = Object.entries(map).map(([from, to]) => [to, from]);
  return Object.fromEntries(pairs.reverse());
}

const scalarOf = ({ type }: Field): Scalar | undefined => (type.kind === "scalar" ? type.scalar : undefined);

/** The bounds of an integer type. */
function boundsOf(scalar: Scalar): { readonly least: bigint; readonly most: bigint } {
  const { bits, signed } = integerOf(scalar)!;
  const most = 2n ** BigInt(signed ? bits - 1 : bits) - 1n;
  return { least: signed ? -most - 1n : 0n, most };
}

/** A value of one integer type that another has not, which numbers hold unless the data has bigints. */
function beyond(from: Scalar, to: Scalar, int64: Int64Mode): bigint | undefined {
  const a = boundsOf(from);
  const b = boundsOf(to);
  if (a.most <= b.most) {
    // A reader without a sign sees a number of 64 bits in it, which only a bigint holds.
    const isHeld = !is64Bit(to) || int64 === "bigint";
    return a.least < b.least && isHeld ? -1n : undefined;
  }
  const least = b.most + 1n;
  // What does not fit 32 bits shall not look like a sign that was lost.
  const chosen = a.most > 2n ** 41n && least < 2n ** 40n ? 2n ** 40n + 5n : least;
  return is64Bit(from) && int64 === "number" && chosen > 2n ** 53n - 1n ? undefined : chosen;
}

/** Integers of another size or sign: with the values that there are, and with one that the other type has not. */
function resized(subject: Subject, verb: string, target: Map, tellsBeyond = true): Change[] {
  const place = scalarPlace(subject, (field) => target[scalarOf(field)!] !== undefined);
  if (place === undefined) return [];
  const from = scalarOf(place.field)!;
  const to = target[from]!;
  const name = `${verb} ${from} to ${to}`;
  const { least, most } = boundsOf(to);
  const { int64 } = subject;
  const whole = (value: Value): number | bigint => {
    const given = BigInt(value as number | bigint);
    return integerAs(from, given >= least && given <= most ? given : 7n, int64);
  };
  const base = { place, to: { kind: "scalar", scalar: to } as const, name };
  const convert = (value: unknown): unknown => integerAs(to, value as number | bigint, int64);
  const changes = retyped(subject, { ...base, prepare: whole, convert });
  if (!tellsBeyond) return changes;
  const grown = beyond(to, from, int64);
  const shrunk = beyond(from, to, int64);
  return [
    ...changes,
    ...(grown === undefined
      ? []
      : retyped(subject, {
          ...base,
          prepare: whole,
          convert,
          name: `${name}, ${grown}`,
          newHas: integerAs(to, grown, int64),
        })),
    ...(shrunk === undefined
      ? []
      : retyped(subject, {
          ...base,
          prepare: whole,
          convert,
          name: `${name}, ${shrunk}`,
          oldHas: integerAs(from, shrunk, int64),
        })),
  ];
}

function converted(
  subject: Subject,
  verb: string,
  from: Scalar,
  to: Scalar,
  convert: (value: unknown) => unknown,
): Change[] {
  const place = scalarPlace(subject, (field) => scalarOf(field) === from && field.capacity === undefined);
  if (place === undefined) return [];
  const name = `${verb} ${from} to ${to}`;
  return retyped(subject, {
    place,
    to: { kind: "scalar", scalar: to },
    name,
    prepare: (value) => value,
    convert,
  });
}

function toFloat(subject: Subject): Change[] {
  const place = scalarPlace(subject, (field) => scalarOf(field) === "double");
  if (place === undefined) return [];
  const base: Retyping = {
    place,
    to: { kind: "scalar", scalar: "float" },
    name: "narrow double to float",
    prepare: (value) => Math.fround(value as number),
    convert: (value) => value,
  };
  return [
    ...retyped(subject, base),
    ...retyped(subject, { ...base, name: `${base.name}, 0.1`, oldHas: 0.1 }),
  ];
}

function toDouble(subject: Subject): Change[] {
  const place = integerPlace(subject);
  if (place === undefined) return [];
  return retyped(subject, {
    place,
    to: { kind: "scalar", scalar: "double" },
    name: `${scalarOf(place.field)} to double`,
    prepare: (value) => value,
    convert: (value) => Number(value),
  });
}

/** The number as digits: what a program sees that takes text for it. */
function toText(subject: Subject): Change[] {
  const place = integerPlace(subject);
  if (place === undefined) return [];
  return retyped(subject, {
    place,
    to: { kind: "scalar", scalar: "string" },
    name: `${scalarOf(place.field)} to string`,
    prepare: (value) => value,
    convert: (value) => String(value),
  });
}

function integerPlace(subject: Subject): Place | undefined {
  return scalarPlace(
    subject,
    (field) => integerOf(scalarOf(field)!) !== undefined && !is64Bit(scalarOf(field)!),
  );
}

interface Retyping {
  readonly place: Place;
  readonly to: FieldType;
  readonly name: string;
  /** What every value of the field is made in the old version, so that both types have it. */
  prepare(value: Value): unknown;
  /** A value of the old type as the new one has it. */
  convert(value: unknown): unknown;
  /** Given in that place by the new, or by the old version, where the other type has no such value. */
  readonly newHas?: unknown;
  readonly oldHas?: unknown;
}

function retyped(
  subject: Subject,
  { place, to, name, prepare, convert, newHas, oldHas }: Retyping,
): Change[] {
  const { schema, value, int64 } = subject;
  const { message, field, steps } = place;
  const inField = (one: RecordValue, edit: (held: Value) => unknown): Record<string, unknown> =>
    Object.hasOwn(one, field.name) ? { ...one, [field.name]: edit(one[field.name]!) } : { ...one };
  const base = editMessages(schema, value, message, (one) => inField(one, prepare)) as Value;
  const { default: declared, ...rest } = field;
  const kept = { ...rest, ...defined({ default: defaultAs(to, declared) }) };
  const wanted = withFields(schema, message, (fields) =>
    fields.map((one) => (one.name === field.name ? { ...kept, type: to } : one)),
  );
  const plain = versionOf(schema, base, int64);
  const old = oldHas === undefined ? plain : versionOf(schema, withAt(base, steps, oldHas), int64);
  const next = editMessages(schema, base, message, (one) => inField(one, (held) => convert(held)));
  const made = versionOf(wanted, newHas === undefined ? next : withAt(next, steps, newHas), int64);
  const seen = versionOf(wanted, next, int64);
  if (plain === undefined || old === undefined || made === undefined || seen === undefined) return [];
  // What is nowhere cannot be read as another type.
  if (typeof at(old.value, steps) === "symbol") return [];
  const directions: readonly Direction[] =
    newHas !== undefined
      ? ["old reads new", "relay"]
      : oldHas !== undefined
        ? ["new reads old"]
        : ["old reads new", "new reads old", "relay"];
  return [
    {
      name,
      path: fieldPath(message, field),
      done: `${to.kind === "scalar" ? to.scalar : to.name} ${field.name} = ${field.number} in place of ${scalarOf(field)}`,
      old,
      new: made,
      seenByOld: newHas === undefined ? plain.value : withAt(plain.value, steps, new Unfit(newHas)),
      seenByNew: oldHas === undefined ? seen.value : withAt(seen.value, steps, new Unfit(oldHas)),
      message,
      fields: [field.name],
      directions,
    },
  ];
}

/** A declared default as a field of another type has it; undefined where that type has no such value. */
function defaultAs(to: FieldType, declared: Field["default"]): Field["default"] {
  if (to.kind !== "scalar" || (typeof declared !== "number" && typeof declared !== "bigint"))
    return undefined;
  if (integerOf(to.scalar) === undefined) return to.scalar === "double" ? Number(declared) : undefined;
  if (!Number.isInteger(Number(declared))) return undefined;
  const { least, most } = boundsOf(to.scalar);
  const whole = BigInt(declared);
  if (whole < least || whole > most) return undefined;
  return is64Bit(to.scalar) ? whole : Number(whole);
}

function lists(subject: Subject): Change[] {
  return [...toList(subject), ...fromList(subject)];
}

function toList(subject: Subject): Change[] {
  const { schema, value, int64 } = subject;
  const place = scalarPlace(subject, (field) => scalarOf(field) !== "bytes" && field.capacity === undefined);
  if (place === undefined) return [];
  const { message, field, steps } = place;
  const scalar = scalarOf(field)!;
  const { default: _, ...kept } = field;
  const packed = scalar !== "string" && packsLists(schema);
  const wanted = withFields(schema, message, (fields) =>
    fields.map((one) => (one.name === field.name ? { ...kept, repetition: { kind: "list", packed } } : one)),
  );
  const wrapped = editMessages(schema, value, message, (one) => ({
    ...one,
    [field.name]: Object.hasOwn(one, field.name) ? [one[field.name]!] : [],
  }));
  const next = versionOf(wanted, wrapped, int64);
  const held = at(value, steps);
  if (next === undefined || typeof held === "symbol") return [];
  const pair = [held, otherThan(held as Value)];
  const two = versionOf(wanted, withAt(wrapped, steps, pair), int64);
  const shared = {
    path: fieldPath(message, field),
    done: `repeated ${scalar} ${field.name}`,
    old: subject,
    message,
    fields: [field.name],
  };
  return [
    { ...shared, name: `${scalar} to a list`, new: next, seenByOld: value, seenByNew: next.value },
    ...(two === undefined
      ? []
      : [
          {
            ...shared,
            name: `${scalar} to a list, of two`,
            new: two,
            seenByOld: withAt(value, steps, new Unfit(pair)),
            seenByNew: next.value,
            directions: ["old reads new"] as const,
          },
        ]),
  ];
}

/** Another value of the same scalar: of two that are one nobody sees which is read. */
function otherThan(value: Value): Value {
  switch (typeof value) {
    case "number":
      return value === 7 ? 8 : 7;
    case "bigint":
      return value === 7n ? 8n : 7n;
    case "boolean":
      return !value;
    case "string":
      return `${value}2`;
    default:
      return Buffer.concat([value as Uint8Array, Buffer.from([2])]);
  }
}

function fromList(subject: Subject): Change[] {
  const { schema, value, int64, absence } = subject;
  const place = placeIn(
    schema,
    value,
    ({ type, repetition }, holder) =>
      isOpen(holder) &&
      type.kind === "scalar" &&
      repetition.kind === "list" &&
      repetition.length === undefined,
    "field",
  );
  if (place === undefined) return [];
  const { message, field, steps } = place;
  const scalar = scalarOf(field)!;
  const held = at(value, steps);
  if (!Array.isArray(held) || held.length === 0) return [];
  const first = (one: RecordValue): Value[] => (one[field.name] as Value[] | undefined)?.slice(0, 1) ?? [];
  const one = versionOf(
    schema,
    editMessages(schema, value, message, (item) => ({ ...item, [field.name]: first(item) })),
    int64,
  );
  const single = withFields(
    schema,
    message,
    replaced(field, { repetition: { kind: "one", presence: absence } }),
  );
  const next = versionOf(
    single,
    editMessages(schema, value, message, (item) => {
      const [held] = first(item);
      const { [field.name]: _, ...rest } = item;
      return held === undefined ? rest : { ...rest, [field.name]: held };
    }),
    int64,
  );
  if (one === undefined || next === undefined) return [];
  const shared = {
    path: fieldPath(message, field),
    done: `optional ${scalar} ${field.name}`,
    new: next,
    message,
    fields: [field.name],
  };
  const pair = [held[0]!, otherThan(held[0]!)];
  const two = versionOf(schema, withAt(one.value, steps, pair), int64);
  return [
    { ...shared, name: `list of ${scalar} to one`, old: one, seenByOld: one.value, seenByNew: next.value },
    ...(two === undefined
      ? []
      : [
          {
            ...shared,
            name: `list of ${scalar} to one, of two`,
            old: two,
            seenByOld: one.value,
            seenByNew: withAt(next.value, steps, new Unfit(pair)),
            directions: ["new reads old"] as const,
          },
        ]),
  ];
}
