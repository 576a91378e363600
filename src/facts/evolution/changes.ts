/** The changes of a schema, each applied mechanically to a user's own one, with what either side should see of the other's values. */
import type { Dataset } from "../../model/dataset.ts";
import {
  enumOf,
  type Field,
  type MessageType,
  messageOf,
  type Schema,
  simpleName,
} from "../../model/schema.ts";
import { isRecord, type RecordValue, type Value } from "../../model/value.ts";
import { at, placeIn, withAt } from "../places.ts";
import { type Change, fieldPath, isOpen, type Subject, scalarPlace, Unfit } from "./change.ts";
import {
  type Absence,
  editMessages,
  loosened,
  replaced,
  type Version,
  versionOf,
  withFields,
  without,
} from "./edit.ts";
import { retypings } from "./retypings.ts";

/**
 * Every change that a schema has a place for, in its first value. Fields that every value has, although the schema says optional,
 * are so here: other versions may lack them.
 * @param absence what these are, and what is added
 */
export function changesOf(
  { schema, values, int64 }: Pick<Dataset, "schema" | "values" | "int64">,
  absence: Absence = "optional",
): Change[] {
  // A layout that a header or a file prescribes is that of the old version only.
  const { documents: _documents, header: _header, ...plain } = schema;
  const version = versionOf(loosened(plain, absence), values[0], int64);
  if (version === undefined) return [];
  const subject: Subject = { ...version, int64, absence };
  return [
    ...additions(subject),
    ...removals(subject),
    ...renaming(subject),
    ...reordering(subject),
    ...retypings(subject),
    ...requiring(subject),
    ...enumGrowth(subject),
    ...oneofGrowth(subject),
    ...toMap(subject),
    ...reuses(subject),
  ];
}

/** The next number of a message; those of a struct of Cap'n Proto and of its groups are one sequence. */
function nextNumber(schema: Schema, type: MessageType): number {
  const together = new Set([type]);
  // What is added meanwhile has its turn too.
  for (const one of together) {
    for (const inner of groupsOf(schema, one)) together.add(inner);
    for (const outer of schema.messages.values())
      if (groupsOf(schema, outer).includes(one)) together.add(outer);
  }
  return Math.max(0, ...[...together].flatMap(({ fields }) => fields.map(({ number }) => number))) + 1;
}

/** The groups of Cap'n Proto that a message holds. */
function groupsOf(schema: Schema, { fields }: MessageType): MessageType[] {
  return fields.flatMap(({ type }) => {
    const of = type.kind === "message" ? messageOf(schema, type.name) : undefined;
    return of?.form === "group" ? of : [];
  });
}

const ADDED = "wirebench_added";

/** Message types of a value that are open, the root first, and the first other one. */
function typesToChange({ schema, value }: Version): MessageType[] {
  const root = messageOf(schema, schema.root);
  const inner = placeIn(schema, value, (_, type) => type.name !== root.name && isOpen(type));
  return [
    ...(isOpen(root) ? [root] : []),
    ...(inner === undefined ? [] : [messageOf(schema, inner.message)]),
  ];
}

function additions(subject: Subject): Change[] {
  const { schema, value, int64, absence } = subject;
  return typesToChange(subject).flatMap((type) =>
    (["at the end", "in the middle"] as const).flatMap((where): Change[] => {
      if (where === "in the middle" && type.fields.length < 2) return [];
      const added: Field = {
        name: ADDED,
        number: nextNumber(schema, type),
        type: { kind: "scalar", scalar: "string" },
        repetition: { kind: "one", presence: absence },
      };
      const index = where === "at the end" ? type.fields.length : type.fields.length >> 1;
      const grown = withFields(schema, type.name, (fields) => fields.toSpliced(index, 0, added));
      const next = versionOf(
        grown,
        editMessages(schema, value, type.name, (message) => ({ ...message, [ADDED]: "added" })),
        int64,
      );
      if (next === undefined) return [];
      return [
        {
          name: `add a field ${where} of ${simpleName(type.name)}`,
          path: simpleName(type.name),
          done: `optional string ${ADDED} = ${added.number}, ${where === "at the end" ? "after" : "among"} its ${type.fields.length} fields`,
          old: subject,
          new: next,
          seenByOld: value,
          seenByNew: value,
          message: type.name,
          fields: [ADDED],
        },
      ];
    }),
  );
}

