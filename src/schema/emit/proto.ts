import { enumOf, type Field, type FieldType, type Schema } from "../../model/schema.ts";
import { identifiers } from "../identifiers.ts";
import {
  checkProtobuf,
  isImplicit,
  isPackable,
  isPacked,
  protobufScalar,
  protobufSyntax,
} from "../layout/protobuf.ts";
import {
  mapEntryName,
  type ProtoDeclarations,
  type ProtoEnum,
  type ProtoField,
  type ProtoFile,
  type ProtoMessage,
  protoFile,
} from "./proto-tree.ts";

/**
 * A schema as the text of a .proto file, which protoc 3.21 and later take. Names that a .proto file cannot have
 * are changed, narrow integers become 32 bits wide, and fixed lengths are left out.
 *
 * The text is proto3 where only proto3 means the same, and proto2 otherwise. A schema that mixes the two, as
 * editions can, is printed as proto2 in such a way that its bytes mean the same: a field with implicit presence
 * becomes `optional`, because it is absent from the bytes where it is zero; an open enum becomes `int32`, because
 * a proto2 reader would set numbers aside that it does not know. A field that is in every value of a dataset
 * although its schema says optional is printed as its schema says. Throws UnsupportedError.
 */
export function emitProto(schema: Schema): string {
  checkProtobuf(schema);
  return new Printer(schema).file();
}

class Printer {
  readonly #schema: Schema;
  readonly #tree: ProtoFile;
  readonly #package: readonly string[];
  readonly #proto3: boolean;
  readonly #mentions = new Map<string, number>();

  constructor(schema: Schema) {
    this.#schema = schema;
    this.#tree = protoFile(schema);
    this.#package = schema.package === "" ? [] : schema.package.split(".").map(identifier);
    this.#proto3 = protobufSyntax(schema) === "proto3";
    for (const word of [...this.#package, ...declaredIn(this.#tree)]) {
      this.#mentions.set(word, (this.#mentions.get(word) ?? 0) + 1);
    }
  }

  file(): string {
    const head = [`syntax = "${this.#proto3 ? "proto3" : "proto2"}";\n`];
    if (this.#package.length > 0) head.push(`package ${this.#package.join(".")};\n`);
    const blocks = this.#declarations(this.#tree).map((lines) => lines.map((line) => `${line}\n`).join(""));
    return [...head, ...blocks].join("\n");
  }

  /** The lines of each enum and message. */
  #declarations({ enums, messages }: ProtoDeclarations): string[][] {
    return [
      ...enums.filter(({ values }) => values.length > 0).map(enumBlock),
      ...messages.map((message) => block(`message ${message.name}`, this.#body(message))),
    ];
  }

  #body(message: ProtoMessage): string[] {
    const declarations = this.#declarations(message).flatMap((lines) => [...lines, ""]);
    const lines: string[] = [];
    const printed = new Set<string>();
    for (const field of message.fields) {
      const { oneof } = field;
      if (oneof === undefined) lines.push(...this.#field(field, this.#label(field.field)));
      else if (!printed.has(oneof)) {
        const members = message.fields.filter((member) => member.oneof === oneof);
        const inside = members.flatMap((member) => this.#field(member, ""));
        lines.push(...block(`oneof ${oneof}`, inside));
        printed.add(oneof);
      }
    }
    return lines.length === 0 ? declarations.slice(0, -1) : [...declarations, ...lines];
  }

  #label({ type, repetition }: Field): string {
    if (repetition.kind === "map") return "";
    if (repetition.kind === "list") return "repeated ";
    if (repetition.presence === "required") return "required ";
    const bare = repetition.presence === "implicit" || type.kind === "message";
    return this.#proto3 && bare ? "" : "optional ";
  }

  #field({ field, name, group }: ProtoField, label: string): string[] {
    if (group !== undefined) return block(`${label}group ${group.name} = ${field.number}`, this.#body(group));
    const options = this.#options(field);
    const tail = options.length === 0 ? "" : ` [${options.join(", ")}]`;
    return [`${label}${this.#type(field)} ${name} = ${field.number}${tail};`];
  }

  #options(field: Field): string[] {
    const { repetition } = field;
    if (repetition.kind === "list") {
      const packed = isPacked(field);
      return isPackable(field.type) && packed !== this.#proto3 ? [`packed = ${packed}`] : [];
    }
    if (this.#proto3 || repetition.kind === "map" || isImplicit(field)) return [];
    const text = protoDefault(field, (name) => this.#valuesOf(name, field));
    return text === undefined ? [] : [`default = ${text}`];
  }

  #type(field: Field): string {
    const value = this.#valueType(field.type, field);
    const { repetition } = field;
    return repetition.kind === "map" ? `map<${protobufScalar(repetition.key)}, ${value}>` : value;
  }

  #valueType(type: FieldType, field: Field): string {
    if (type.kind === "scalar") return protobufScalar(type.scalar);
    return type.kind === "enum" && this.#valuesOf(type.name, field) === undefined
      ? "int32"
      : this.#reference(type.name);
  }

  /** The values of a field's enum; undefined where the enum would mean something else, and an int32 does not. */
  #valuesOf(name: string, field: Field): ProtoEnum["values"] | undefined {
    const { values, closed } = enumOf(this.#schema, name);
    const [first] = values;
    // Where it is left out or left empty, an enum is its first value to protobuf.
    const mustStartWithZero = field.repetition.kind === "map" || isImplicit(field);
    const differs =
      first === undefined || (!closed && !this.#proto3) || (mustStartWithZero && first.number !== 0);
    return differs ? undefined : this.#tree.values.get(name);
  }

  /** The shortest name that no other word of the file can be taken for. */
  #reference(name: string): string {
    const path = this.#tree.paths.get(name) ?? [];
    const [first = ""] = path;
    const short = this.#mentions.get(first) === 1 && !KEYWORDS.has(first);
    return short ? path.join(".") : `.${[...this.#package, ...path].join(".")}`;
  }
}

function enumBlock({ name, values }: ProtoEnum): string[] {
  const aliased = new Set(values.map(({ number }) => number)).size < values.length;
  const lines = values.map((value) => `${value.name} = ${value.number};`);
  return block(`enum ${name}`, aliased ? ["option allow_alias = true;", ...lines] : lines);
}

function block(head: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [`${head} {}`];
  return [`${head} {`, ...lines.map((line) => (line === "" ? "" : `  ${line}`)), "}"];
}

/** Every identifier that a part of a file declares. */
function declaredIn({ enums, messages }: ProtoDeclarations): string[] {
  return [
    ...enums.flatMap(({ name, values }) => [name, ...values.map((value) => value.name)]),
    ...messages.flatMap(wordsOfMessage),
  ];
}

function wordsOfMessage(message: ProtoMessage): string[] {
  return [message.name, ...declaredIn(message), ...message.fields.flatMap(wordsOfField)];
}

function wordsOfField({ field, name, oneof, group }: ProtoField): string[] {
  return [
    name,
    ...(oneof === undefined ? [] : [oneof]),
    ...(field.repetition.kind === "map" ? [mapEntryName(name)] : []),
    ...(group === undefined ? [] : wordsOfMessage(group)),
  ];
}

function identifier(name: string): string {
  return identifiers([name]).get(name) ?? name;
}

/** Words that mean something else where a type may stand (language specification, "Lexical Elements"). */
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    "double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string bytes " +
    "optional required repeated group map oneof option message enum extend extensions reserved"
  ).split(" "),
);

