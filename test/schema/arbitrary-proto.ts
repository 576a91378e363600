/** Random schemas with what only protobuf has: groups, oneofs, open enums, nested types and defaults. */
import fc from "fast-check";
import type { Dataset } from "../../src/model/dataset.ts";
import type { EnumType, Field, FieldType, MessageType, Scalar, Schema } from "../../src/model/schema.ts";
import { isRecord, type Value } from "../../src/model/value.ts";
import { conform } from "../../src/schema/values/conform.ts";
import { schemas, valuesOf } from "../arbitrary-schema.ts";

/** A schema whose types are in the package `pkg`, some of them in others. */
export function protoSchemas(pkg: string): fc.Arbitrary<Schema> {
  const choices = fc.record({
    nested: fc.boolean(),
    open: fc.boolean(),
    zeroLast: fc.boolean(),
    groups: fc.boolean(),
    oneofs: fc.boolean(),
    defaults: fc.boolean(),
    syntax: fc.constantFrom("any", "proto2", "proto3"),
  });
  return fc.tuple(schemas(), choices).map(([schema, choice]) => {
    const rename = renamer(pkg, choice.nested);
    const open = choice.syntax === "proto3" || (choice.syntax === "any" && choice.open);
    const proto3 = choice.syntax === "proto3";
    const messages = [...schema.messages.values()].map(
      (message): MessageType => ({
        name: rename(message.name),
        fields: message.fields.map((field, index) => {
          let changed: Field = { ...field, type: retyped(field.type, rename) };
          if (choice.groups && !proto3) changed = asGroup(changed, message.name);
          // The parser of protobufjs takes no oneof in a group, and no group in a oneof.
          const mayBeGroup = choice.groups && !proto3 && /M[23]$/.test(message.name);
          if (choice.oneofs && !mayBeGroup && changed.group !== true) changed = inOneof(changed, index);
          if (choice.defaults && !proto3) changed = withDefault(changed);
          return choice.syntax === "any" ? changed : inSyntax(changed, proto3);
        }),
      }),
    );
    const enums = [...schema.enums.values()].map((type): EnumType => {
      const values = choice.zeroLast && !proto3 ? [...type.values].reverse() : type.values;
      return { ...type, name: rename(type.name), closed: !open, values };
    });
    return {
      package: pkg,
      root: rename(schema.root),
      messages: new Map(messages.map((message) => [message.name, message])),
      enums: new Map(enums.map((type) => [type.name, type])),
    };
  });
}

/** `test.M1` as `pkg.M1`, or as `pkg.M0.M1`; the enum goes into a message too. */
function renamer(pkg: string, nested: boolean): (name: string) => string {
  return (name) => {
    const simple = name.slice("test.".length);
    return nested && simple !== "M0" ? `${pkg}.M0.${simple}` : `${pkg}.${simple}`;
  };
}

function retyped(type: FieldType, rename: (name: string) => string): FieldType {
  return type.kind === "scalar" ? type : { ...type, name: rename(type.name) };
}

/** Only of a later message: a group in itself is what no .proto file can say. */
function asGroup(field: Field, owner: string): Field {
  const { type, repetition } = field;
  const later = type.kind === "message" && /M[23]$/.test(type.name) && type.name.slice(-1) > owner.slice(-1);
  return later && repetition.kind !== "map" ? { ...field, group: true } : field;
}

function inOneof(field: Field, index: number): Field {
  const { repetition } = field;
  if (repetition.kind !== "one" || repetition.presence !== "optional") return field;
  return { ...field, oneof: index % 2 === 0 ? "choice" : "other_choice" };
}

const DEFAULTS: Partial<Record<Scalar, readonly NonNullable<Field["default"]>[]>> = {
  bool: [true, false],
  int32: [-5, 2147483647],
  uint64: [7],
  int64: [-7],
  float: [0.5, Number.POSITIVE_INFINITY, Number.NaN, -0, 1e-45],
  double: [0.1, Number.NEGATIVE_INFINITY, 1e300, 5e-324],
  string: ['a"b\\c', "\n\t\u0000\u007f", "1\u00002", "日本 é"],
  bytes: ["\u0000\u00ff1", 'a"\\'],
};

function withDefault(field: Field): Field {
  const { type, repetition, number } = field;
  if (repetition.kind !== "one" || repetition.presence === "implicit") return field;
  const choices = type.kind === "enum" ? [1, -3] : type.kind === "scalar" ? DEFAULTS[type.scalar] : undefined;
  return choices === undefined ? field : { ...field, default: choices[number % choices.length]! };
}

function inSyntax(field: Field, proto3: boolean): Field {
  const { repetition, type } = field;
  if (repetition.kind !== "one" || type.kind === "message") return field;
  const { presence } = repetition;
  if (proto3 && presence === "required")
    return { ...field, repetition: { kind: "one", presence: "implicit" } };
  if (!proto3 && presence === "implicit")
    return { ...field, repetition: { kind: "one", presence: "optional" } };
  return field;
}

/** A dataset of such a schema, each oneof with at most one member set. */
export function protoDatasets(pkg: string): fc.Arbitrary<Dataset> {
  return protoSchemas(pkg).chain((schema) =>
    fc.array(valuesOf(schema), { minLength: 1, maxLength: 2 }).map((inputs) => {
      const clean = inputs.map((input) => oneOfEach(schema, schema.root, input as Value));
      const values = clean.map((value) => conform(schema, value, { form: "plain", int64: "bigint" }).value);
      return { name: "random", schema, values, int64: "bigint" };
    }),
  );
}

function oneOfEach(schema: Schema, name: string, value: Value): Value {
  if (!isRecord(value)) return value;
  const taken = new Set<string>();
  const result: [string, Value][] = [];
  for (const { name: key, type, repetition, oneof } of schema.messages.get(name)?.fields ?? []) {
    const given = Object.hasOwn(value, key) ? value[key] : undefined;
    if (given === undefined || (oneof !== undefined && taken.has(oneof))) continue;
    if (oneof !== undefined) taken.add(oneof);
    const inner = (item: Value): Value =>
      type.kind === "message" ? oneOfEach(schema, type.name, item) : item;
    if (repetition.kind === "list" && Array.isArray(given)) result.push([key, given.map(inner)]);
    else if (repetition.kind === "map" && isRecord(given)) {
      // One entry: protoc writes a map in an order of its own.
      const entries = Object.entries(given).slice(0, 1);
      result.push([key, Object.fromEntries(entries.map(([k, v]) => [k, inner(v)]))]);
    } else result.push([key, inner(given)]);
  }
  return Object.fromEntries(result);
}
