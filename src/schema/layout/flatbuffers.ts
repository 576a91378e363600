import { SCALAR_SIZES } from "../../formats/flatbuffers-verifier/shape.ts";
import { defined } from "../../model/defined.ts";
import { UnsupportedError } from "../../model/errors.ts";
import { inBytes } from "../../model/in-bytes.ts";
import {
  type EnumType,
  enumInteger,
  enumOf,
  type Field,
  type FieldType,
  integerOf,
  type MessageType,
  messageOf,
  type Presence,
  reachableMessages,
  type Scalar,
  type Schema,
} from "../../model/schema.ts";

/** FlatBuffers' scalar types, by the names that its schema language gives them. */
export type FlatScalar =
  | "bool"
  | "byte"
  | "ubyte"
  | "short"
  | "ushort"
  | "int"
  | "uint"
  | "long"
  | "ulong"
  | "float"
  | "double";

/** A scalar, and the full name of the enum whose values it holds. */
export interface FlatScalarType {
  readonly kind: "scalar";
  readonly scalar: FlatScalar;
  readonly enumName?: string;
}

/** A struct that lies inline, by its place in {@link FlatLayout.tables}. */
export interface FlatStructType {
  readonly kind: "struct";
  readonly table: number;
  /** Bytes, and the power of two that its place is a multiple of. */
  readonly size: number;
  readonly align: number;
}

/** What an element of a vector is. A table is named by its place in {@link FlatLayout.tables}. */
export type FlatElement =
  | FlatScalarType
  | FlatStructType
  | { readonly kind: "string" }
  | { readonly kind: "table"; readonly table: number };

/** What a field of a table is. `bytes` is a vector of `ubyte` that a plain value holds as a Uint8Array. */
export type FlatType =
  | FlatElement
  | { readonly kind: "bytes" }
  /** `length` where the schema fixes the number of elements; in a struct they lie inline. */
  | { readonly kind: "vector"; readonly element: FlatElement; readonly length?: number };

/** One field of a table or a struct. */
export interface FlatField {
  /** The schema's own name, as untrusted as ever; `key` and `value` in tables that are made up here. */
  readonly name: string;
  /** Id, by which the table's vtable finds it; in a struct the first byte. */
  readonly id: number;
  readonly type: FlatType;
  /** A vector is `implicit`, one that is not there is empty; or `required`, an empty one is written too. */
  readonly presence: Presence;
  /** What an absent scalar that is not optional stands for: its default, or a value of an enum that has no 0. */
  readonly zero: number | bigint | boolean;
  /** Where it is a member of a union: the union's name, and the number that says so in the field before it. */
  readonly union?: { readonly name: string; readonly tag: number };
}

/** A table or a struct, and what a plain value holds in its place. */
export interface FlatTable {
  /** An object, of a table or a `struct`; one key of a map and its value; or a Uint8Array that is an element of a list. */
  readonly form: "message" | "struct" | "entry" | "bytes";
  /** Full name of the message; for the last two forms a made-up name that no message has. */
  readonly name: string;
  readonly fields: readonly FlatField[];
  /** Places in the vtable; of a struct its bytes. */
  readonly size: number;
  /** What a struct's place is a multiple of; 4 for a table. */
  readonly align: number;
}

/** The tables and structs of a schema, the root first. */
export interface FlatLayout {
  readonly tables: readonly FlatTable[];
  /** Four characters behind the root's offset. */
  readonly identifier?: string;
  /** Whether a value can nest tables deeper than {@link MAX_NESTING}. */
  readonly deep: boolean;
}

/** Nested tables that a verifier accepts, the root counted (flatbuffers/verifier.h, `max_depth`). */
export const MAX_NESTING = 64;

/**
 * Fields of one table. The JavaScript runtime reads places within a table as signed 16-bit integers, so that
 * a table of 8-byte fields has to end before byte 32768.
 */
export const MAX_FIELDS = 4094;

/** Bytes of a struct: so many has a table room for, whose places are those signed integers. */
const MAX_STRUCT_BYTES = 2 ** 15 - 8;

/**
 * How a schema is laid out in FlatBuffers: the one mapping that the printed .fbs and the codec follow.
 *
 * - a message is a table whose fields have ids in declaration order; the members of a oneof are fields too
 * - a list is a vector; a list of bytes is a vector of tables that hold one `[ubyte]` each
 * - a map is a vector of tables `{ key; value; }`
 * - an optional scalar is optional (`= null`); any other has a default, and is not written where it equals it
 *
 * A schema of a .fbs file has that file's layout: a oneof is a union, which takes two ids, and structs lie inline.
 *
 * Throws UnsupportedError for a message with more than {@link MAX_FIELDS} fields, and for a root that is a struct.
 */
