import type { TermReader } from "../../formats/erlang-etf/reader.ts";
import type { Dataset } from "../../model/dataset.ts";
import { assignField, compile, literal, literalKey, numbered, setOwn } from "../../model/generated-code.ts";
import {
  enumOf,
  type Field,
  type FieldType,
  hasPresence,
  type Int64Mode,
  is64Bit,
  type MessageType,
  reachableEnums,
  reachableMessages,
  type Scalar,
  simpleName,
} from "../../model/schema.ts";
import type { Value } from "../../model/value.ts";
import { elementsOf } from "../../schema/layout/erlang-records.ts";
import * as input from "./record-input.ts";
import { EnumNames, KnownAtom } from "./record-input.ts";

/**
 * Generates the function that reads a record as a value of the schema's root. It throws a DecodeError for a term of
 * another layout; that integers have no more bits than the schema says is left to the caller to check.
 */
export function compileReadRecord({ schema, int64 }: Dataset): (reader: TermReader) => Value {
  const messages = reachableMessages(schema);
  const enums = reachableEnums(schema);
  const context: Context = {
    int64,
    names: numbered(
      messages.map(({ name }) => name),
      "read",
    ),
    enums: numbered(
      enums.map(({ name }) => name),
      "enum",
    ),
  };
  const source = `${messages.map((message) => readMessage(message, context)).join("\n")}
return (r) => ${context.names.get(schema.root)}(r, 1);`;
  const numbers = enums.map(({ name }) => {
    return [context.enums.get(name)!, new EnumNames(enumOf(schema, name).values)] as const;
  });
  const atoms = messages.map(({ name }) => {
    return [`${context.names.get(name)}Name`, new KnownAtom(simpleName(name))] as const;
  });
  return compile(source, { ...input, setOwn, ...Object.fromEntries([...numbers, ...atoms]) });
}

interface Context {
  readonly int64: Int64Mode;
  readonly names: ReadonlyMap<string, string>;
  readonly enums: ReadonlyMap<string, string>;
}

function readMessage(message: MessageType, context: Context): string {
  const variables = new Map(message.fields.map((field, i) => [field, `x${i}`]));
  const elements = elementsOf(message);
  const lines = elements.map((element) => {
    if (element.kind === "field") return readField(element.field, variables.get(element.field)!, context);
    const members = element.fields.map(
      (field) =>
        `case ${literal(field.name)}: ${variables.get(field)} = ${readOne(field.type, context)}; break;`,
    );
    return `if (!isAbsent(r)) switch (readMember(r, d + 1)) { ${members.join(" ")} default: refuseMember(r); }`;
  });
  // As in a value: what is always there first in one literal, then, from the first that may be absent on, one by one.
  const gap = message.fields.findIndex((field) => hasPresence(field) || field.oneof !== undefined);
  const [first, rest] = [
    message.fields.slice(0, gap < 0 ? undefined : gap),
    gap < 0 ? [] : message.fields.slice(gap),
  ];
  const members = first.map((field) => `${literalKey(field.name)}: ${variables.get(field)}`);
  const others = rest.map((field) => {
    const x = variables.get(field)!;
    return `if (${x} !== undefined) { ${assignField("o", field.name, x)} }`;
  });
  return `function ${context.names.get(message.name)}(r, d) {
  let ${[...variables.values(), "c"].join(", ")};
  readHead(r, ${elements.length + 1}, ${context.names.get(message.name)}Name, d);
  ${lines.join("\n  ")}
  const o = { ${members.join(", ")} };
  ${others.join("\n  ")}
  return o;
}`;
}

function readField(field: Field, x: string, context: Context): string {
  const { type, repetition } = field;
  const one = readOne(type, context);
  switch (repetition.kind) {
    case "one":
      return repetition.presence === "optional" ? `if (!isAbsent(r)) ${x} = ${one};` : `${x} = ${one};`;
    case "list": {
      const isInteger = type.kind === "enum" || (type.kind === "scalar" && !OTHERS.has(type.scalar));
      const isLong = type.kind === "scalar" && is64Bit(type.scalar) && context.int64 === "bigint";
      const bytes = isInteger ? `readByteList(r, ${isLong})` : "undefined";
      return `${x} = ${bytes}; if (${x} === undefined) { ${x} = []; c = readCount(r, d + 1); for (let i = 0; i < c; i++) ${x}.push(${one}); readNil(r, c); }`;
    }
    case "map":
      return `${x} = {}; c = readCount(r, d + 1); for (let i = 0; i < c; i++) { readPair(r, d + 2); const k = newKey(r, ${x}, ${readKey(repetition.key)}); setOwn(${x}, k, ${one}); } readNil(r, c);`;
  }
}

const OTHERS: ReadonlySet<Scalar> = new Set(["bool", "float", "double", "string", "bytes"]);

/** The expression of one value. */
function readOne(type: FieldType, { int64, names, enums }: Context): string {
  if (type.kind === "message") return `${names.get(type.name)}(r, d + 1)`;
  if (type.kind === "enum") return `readEnum(r, ${enums.get(type.name)})`;
  switch (type.scalar) {
    case "bool":
      return "readBool(r)";
    case "float":
    case "double":
      return "readFloat(r)";
    case "string":
      return "readText(r)";
    case "bytes":
      return "readBytes(r)";
    default:
      return is64Bit(type.scalar) && int64 === "bigint" ? "readLong(r)" : "readInteger(r)";
  }
}

/** The expression of a map's key, as text. */
function readKey(scalar: Scalar): string {
  if (scalar === "string") return "readText(r)";
  return scalar === "bool" ? "String(readBool(r))" : "String(readLong(r))";
}