function removals(subject: Subject): Change[] {
  const { schema, value, int64 } = subject;
  const place = scalarPlace(subject, (_, type) => type.fields.length > 1);
  if (place === undefined) return [];
  const { message } = place;
  const { fields } = messageOf(schema, message);
  const last = fields.at(-1)!;
  const others = fields.filter(
    (field) => field !== last && field.repetition.kind === "one" && field.oneof === undefined,
  );
  const removal = (field: Field, name: string, isKept: boolean): Change[] => {
    const path = fieldPath(message, field);
    const left = editMessages(schema, value, message, (one) => without(one, field.name));
    const shrunk = isKept
      ? schema
      : withFields(schema, message, (all) => all.filter((one) => one.name !== field.name));
    const next = versionOf(shrunk, left, int64);
    if (next === undefined) return [];
    return [
      {
        name,
        path,
        done: isKept ? `${path} is in the schema still` : `${path} is no longer there`,
        old: subject,
        new: next,
        seenByOld: left,
        seenByNew: isKept ? value : left,
        message,
        fields: [field.name],
        directions: isKept ? ["old reads new"] : ["old reads new", "new reads old"],
        isBeyondCapnp: !isKept && field !== last,
      },
    ];
  };
  const middle = others[0];
  const unwritten = fields.find(
    ({ repetition }) => repetition.kind === "one" && repetition.presence === "optional",
  );
  return [
    ...(last.oneof === undefined ? removal(last, "remove the last field", false) : []),
    ...(middle === undefined ? [] : removal(middle, "remove another field", false)),
    ...(unwritten === undefined ? [] : removal(unwritten, "write a field no longer", true)),
  ];
}

function renaming(subject: Subject): Change[] {
  const { schema, value, int64 } = subject;
  const place = scalarPlace(subject, () => true);
  if (place === undefined) return [];
  const { message, field } = place;
  const name = `${field.name}_renamed`;
  const rename =
    (from: string, to: string) =>
    (one: RecordValue): Record<string, unknown> =>
      Object.fromEntries(Object.entries(one).map(([key, held]) => [key === from ? to : key, held]));
  const { jsonName: _, ...rest } = field;
  const renamed = withFields(schema, message, (fields) =>
    fields.map((one) => (one.name === field.name ? { ...rest, name } : one)),
  );
  const next = versionOf(renamed, editMessages(schema, value, message, rename(field.name, name)), int64);
  if (next === undefined) return [];
  return [
    {
      name: "rename a field",
      path: fieldPath(message, field),
      done: `${name} in place of ${field.name}, with the same number`,
      old: subject,
      new: next,
      seenByOld: value,
      seenByNew: next.value,
      message,
      fields: [field.name, name],
    },
  ];
}

function reordering(subject: Subject): Change[] {
  const { schema, value, int64 } = subject;
  const place = placeIn(schema, value, (_, type) => isOpen(type) && type.fields.length > 1);
  if (place === undefined) return [];
  const { message } = place;
  const swapped = withFields(schema, message, ([first, second, ...rest]) => [second!, first!, ...rest]);
  const next = versionOf(swapped, value, int64);
  if (next === undefined) return [];
  const [first, second] = messageOf(schema, message).fields;
  return [
    {
      name: "reorder fields",
      path: simpleName(message),
      done: `${second!.name} is declared before ${first!.name}, both with their numbers`,
      old: subject,
      new: next,
      seenByOld: value,
      seenByNew: value,
      message,
      fields: [],
      directions: ["old reads new", "new reads old"],
    },
  ];
}

function requiring(subject: Subject): Change[] {
  const { schema, value, int64 } = subject;
  const place = scalarPlace(
    subject,
    ({ repetition }) => repetition.kind === "one" && repetition.presence === "optional",
  );
  const held = place === undefined ? undefined : at(value, place.steps);
  if (place === undefined || typeof held === "symbol") return [];
  const { message, field, steps } = place;
  const whole = editMessages(schema, value, message, (one) => ({ [field.name]: held, ...one }));
  const strict = withFields(
    schema,
    message,
    replaced(field, { repetition: { kind: "one", presence: "required" } }),
  );
  const old = versionOf(schema, whole, int64);
  const next = versionOf(strict, whole, int64);
  if (old === undefined || next === undefined) return [];
  const lacking = versionOf(schema, without(old.value as RecordValue, ""), int64)!;
  const one = {
    path: fieldPath(message, field),
    old,
    new: next,
    message,
    fields: [field.name],
    isBeyondCapnp: true,
  };
  const parent = at(old.value, steps.slice(0, -1)) as RecordValue;
  const absent = withAt(lacking.value, steps.slice(0, -1), without(parent, field.name)) as Value;
  return [
    {
      ...one,
      name: "optional to required",
      done: "every message has it",
      seenByOld: next.value,
      seenByNew: old.value,
      directions: ["old reads new", "new reads old"],
    },
    {
      ...one,
      name: "optional to required, absent",
      done: "a message of the old version lacks it",
      old: { schema, value: absent },
      seenByOld: next.value,
      seenByNew: withAt(absent, steps, new Unfit(undefined)),
      directions: ["new reads old"],
    },
  ];
}

function enumGrowth(subject: Subject): Change[] {
  const { schema, value, int64 } = subject;
  const place = placeIn(
    schema,
    value,
    ({ type, repetition }) =>
      type.kind === "enum" && repetition.kind === "one" && type.name !== "google.protobuf.NullValue",
  );
  if (place?.field.type.kind !== "enum") return [];
  const type = enumOf(schema, place.field.type.name);
  const number = Math.max(...type.values.map((one) => one.number)) + 1;
  const values = [...type.values, { name: `${type.values[0]!.name}_ADDED`, number }];
  const grown: Schema = { ...schema, enums: new Map(schema.enums).set(type.name, { ...type, values }) };
  const next = versionOf(grown, withAt(value, place.steps, number), int64);
  if (next === undefined) return [];
  return [
    {
      name: "add a value to an enum",
      path: fieldPath(place.message, place.field),
      done: `${simpleName(type.name)} has the number ${number}, which is written`,
      old: subject,
      new: next,
      seenByOld: next.value,
      seenByNew: value,
      message: place.message,
      fields: [place.field.name],
    },
  ];
}

