/**
 * The one schema language in memory. It is read from a .proto file or a C header, and every codec with a
 * schema binds to it. It is plain data: it crosses to a child process by structured clone.
 */

/** Protobuf's scalar types, and the narrow integers that C, FlatBuffers and Cap'n Proto add to them. */
export type Scalar =
  | "bool"
  | "int8"
  | "uint8"
  | "int16"
  | "uint16"
  | "int32"
  | "uint32"
  | "int64"
  | "uint64"
  | "sint32"
  | "sint64"
  | "fixed32"
  | "fixed64"
  | "sfixed32"
  | "sfixed64"
  | "float"
  | "double"
  | "string"
  | "bytes";

/** What one value of a field is. `name` is the full name of a message or enum of the same schema. */
export type FieldType =
  | { readonly kind: "scalar"; readonly scalar: Scalar }
  | { readonly kind: "enum"; readonly name: string }
  | { readonly kind: "message"; readonly name: string };

/**
 * When a field that holds one value is there.
 * - `required`: in every message, and a message without it is malformed (proto2 `required`).
 * - `always`: in every value of this dataset although its schema says optional, so that a format without
 *   presence bits needs none. C structs are of this kind.
 * - `optional`: may be absent, and a reader can tell absent from zero.
 * - `implicit`: never absent to a reader; zero or empty need not be written (proto3 without `optional`).
 */
export type Presence = "required" | "always" | "optional" | "implicit";

/** How many values a field holds. A map's keys are strings in a plain value, whatever `key` is. */
export type Repetition =
  | { readonly kind: "one"; readonly presence: Presence }
  /**
   * `packed` is protobuf's packed encoding; `length` is set where an array of C or of a FlatBuffers struct fixes the
   * count; `required` where FlatBuffers wants also an empty one written.
   */
  | { readonly kind: "list"; readonly packed: boolean; readonly length?: number; readonly required?: boolean }
  | { readonly kind: "map"; readonly key: Scalar };

/** A value of an enum; a bigint where a number could not be exact. */
export interface NamedNumber {
  readonly name: string;
  readonly number: number | bigint;
}

/** One field of a message. */
export interface Field {
  /** That of an extension is its full name, as in `pkg.note`. */
  readonly name: string;
  /** The field's key in JSON where its declaration says one (`json_name`) that does not follow from its name. */
  readonly jsonName?: string;
  /** Protobuf field number. Other formats count fields in declaration order. */
  readonly number: number;
  readonly type: FieldType;
  readonly repetition: Repetition;
  /** Protobuf's group encoding, between a start tag and an end tag. */
  readonly group?: boolean;
  /** Name of the oneof it belongs to: at most one member of a oneof is set. */
  readonly oneof?: string;
  /** Declared default: what a reader takes an absent optional field to mean. Never put into a value. */
  readonly default?: number | bigint | string | boolean;
  /** Set for text that is the JSON text of what a document has there, whatever that is. */
  readonly jsonText?: boolean;
  /** What is known of it, for a printed schema: one line. */
  readonly comment?: string;
  /** Number of this member in its union, where the oneof is a union of FlatBuffers. */
  readonly tag?: number;
  /** Names that JSON may have for this integer: those of an enum of FlatBuffers that is too wide for {@link EnumType}. */
  readonly names?: readonly NamedNumber[];
  /** Bytes of the C array that holds this string with its NUL, or these bytes; derived from the data if unset. */
  readonly capacity?: number;
}

/** A message type: named fields in declaration order, or in the order of the ids that a .fbs or .capnp gives them. */
export interface MessageType {
  /** Full name with the package, as in `as.tellist.personal_info`. */
  readonly name: string;
  readonly fields: readonly Field[];
  /**
   * Set where a document has what the message's one set field holds in place of an object, and null where none is set. It
   * is how a list in a list, values of several kinds and nulls in lists are messages.
   */
  readonly inPlace?: boolean;
  /** Keys that documents have with null only, so that no field has them. */
  readonly nullKeys?: readonly string[];
  /** What is known of it, for a printed schema: one line. */
  readonly comment?: string;
  /**
   * What it is in the language of {@link Schema.language} where that is no table or struct of its own: a struct of
   * FlatBuffers or a group of Cap'n Proto, which lie in what holds them; or a list that is an element of a list.
   */
  readonly form?: "struct" | "group" | "list";
  /** Bytes to a multiple of which FlatBuffers places a struct with `force_align`. */
  readonly align?: number;
}

/** An enum: values are plain numbers everywhere, names are for people. */
export interface EnumType {
  readonly name: string;
  readonly values: readonly { readonly name: string; readonly number: number }[];
  /** Bits of the integer that holds it where a format lets one choose. */
  readonly bits: 8 | 16 | 32;
  /** Whether that integer has no sign: those of 32 bits always have one. */
  readonly unsigned?: boolean;
  /** Whether numbers without a name are refused (proto2) or kept (proto3). */
  readonly closed: boolean;
}

