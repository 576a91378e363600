import type { DescMessage } from "@bufbuild/protobuf";
import {
  assignField,
  compile,
  fieldOf,
  literal,
  literalKey,
  numbered,
  setOwn,
} from "../../model/generated-code.ts";
import {
  type Field,
  type FieldType,
  type Int64Mode,
  is64Bit,
  type MessageType,
  reachableMessages,
  type Schema,
} from "../../model/schema.ts";
import type { Value } from "../../model/value.ts";

/** The messages of a schema as protobuf-es knows them, by their names in the schema. */
export type Types = ReadonlyMap<string, DescMessage>;

/** Where protobuf-es holds a field. */
interface Place {
  /** The property of the field; of a member of a oneof its case. */
  readonly name: string;
  readonly oneof: string | undefined;
  /** Whether a message's prototype has a default in its place. */
  readonly inherited: boolean;
}

/**
 * Makes what turns a plain value into one that protobuf-es takes: properties in lowerCamelCase, a oneof as its case and its
 * value, 64-bit integers as bigints. @param named whether each message has its `$typeName`, and so is one already
 */
export function compileToMessage(
  { schema, int64 }: { readonly schema: Schema; readonly int64: Int64Mode },
  types: Types,
  named: boolean,
): (value: Value) => object {
  return compileEach(schema, "to", (message, convert) => {
    const desc = types.get(message.name)!;
    const { fields } = message;
    const places = fields.map((field) => placeOf(desc, field));
    const isThere = ({ repetition }: Field, { oneof }: Place): boolean =>
      oneof === undefined && (repetition.kind !== "one" || repetition.presence !== "optional");
    const members = fields.flatMap((field, i) => {
      const place = places[i]!;
      if (!isThere(field, place)) return [];
      return [
        `    ${literalKey(place.name)}: ${convert(field, fieldOf("m", field.name), toBigint(int64))},\n`,
      ];
    });
    const rest = fields.map((field, i) => {
      const place = places[i]!;
      if (isThere(field, place)) return "";
      const value = convert(field, "x", toBigint(int64));
      const held = place.oneof === undefined ? value : `{ case: ${literal(place.name)}, value: ${value} }`;
      const set = assignField("o", place.oneof ?? place.name, held);
      return `  x = ${fieldOf("m", field.name)}; if (x !== undefined) { ${set} }\n`;
    });
    const oneofs = desc.oneofs.map(({ localName }) => `    ${literalKey(localName)}: { case: undefined },\n`);
    const type = named ? `    $typeName: ${literal(desc.typeName)},\n` : "";
    return `  const o = {\n${type}${members.join("")}${oneofs.join("")}  };\n  let x;\n${rest.join("")}  return o;\n`;
  });
}

/** Makes what turns a message that protobuf-es has decoded into a plain value. */
export function compileToPlain(
  { schema, int64 }: { readonly schema: Schema; readonly int64: Int64Mode },
  types: Types,
): (message: unknown) => Value {
  return compileEach(schema, "from", (message, convert) => {
    const desc = types.get(message.name)!;
    const gap = message.fields.findIndex(isOptional);
    const first = gap < 0 ? message.fields.length : gap;
    const members: string[] = [];
    const rest: string[] = [];
    for (const [index, field] of message.fields.entries()) {
      const read = readOf(placeOf(desc, field), isOptional(field));
      const value = (given: string): string => convert(field, given, fromBigint(int64));
      if (index < first) members.push(`    ${literalKey(field.name)}: ${value(read)},\n`);
      else if (isOptional(field))
        rest.push(`  x = ${read}; if (x !== undefined) { ${assignField("o", field.name, value("x"))} }\n`);
      else rest.push(`  ${assignField("o", field.name, value(read))}\n`);
    }
    return `  const o = {\n${members.join("")}  };\n  let x;\n${rest.join("")}  return o;\n`;
  });
}

function isOptional({ repetition }: Field): boolean {
  return repetition.kind === "one" && repetition.presence === "optional";
}

function placeOf(desc: DescMessage, { number }: Field): Place {
  const field = desc.fields.find((one) => one.number === number)!;
  const inherited = field.fieldKind === "scalar" || field.fieldKind === "enum";
  return { name: field.localName, oneof: field.oneof?.localName, inherited };
}

/** An expression for what a decoded message `m` has in a place; undefined where it has nothing. */
function readOf({ name, oneof, inherited }: Place, optional: boolean): string {
  const read = `m[${literal(name)}]`;
  if (oneof !== undefined) {
    const held = `m[${literal(oneof)}]`;
    return `(${held}.case === ${literal(name)} ? ${held}.value : undefined)`;
  }
  return optional && inherited ? `(Object.hasOwn(m, ${literal(name)}) ? ${read} : undefined)` : read;
}

type Leaf = (type: FieldType, value: string) => string;

function isLong(type: FieldType): boolean {
  return type.kind === "scalar" && is64Bit(type.scalar);
}

function toBigint(int64: Int64Mode): Leaf {
  return (type, value) => (int64 === "number" && isLong(type) ? `BigInt(${value})` : value);
}

function fromBigint(int64: Int64Mode): Leaf {
  return (type, value) => (int64 === "number" && isLong(type) ? `Number(${value})` : value);
}

/** Makes a function of each message of a schema, and gives that of the root. */
function compileEach<F>(
  schema: Schema,
  prefix: string,
  body: (message: MessageType, convert: (field: Field, value: string, leaf: Leaf) => string) => string,
): F {
  const messages = reachableMessages(schema);
  const names = numbered(
    messages.map(({ name }) => name),
    prefix,
  );
  const convert = ({ type, repetition }: Field, value: string, leaf: Leaf): string => {
    const one = (item: string): string =>
      type.kind === "message" ? `${names.get(type.name)}(${item})` : leaf(type, item);
    // What stays as it is need not be copied.
    if (repetition.kind === "one" || one("e") === "e") return one(value);
    if (repetition.kind === "list") return `${value}.map((e) => ${one("e")})`;
    return `entries(${value}, (e) => ${one("e")})`;
  };
  const functions = messages.map(
    (message) => `function ${names.get(message.name)}(m) {\n${body(message, convert)}}`,
  );
  return compile(`${functions.join("\n")}\nreturn ${names.get(schema.root)};`, { entries });
}

function entries(map: Readonly<Record<string, unknown>>, convert: (value: unknown) => unknown): object {
  const result = {};
  for (const key of Object.keys(map)) setOwn(result as Record<string, unknown>, key, convert(map[key]));
  return result;
}