/**
 * The declared default of a field as a .proto file writes it; undefined where there is none, or none of its type.
 * @param valuesOf the values of an enum by its name; undefined for one that is printed as an integer
 */
function protoDefault(
  field: Field,
  valuesOf: (name: string) => ProtoEnum["values"] | undefined,
): string | undefined {
  const { type, default: declared } = field;
  if (declared === undefined || type.kind === "message") return undefined;
  if (type.kind === "enum") {
    if (typeof declared !== "number") return undefined;
    const values = valuesOf(type.name);
    return values === undefined ? String(declared) : values.find(({ number }) => number === declared)?.name;
  }
  switch (type.scalar) {
    case "bool":
      return typeof declared === "boolean" ? String(declared) : undefined;
    case "string":
      return typeof declared === "string" ? `"${escaped(declared)}"` : undefined;
    case "bytes":
      return typeof declared === "string" ? `"${escapedBytes(declared)}"` : undefined;
    case "float":
    case "double":
      return typeof declared === "number" ? floatText(declared) : undefined;
    default:
      return typeof declared === "bigint" || Number.isSafeInteger(declared) ? String(declared) : undefined;
  }
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  return Object.is(value, -0) ? "-0" : String(value);
}

function escaped(text: string): string {
  return Array.from(text, (one) => {
    if (one === '"' || one === "\\") return `\\${one}`;
    return one < " " || one === "\u007f" ? octal(one.charCodeAt(0)) : one;
  }).join("");
}

/** A default of bytes comes as text with a character for each byte; one that is no byte stands for its UTF-8. */
function escapedBytes(text: string): string {
  return Array.from(text, (one) => {
    const code = one.codePointAt(0) ?? 0;
    if (code < 0x80) return escaped(one);
    return code < 0x100 ? octal(code) : Array.from(Buffer.from(one), octal).join("");
  }).join("");
}

/** Always of three digits, so that a digit may follow. */
function octal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, "0")}`;
}