export function flatLayout(schema: Schema): FlatLayout {
  const tables = new LayoutBuilder(schema).tables();
  if (tables[0]!.form === "struct")
    throw new UnsupportedError(`${schema.root}: a struct cannot be a root in FlatBuffers`);
  return defined({ tables, deep: nestsDeeperThan(MAX_NESTING, tables), identifier: schema.identifier });
}

class LayoutBuilder {
  readonly #schema: Schema;
  readonly #messages: readonly MessageType[];
  readonly #indexes: ReadonlyMap<string, number>;
  /** Tables that stand behind those of the messages. */
  readonly #madeUp: FlatTable[] = [];
  readonly #names: Set<string>;
  readonly #structs = new Map<MessageType, FlatTable>();
  #bytesTable: number | undefined;

  constructor(schema: Schema) {
    this.#schema = schema;
    this.#messages = reachableMessages(schema);
    this.#indexes = new Map(this.#messages.map((message, index) => [message.name, index]));
    this.#names = new Set(this.#indexes.keys());
  }

  tables(): FlatTable[] {
    const tables = this.#messages.map((message) => this.#table(message));
    return [...tables, ...this.#madeUp];
  }

  #table(message: MessageType): FlatTable {
    if (this.#isStruct(message)) return this.#struct(message);
    const { name } = message;
    const fields: FlatField[] = [];
    let size = 0;
    for (const field of message.fields) {
      const { oneof, tag } = field;
      const { name: previous, union: before } = fields.at(-1) ?? {};
      const union = tag === undefined || oneof === undefined ? undefined : { name: oneof, tag };
      // The members of a union share its two ids.
      if (union === undefined || previous === undefined || before?.name !== union.name)
        size += union === undefined ? 1 : 2;
      fields.push(defined({ ...this.#field(message, field), id: size - 1, union }));
    }
    if (size > MAX_FIELDS) {
      throw new UnsupportedError(
        `${name}: too many fields for a FlatBuffers table in JavaScript, expected at most ${MAX_FIELDS}, got ${size}`,
      );
    }
    return { form: "message", name, fields, size, align: 4 };
  }

  #isStruct({ form }: MessageType): boolean {
    return this.#schema.language === "flatbuffers" && form === "struct";
  }

  /** Fields at multiples of their own alignment, as in C. */
  #struct(message: MessageType): FlatTable {
    const known = this.#structs.get(message);
    if (known !== undefined) return known;
    const { name, align: least = 1 } = message;
    let align = least;
    let end = 0;
    const fields = message.fields.map((field) => {
      const placed = this.#field(message, field);
      const { size, align: own } = extentOf(placed.type);
      const id = Math.ceil(end / own) * own;
      end = id + size;
      align = Math.max(align, own);
      return { ...placed, id };
    });
    const size = Math.ceil(end / align) * align;
    if (size > MAX_STRUCT_BYTES) {
      throw new UnsupportedError(
        `${name}: a struct of ${inBytes(size)}, expected at most ${MAX_STRUCT_BYTES}`,
      );
    }
    const struct = { form: "struct", name, fields, size, align } as const;
    this.#structs.set(message, struct);
    return struct;
  }

  /** What a field is, but for its place. */
  #field(message: MessageType, field: Field): Omit<FlatField, "id"> {
    const { name, type, repetition } = field;
    switch (repetition.kind) {
      case "one":
        return this.#plainField(name, this.#type(type), repetition.presence, field.default);
      case "list": {
        const { length, required } = repetition;
        const vector = defined({ kind: "vector" as const, element: this.#element(type), length });
        return this.#plainField(name, vector, required === true ? "required" : "implicit");
      }
      case "map": {
        const key = this.#plainField("key", this.#type({ kind: "scalar", scalar: repetition.key }), "always");
        const value = this.#plainField("value", this.#type(type), "always");
        const table = this.#makeUp("entry", `${message.name}.${name}_entry`, [key, value]);
        return this.#plainField(name, { kind: "vector", element: { kind: "table", table } }, "implicit");
      }
    }
  }

  #plainField(
    name: string,
    type: FlatType,
    presence: Presence,
    declared?: Field["default"],
  ): Omit<FlatField, "id"> {
    const isEnum = type.kind === "scalar" && type.enumName !== undefined;
    // In .fbs 0 is the default where none is declared, whether the enum has a name for it or not.
    const own = this.#schema.language === "flatbuffers";
    const zero = isEnum && !own ? zeroOf(enumOf(this.#schema, type.enumName)) : 0;
    const isDefault = own && type.kind === "scalar" && declared !== undefined && typeof declared !== "string";
    return { name, type, presence, zero: isDefault ? declared : zero };
  }

  #type(type: FieldType): FlatElement | { readonly kind: "bytes" } {
    if (type.kind === "message") {
      const table = this.#indexes.get(type.name) ?? 0;
      const message = messageOf(this.#schema, type.name);
      if (!this.#isStruct(message)) return { kind: "table", table };
      const { size, align } = this.#struct(message);
      return { kind: "struct", table, size, align };
    }
    if (type.kind === "enum") {
      return { kind: "scalar", scalar: enumScalar(enumOf(this.#schema, type.name)), enumName: type.name };
    }
    const { scalar } = type;
    if (scalar === "string" || scalar === "bytes") return { kind: scalar };
    return { kind: "scalar", scalar: flatScalar(scalar) };
  }

  #element(type: FieldType): FlatElement {
    const one = this.#type(type);
    if (one.kind !== "bytes") return one;
    this.#bytesTable ??= this.#makeUp("bytes", "BytesValue", [this.#plainField("value", one, "always")]);
    return { kind: "table", table: this.#bytesTable };
  }

  #makeUp(form: "entry" | "bytes", wanted: string, drafts: readonly Omit<FlatField, "id">[]): number {
    let name = wanted;
    while (this.#names.has(name)) name += "_";
    this.#names.add(name);
    const fields = drafts.map((field, id) => ({ ...field, id }));
    this.#madeUp.push({ form, name, fields, size: fields.length, align: 4 });
    return this.#messages.length + this.#madeUp.length - 1;
  }
}

/** The table of a map's entries, where a vector of that element stands for a map. */
export function entryTable(tables: readonly FlatTable[], element: FlatElement): FlatTable | undefined {
  const table = element.kind === "table" ? tables[element.table] : undefined;
  return table?.form === "entry" ? table : undefined;
}

/** Bytes of a field within its table or struct, or of an element within its vector, and what its place is a multiple of. */
export function extentOf(type: FlatType): { readonly size: number; readonly align: number } {
  if (type.kind === "struct") return type;
  if (type.kind === "vector" && type.length !== undefined) {
    const { size, align } = extentOf(type.element);
    return { size: size * type.length, align };
  }
  const size = type.kind === "scalar" ? SCALAR_SIZES[type.scalar] : 4;
  return { size, align: size };
}

/** The integer that holds an enum: that of the schema where every value fits, else an int. */
export function enumScalar(type: EnumType): FlatScalar {
  const scalar = enumInteger(type);
  const { bits, signed } = integerOf(scalar)!;
  const fits = type.values.every(
    ({ number }) => number === (signed ? (number << (32 - bits)) >> (32 - bits) : number & (2 ** bits - 1)),
  );
  return flatScalar(fits ? scalar : "int32");
}

/** An enum's 0, or its least value where it has none: FlatBuffers wants a default that has a name. */
function zeroOf({ values }: EnumType): number {
  const numbers = values.map(({ number }) => number);
  return numbers.includes(0) ? 0 : numbers.reduce((least, number) => Math.min(least, number), Infinity);
}

function flatScalar(scalar: Exclude<Scalar, "string" | "bytes">): FlatScalar {
  if (scalar === "bool" || scalar === "float" || scalar === "double") return scalar;
  const { bits, signed } = integerOf(scalar) ?? { bits: 32, signed: true };
  const name = ({ 8: "byte", 16: "short", 32: "int", 64: "long" } as const)[bits];
  return signed ? name : `u${name}`;
}

function nestsDeeperThan(limit: number, tables: readonly FlatTable[]): boolean {
  let level = new Set([0]);
  for (let depth = 1; depth <= limit && level.size > 0; depth++) {
    level = new Set(
      [...level].flatMap((index) => tables[index]!.fields.flatMap(({ type }) => tablesIn(type))),
    );
  }
  return level.size > 0;
}

function tablesIn(type: FlatType): number[] {
  if (type.kind === "vector") return tablesIn(type.element);
  return type.kind === "table" ? [type.table] : [];
}
