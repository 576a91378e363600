import protobuf from "protobufjs";
import { defined } from "../../model/defined.ts";
import { SchemaError, UsageError } from "../../model/errors.ts";
import { nearNames } from "../../model/near-names.ts";
import {
  type EnumType,
  type Field,
  type FieldType,
  integerOf,
  type MessageType,
  type Presence,
  type Repetition,
  type Scalar,
  type Schema,
  simpleName,
} from "../../model/schema.ts";
import { fieldNumberProblem, isPackable } from "../layout/protobuf.ts";
import { declaredMessages, type ProtoSource, readProtoSource } from "./proto-source.ts";

/**
 * Reads a message of a .proto file as a schema.
 * @param message full name, or the end of one, as in `Person` for `pkg.Person`; may be left out where the
 *   file has only one message that no other message of it contains.
 */
export function readProto(file: string, message?: string): Schema {
  const source = readProtoSource(file);
  const converter = new Converter(source);
  const root = message === undefined ? onlyRoot(source) : findMessage(source, message);
  converter.message(source.root.lookupType(root));
  return { package: source.package, root, messages: converter.messages, enums: converter.enums };
}

function findMessage(source: ProtoSource, message: string): string {
  const wanted = message.replace(/^\./, "");
  const all = declaredMessages(source.root);
  const exact = all.find((name) => name === wanted);
  if (exact !== undefined) return exact;
  const ending = all.filter((name) => name.endsWith(`.${wanted}`));
  if (ending.length === 1 && ending[0] !== undefined) return ending[0];
  const problem =
    ending.length > 1
      ? `is one of ${ending.join(", ")}: give the full name`
      : // A name without its package is compared with names without theirs.
        `is not in it${nearNames(wanted, wanted.includes(".") ? source.messages : source.messages.map(simpleName))}`;
  throw new UsageError(`${source.file}: message "${message}" ${problem}`);
}

function onlyRoot(source: ProtoSource): string {
  const contained = new Set<string>();
  for (const name of source.messages) {
    for (const field of source.root.lookupType(name).fieldsArray) {
      const inner = field.resolvedType;
      if (inner !== null && inner.fullName !== `.${name}`) contained.add(inner.fullName.slice(1));
    }
  }
  const roots = source.messages.filter((name) => !contained.has(name));
  if (roots.length === 1 && roots[0] !== undefined) return roots[0];
  if (source.messages.length === 0) throw new SchemaError(source.file, "declares no message");
  const choices = (roots.length > 0 ? roots : source.messages).join(", ");
  throw new UsageError(`${source.file}: which message is it? give --message, one of ${choices}`);
}

/** Turns protobufjs's reflection into the model, message by message as they are met. */
class Converter {
  readonly messages = new Map<string, MessageType>();
  readonly enums = new Map<string, EnumType>();
  readonly #source: ProtoSource;

  constructor(source: ProtoSource) {
    this.#source = source;
  }

  message(type: protobuf.Type): void {
    const name = type.fullName.slice(1);
    if (this.messages.has(name)) return;
    const fields: Field[] = [];
    // Entered before its fields are, so that a recursive message ends here.
    this.messages.set(name, { name, fields });
    for (const field of type.fieldsArray) fields.push(this.field(field.resolve()));
  }

  field(field: protobuf.Field): Field {
    const { name, id } = field;
    const problem = fieldNumberProblem(id);
    if (problem !== undefined) throw this.#error(name, `field ${field.fullName.slice(1)}: ${problem}`);
    const oneof = field.partOf;
    const declared = readDefault(field, () => this.#source.integerDefault(name, id));
    if ("problem" in declared)
      throw this.#error(name, `field ${field.fullName.slice(1)}: ${declared.problem}`);
    const type = this.#type(field);
    return defined({
      // An extension is named with a leading dot; it is a field like any other on the wire.
      name: name.startsWith(".") ? name.slice(1) : name,
      number: id,
      type,
      repetition: repetitionOf(field, type),
      group: field.delimited || undefined,
      // A proto3 `optional` field is alone in a oneof that the compiler makes up.
      oneof: oneof === null || isSynthetic(oneof) ? undefined : oneof.name,
      default: declared.value,
    });
  }

  #error(mention: string, problem: string): SchemaError {
    return new SchemaError(this.#source.file, problem, this.#source.locate(mention));
  }

  #type(field: protobuf.Field): FieldType {
    const type = field.resolvedType;
    if (type instanceof protobuf.Type) {
      this.message(type);
      return { kind: "message", name: type.fullName.slice(1) };
    }
    if (type instanceof protobuf.Enum) {
      this.#enum(type);
      return { kind: "enum", name: type.fullName.slice(1) };
    }
    return { kind: "scalar", scalar: field.type as Scalar };
  }

