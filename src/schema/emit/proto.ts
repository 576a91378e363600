import { enumOf, type Field, type FieldType, type MessageType, type Schema } from "../../model/schema.ts";
import { identifiers } from "../identifiers.ts";
import { fieldMarks, isBracketed, messageMarks } from "../json-marks.ts";
import {
  checkProtobuf,
  isGroup,
  isImplicit,
  isPackable,
  isPacked,
  mapEntryName,
  protobufScalar,
  protobufSyntax,
} from "../layout/protobuf.ts";
import { type Importing, importing } from "./proto-imports.ts";
import {
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
 * although its schema says optional is printed as its schema says. A schema with a group that contains itself is
 * printed in edition 2023, which protoc 27 and later take. What is known of its fields and of its documents stands in
 * comments, which `readProto` reads back where they matter. Messages of `google.protobuf` that have a meaning of their own are
 * imported. Throws UnsupportedError.
 */
export function emitProto(schema: Schema): string {
  checkProtobuf(schema);
  return new Printer(importing(schema)).file();
}

class Printer {
  readonly #schema: Schema;
  readonly #tree: ProtoFile;
  readonly #package: readonly string[];
  readonly #syntax: "proto2" | "proto3" | "2023";
  readonly #mentions = new Map<string, number>();
  /** The file of each type that can be imported, and those that are. */
  readonly #imports: ReadonlyMap<string, string>;
  readonly #imported = new Set<string>();

  constructor({ schema, imports }: Importing) {
    this.#schema = schema;
    this.#imports = imports;
    this.#tree = protoFile(schema, new Set(imports.keys()));
    this.#package = schema.package === "" ? [] : schema.package.split(".").map(identifier);
    this.#syntax = protobufSyntax(schema);
    for (const word of [...this.#package, ...declaredIn(this.#tree)]) {
      this.#mentions.set(word, (this.#mentions.get(word) ?? 0) + 1);
    }
  }

  file(): string {
    const head = [`${this.#syntax === "2023" ? "edition" : "syntax"} = "${this.#syntax}";\n`];
    if (this.#package.length > 0) head.push(`package ${this.#package.join(".")};\n`);
    const blocks = this.#declarations(this.#tree).map((lines) => lines.map((line) => `${line}\n`).join(""));
    const files = [...this.#imported].sort();
    if (files.length > 0) head.push(files.map((file) => `import "${file}";\n`).join(""));
    return [...head, ...blocks].join("\n");
  }

  /** The lines of each enum and message. */
  #declarations({ enums, messages }: ProtoDeclarations): string[][] {
    return [
      ...enums.filter(({ values }) => values.length > 0).map((one) => this.#enum(one)),
      ...messages.map((message) => [
        ...commentsAbove(message.type),
        ...block(`message ${message.name}`, this.#body(message)),
      ]),
    ];
  }

  #enum({ name, values, closed }: ProtoEnum): string[] {
    const aliased = new Set(values.map(({ number }) => number)).size < values.length;
    return block(`enum ${name}`, [
      ...(aliased ? ["option allow_alias = true;"] : []),
      ...(closed && this.#syntax === "2023" ? ["option features.enum_type = CLOSED;"] : []),
      ...values.map((value) => `${value.name} = ${value.number};`),
    ]);
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
    if (this.#syntax === "2023") return "";
    if (repetition.presence === "required") return "required ";
    const bare = repetition.presence === "implicit" || type.kind === "message";
    return this.#syntax === "proto3" && bare ? "" : "optional ";
  }

  #field({ field, name, group }: ProtoField, label: string): string[] {
    const options = this.#options(field);
    const tail = options.length === 0 ? "" : ` [${options.join(", ")}]`;
    if (group !== undefined)
      return block(`${label}group ${group.name} = ${field.number}${tail}`, this.#body(group));
    const comment = field.comment === undefined ? "" : ` // ${field.comment}`;
    const line = `${label}${this.#type(field)} ${name} = ${field.number}${tail};${comment}`;
    return [...fieldMarks(field).map((mark) => `// ${mark}`), line];
  }

  #options(field: Field): string[] {
    const { jsonName } = field;
    const own = this.#syntax === "2023" ? featuresOf(field) : this.#packing(field);
    const declared = this.#default(field);
    return [
      ...own,
      ...(declared === undefined ? [] : [`default = ${declared}`]),
      ...(jsonName === undefined || isBracketed(jsonName) ? [] : [`json_name = "${escaped(jsonName)}"`]),
    ];
  }

  #packing(field: Field): string[] {
    const packed = isPacked(field);
    const isList = field.repetition.kind === "list" && isPackable(field.type);
    return isList && packed !== (this.#syntax === "proto3") ? [`packed = ${packed}`] : [];
  }

  #default(field: Field): string | undefined {
    if (this.#syntax === "proto3" || field.repetition.kind !== "one" || isImplicit(field)) return undefined;
    return protoDefault(field, (name) => this.#valuesOf(name, field));
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
      first === undefined ||
      (!closed && this.#syntax === "proto2") ||
      (closed && this.#syntax === "2023" && isImplicit(field)) ||
      (mustStartWithZero && first.number !== 0);
    return differs ? undefined : this.#imports.has(name) ? values : this.#tree.values.get(name);
  }

  /** The shortest name that no other word of the file can be taken for. */
  #reference(name: string): string {
    const file = this.#imports.get(name);
    if (file !== undefined) {
      this.#imported.add(file);
      return this.#mentions.has(name.slice(0, name.indexOf("."))) ? `.${name}` : name;
    }
    const path = this.#tree.paths.get(name) ?? [];
    const [first = ""] = path;
    const short = this.#mentions.get(first) === 1 && !KEYWORDS.has(first);
    return short ? path.join(".") : `.${[...this.#package, ...path].join(".")}`;
  }
}

function commentsAbove(message: MessageType | undefined): string[] {
  if (message === undefined) return [];
  const lines = [...(message.comment === undefined ? [] : [message.comment]), ...messageMarks(message)];
  return lines.map((line) => `// ${line}`);
}

/** What a field of edition 2023 chooses beside the edition's own features. */
function featuresOf(field: Field): string[] {
  const { type, repetition } = field;
  const chosen: string[] = [];
  if (repetition.kind === "one" && repetition.presence === "required")
    chosen.push("field_presence = LEGACY_REQUIRED");
  if (isImplicit(field)) chosen.push("field_presence = IMPLICIT");
  if (repetition.kind === "list" && isPackable(type) && !isPacked(field))
    chosen.push("repeated_field_encoding = EXPANDED");
  if (isGroup(field)) chosen.push("message_encoding = DELIMITED");
  return chosen.map((choice) => `features.${choice}`);
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
      return typeof declared === "number" ? floatText(shortFloat(declared)) : undefined;
    case "double":
      return typeof declared === "number" ? floatText(declared) : undefined;
    default:
      return typeof declared === "bigint" || Number.isSafeInteger(declared) ? String(declared) : undefined;
  }
}

/** The number of fewest digits that is the same float: 9 are enough. */
function shortFloat(value: number): number {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Object.is(Math.fround(short), Math.fround(value))) return short;
  }
  return value;
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