function oneofGrowth(subject: Subject): Change[] {
  const { schema, value, int64, absence } = subject;
  const place = placeIn(
    schema,
    value,
    ({ oneof, tag }, type) => oneof !== undefined && tag === undefined && isOpen(type),
    "field",
  );
  if (place === undefined) return [];
  const { message, field, steps } = place;
  const { oneof } = field;
  const type = messageOf(schema, message);
  const added: Field = {
    name: ADDED,
    number: nextNumber(schema, type),
    type: { kind: "scalar", scalar: "string" },
    repetition: { kind: "one", presence: absence },
    ...(oneof === undefined ? {} : { oneof }),
  };
  const parent = at(value, steps.slice(0, -1)) as RecordValue;
  const rest = without(parent, field.name);
  const grown = withFields(schema, message, (fields) => [...fields, added]);
  const next = versionOf(grown, withAt(value, steps.slice(0, -1), { ...rest, [ADDED]: "added" }), int64);
  if (next === undefined) return [];
  return [
    {
      name: "add a member to a oneof",
      path: `${simpleName(message)}.${oneof}`,
      done: `string ${ADDED} = ${added.number}, which is set`,
      old: subject,
      new: next,
      seenByOld: withAt(value, steps.slice(0, -1), rest),
      seenByNew: value,
      message,
      fields: [ADDED],
    },
  ];
}

/** A message whose fields are all of one scalar becomes a map of that: text formats hold both alike. */
function toMap(subject: Subject): Change[] {
  const { schema, value, int64 } = subject;
  const place = placeIn(schema, value, ({ type, repetition, oneof }, holder) => {
    if (type.kind !== "message" || repetition.kind !== "one" || oneof !== undefined || !isOpen(holder))
      return false;
    const { form, fields } = messageOf(schema, type.name);
    const [first] = fields;
    return (
      form === undefined &&
      first?.type.kind === "scalar" &&
      fields.every(
        (field) =>
          field.type.kind === "scalar" &&
          first.type.kind === "scalar" &&
          field.type.scalar === first.type.scalar &&
          field.repetition.kind === "one" &&
          field.oneof === undefined,
      )
    );
  });
  if (place?.field.type.kind !== "message" || !isRecord(at(value, place.steps))) return [];
  const { message, field } = place;
  const [first] = messageOf(schema, place.field.type.name).fields;
  const mapped = withFields(
    schema,
    message,
    replaced(field, { type: first!.type, repetition: { kind: "map", key: "string" } }),
  );
  const next = versionOf(mapped, value, int64);
  if (next === undefined) return [];
  return [
    {
      name: "message to map",
      path: fieldPath(message, field),
      done: `the fields of ${simpleName(place.field.type.name)} are keys of a map`,
      old: subject,
      new: next,
      seenByOld: next.value,
      seenByNew: next.value,
      message,
      fields: [field.name],
      directions: ["old reads new", "new reads old"],
    },
  ];
}

function reuses(subject: Subject): Change[] {
  const { schema, value, int64 } = subject;
  const place = scalarPlace(subject, ({ type }) => type.kind === "scalar" && type.scalar !== "bytes");
  if (place?.field.type.kind !== "scalar") return [];
  const { message, field } = place;
  const { scalar } = place.field.type;
  const isText = scalar === "string";
  const name = `${field.name}_reused`;
  const left = editMessages(schema, value, message, (one) => without(one, field.name));
  const { jsonName: _, default: __, ...kept } = field;
  return ([true, false] as const).flatMap((isSame): Change[] => {
    const type = isSame ? scalar : isText ? "uint32" : "string";
    const given =
      type === "string" ? "reused" : type === "bool" ? true : type === "double" || type === "float" ? 0.5 : 1;
    const reusing = withFields(schema, message, (fields) =>
      fields.map((one) =>
        one.name === field.name ? { ...kept, name, type: { kind: "scalar", scalar: type } } : one,
      ),
    );
    const isLong = typeof given === "number" && int64 === "bigint" && /64/.test(type);
    const next = versionOf(
      reusing,
      editMessages(schema, value, message, (one) => ({
        ...without(one, field.name),
        [name]: isLong ? BigInt(given) : given,
      })),
      int64,
    );
    if (next === undefined) return [];
    return [
      {
        name: `reuse a number, ${isSame ? "same" : "another"} type`,
        path: fieldPath(message, field),
        done: `${type} ${name} = ${field.number} in place of ${scalar} ${field.name} = ${field.number}`,
        old: subject,
        new: next,
        seenByOld: left,
        seenByNew: left,
        message,
        fields: [field.name, name],
      },
    ];
  });
}