  #enum(type: protobuf.Enum): void {
    const name = type.fullName.slice(1);
    if (this.enums.has(name)) return;
    const values = Object.entries(type.values).map(([label, number]) => ({ name: label, number }));
    const closed = isClosed(type);
    const problem = enumProblem(values, closed);
    if (problem !== undefined) throw this.#error(type.name, `enum ${name}: ${problem}`);
    this.enums.set(name, { name, values, bits: 32, closed });
  }
}

function repetitionOf(field: protobuf.Field, type: FieldType): Repetition {
  if (field instanceof protobuf.MapField) return { kind: "map", key: field.keyType as Scalar };
  // In proto3 every list is packed to protobufjs, also one of messages.
  if (field.repeated) return { kind: "list", packed: field.packed && isPackable(type) };
  return { kind: "one", presence: presenceOf(field) };
}

function presenceOf(field: protobuf.Field): Presence {
  if (field.required) return "required";
  const message = field.resolvedType instanceof protobuf.Type;
  return message || field.hasPresence ? "optional" : "implicit";
}

function isSynthetic(oneof: protobuf.OneOf): boolean {
  const [only, ...others] = oneof.fieldsArray;
  return others.length === 0 && only?.options?.["proto3_optional"] === true;
}

/** What protoc refuses in an enum and protobufjs does not. */
function enumProblem(values: EnumType["values"], closed: boolean): string | undefined {
  const [first] = values;
  if (first === undefined) return "it has no values";
  if (!closed && first.number !== 0) return `its first value must be 0, got ${first.name} = ${first.number}`;
  const wide = values.find(({ number }) => number !== (number | 0));
  return wide === undefined ? undefined : `${wide.name} = ${wide.number} is outside int32`;
}

/** Whether unknown numbers of this enum are refused. protobufjs tells only in its resolved features. */
function isClosed(type: protobuf.Enum): boolean {
  const { _features: features } = type as unknown as { _features?: { enum_type?: string } };
  return features?.enum_type === "CLOSED";
}

/** A default that is one, or why it is none. */
export type ReadDefault = { readonly value: Field["default"] } | { readonly problem: string };

/**
 * The default that a .proto declares for a field, checked as protoc does; protobufjs takes anything.
 * @param exact finds an integer as it stands in the source: protobufjs rounds one beyond 2^53
 */
function readDefault(field: protobuf.Field, exact: () => bigint | undefined): ReadDefault {
  const declared: unknown = field.options?.["default"];
  if (declared === undefined) return { value: undefined };
  if (field.repeated || field.map || field.resolvedType instanceof protobuf.Type) {
    return { problem: "only a single scalar or enum has a default" };
  }
  if (!field.hasPresence || field.options?.["proto3_optional"] === true) {
    return { problem: "a default, and the file's syntax has none" };
  }
  if (field.resolvedType instanceof protobuf.Enum) {
    const { name, values } = field.resolvedType;
    const value = typeof declared === "string" ? values[declared] : undefined;
    return value === undefined ? { problem: `enum ${name} has no value ${declared}` } : { value };
  }
  return scalarDefault(field.type as Scalar, declared, exact);
}

function scalarDefault(scalar: Scalar, declared: unknown, exact: () => bigint | undefined): ReadDefault {
  switch (scalar) {
    case "bool":
      return typeof declared === "boolean" ? { value: declared } : mismatch(scalar, declared);
    case "string":
      return typeof declared === "string" ? { value: fromEscapes(declared) } : mismatch(scalar, declared);
    case "bytes":
      return typeof declared === "string" ? { value: declared } : mismatch(scalar, declared);
    case "float":
    case "double":
      return typeof declared === "number" ? { value: declared } : mismatch(scalar, declared);
    default:
      return typeof declared === "number"
        ? integerDefault(scalar, declared, exact)
        : mismatch(scalar, declared);
  }
}

function integerDefault(scalar: Scalar, declared: number, exact: () => bigint | undefined): ReadDefault {
  if (!Number.isInteger(declared)) return mismatch(scalar, declared);
  const { bits, signed } = integerOf(scalar) ?? { bits: 64, signed: true };
  const value = Number.isSafeInteger(declared) ? BigInt(declared) : exact();
  // Where the source does not tell, as under a name that stands twice, it is left out: it is only ever printed.
  if (value === undefined) return { value: undefined };
  const fits = signed ? BigInt.asIntN(bits, value) === value : BigInt.asUintN(bits, value) === value;
  if (!fits) return { problem: `the default ${value} is outside ${scalar}` };
  return { value: Number.isSafeInteger(declared) ? declared : value };
}

function mismatch(scalar: Scalar, declared: unknown): ReadDefault {
  return { problem: `expected a default of type ${scalar}, got ${JSON.stringify(declared)}` };
}

/** Escapes such as \303\251 are bytes of UTF-8. protobufjs makes a character of each. */
function fromEscapes(text: string): string {
  if (!/[\x80-\xff]/.test(text) || /[^\0-\xff]/.test(text)) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "latin1"));
  } catch {
    return text;
  }
}