/** The type without content of Cap'n Proto. Its one value is null in JSON. */
export const VOID: EnumType = {
  name: "google.protobuf.NullValue",
  values: [{ name: "NULL_VALUE", number: 0 }],
  bits: 32,
  closed: false,
};

/** Message and enum types, and the message that a value of the dataset is. */
export interface Schema {
  readonly package: string;
  readonly root: string;
  readonly messages: ReadonlyMap<string, MessageType>;
  readonly enums: ReadonlyMap<string, EnumType>;
  /** Enums of the file that no field here refers to, which are printed with the others. */
  readonly unused?: readonly EnumType[];
  /** Set where its .proto file is of proto3, or a printed one is to be: it is printed so if that means the same. */
  readonly isProto3?: boolean;
  /** Whether its .proto file packs a list of numbers whose declaration does not say so; of other schemas nothing is known. */
  readonly packsLists?: boolean;
  /** Text of the C header that it was read from, whose layout the C struct then keeps. */
  readonly header?: string;
  /** The language of the file that it was read from, whose layout the codecs of that format then keep. */
  readonly language?: "flatbuffers" | "capnp";
  /** The four characters of FlatBuffers' `file_identifier`, which stand in every message of this root. */
  readonly identifier?: string;
  /**
   * Set where values are documents rather than canonical: objects as JSON.parse gives them, in which a field may be
   * missing or null. The keys under which they hold each field, none for one that no document has.
   */
  readonly documents?: ReadonlyMap<Field, readonly string[]>;
}

/** How 64-bit integers are held in plain values: see {@link Dataset.int64}. */
export type Int64Mode = "number" | "bigint";

/** The message type of that name. The schema's reader has resolved every name, so it is there. */
export function messageOf(schema: Schema, name: string): MessageType {
  const message = schema.messages.get(name);
  if (message === undefined) throw new Error(`schema has no message ${name}`);
  return message;
}

/** The enum type of that name. */
export function enumOf(schema: Schema, name: string): EnumType {
  const found = schema.enums.get(name);
  if (found === undefined) throw new Error(`schema has no enum ${name}`);
  return found;
}

/** The integer type that holds the numbers of an enum. */
export function enumInteger({ bits, unsigned }: EnumType): "int8" | "uint8" | "int16" | "uint16" | "int32" {
  if (bits === 32) return "int32";
  return unsigned === true ? `uint${bits}` : `int${bits}`;
}

/** A name without its package and outer messages: `personal_info` for `as.tellist.personal_info`. */
export function simpleName(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** Width and sign of an integer type; undefined for every other scalar. */
export function integerOf(
  scalar: Scalar,
): { readonly bits: 8 | 16 | 32 | 64; readonly signed: boolean } | undefined {
  return INTEGERS[scalar];
}

/** Whether a field of this scalar holds 64-bit integers. */
export function is64Bit(scalar: Scalar): boolean {
  return INTEGERS[scalar]?.bits === 64;
}

const INTEGERS: Partial<Record<Scalar, { bits: 8 | 16 | 32 | 64; signed: boolean }>> = {
  int8: { bits: 8, signed: true },
  uint8: { bits: 8, signed: false },
  int16: { bits: 16, signed: true },
  uint16: { bits: 16, signed: false },
  int32: { bits: 32, signed: true },
  sint32: { bits: 32, signed: true },
  sfixed32: { bits: 32, signed: true },
  uint32: { bits: 32, signed: false },
  fixed32: { bits: 32, signed: false },
  int64: { bits: 64, signed: true },
  sint64: { bits: 64, signed: true },
  sfixed64: { bits: 64, signed: true },
  uint64: { bits: 64, signed: false },
  fixed64: { bits: 64, signed: false },
};

/** Whether a reader can see that this field is absent. */
export function hasPresence(field: Field): boolean {
  return field.repetition.kind === "one" && field.repetition.presence === "optional";
}

/** Message types reachable from the root, the root first, in the order in which a reader meets them. */
export function reachableMessages(schema: Schema): MessageType[] {
  const found = new Map<string, MessageType>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    const message = messageOf(schema, name);
    found.set(name, message);
    for (const field of message.fields) if (field.type.kind === "message") visit(field.type.name);
  };
  visit(schema.root);
  return [...found.values()];
}

/** Enum types that reachable fields use, in the order in which a reader meets them. */
export function reachableEnums(schema: Schema): EnumType[] {
  const names = reachableMessages(schema).flatMap((message) =>
    message.fields.flatMap((field) => (field.type.kind === "enum" ? [field.type.name] : [])),
  );
  return [...new Set(names)].map((name) => enumOf(schema, name));
}

/** Enum types that a printed schema declares: those that fields use, then the others of the file. */
export function declaredEnums(schema: Schema): EnumType[] {
  return [...reachableEnums(schema), ...(schema.unused ?? [])];
}
