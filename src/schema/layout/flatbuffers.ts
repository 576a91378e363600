import { defined } from "../../model/defined.ts";
import { UnsupportedError } from "../../model/errors.ts";
import {
  type EnumType,
  enumOf,
  type Field,
  type FieldType,
  integerOf,
  type MessageType,
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

/** What an element of a vector is. A table is named by its place in {@link FlatLayout.tables}. */
export type FlatElement =
  | FlatScalarType
  | { readonly kind: "string" }
  | { readonly kind: "table"; readonly table: number };

/** What a field of a table is. `bytes` is a vector of `ubyte` that a plain value holds as a Uint8Array. */
export type FlatType =
  | FlatElement
  | { readonly kind: "bytes" }
  /** `length` where the schema fixes the number of elements. */
  | { readonly kind: "vector"; readonly element: FlatElement; readonly length?: number };

/** One field of a table. Its id, by which the table's vtable finds it, is its place among the fields. */
export interface FlatField {
  /** The schema's own name, as untrusted as ever; `key` and `value` in tables that are made up here. */
  readonly name: string;
  readonly type: FlatType;
  /** A vector is `implicit`: one that is not there is empty. */
  readonly presence: Presence;
  /** What an absent scalar that is not optional stands for: 0, or a value of an enum that has no 0. */
  readonly zero: number;
}

/** A table, and what a plain value holds in its place. */
export interface FlatTable {
  /** An object; one key of a map and its value; or a Uint8Array that is an element of a list. */
  readonly form: "message" | "entry" | "bytes";
  /** Full name of the message; for the other two forms a made-up name that no message has. */
  readonly name: string;
  readonly fields: readonly FlatField[];
}

/** The tables of a schema, the root first. */
export interface FlatLayout {
  readonly tables: readonly FlatTable[];
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

/**
 * How a schema is laid out in FlatBuffers: the one mapping that the printed .fbs and the codec follow.
 *
 * - a message is a table whose fields have ids in declaration order; the members of a oneof are fields too
 * - a list is a vector; a list of bytes is a vector of tables that hold one `[ubyte]` each
 * - a map is a vector of tables `{ key; value; }`
 * - an optional scalar is optional (`= null`); any other has a default, and is not written where it equals it
 *
 * Throws UnsupportedError for a message with more than {@link MAX_FIELDS} fields.
 */
export function flatLayout(schema: Schema): FlatLayout {
  const tables = new LayoutBuilder(schema).tables();
  return { tables, deep: nestsDeeperThan(MAX_NESTING, tables) };
}

class LayoutBuilder {
  readonly #schema: Schema;
  readonly #messages: readonly MessageType[];
  readonly #indexes: ReadonlyMap<string, number>;
  /** Tables that stand behind those of the messages. */
  readonly #madeUp: FlatTable[] = [];
  readonly #names: Set<string>;
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
    const { name, fields } = message;
    if (fields.length > MAX_FIELDS) {
      throw new UnsupportedError(
        `${name}: too many fields for a FlatBuffers table in JavaScript, expected at most ${MAX_FIELDS}, got ${fields.length}`,
      );
    }
    return { form: "message", name, fields: fields.map((field) => this.#field(message, field)) };
  }

  #field(message: MessageType, { name, type, repetition }: Field): FlatField {
    switch (repetition.kind) {
      case "one":
        return this.#plainField(name, this.#type(type), repetition.presence);
      case "list": {
        const { length } = repetition;
        const element = this.#element(type);
        const vector = defined({ kind: "vector" as const, element, length });
        return this.#plainField(name, vector, "implicit");
      }
      case "map": {
        const key = this.#plainField("key", this.#type({ kind: "scalar", scalar: repetition.key }), "always");
        const value = this.#plainField("value", this.#type(type), "always");
        const table = this.#makeUp("entry", `${message.name}.${name}_entry`, [key, value]);
        return this.#plainField(name, { kind: "vector", element: { kind: "table", table } }, "implicit");
      }
    }
  }

  #plainField(name: string, type: FlatType, presence: Presence): FlatField {
    const isEnum = type.kind === "scalar" && type.enumName !== undefined;
    return { name, type, presence, zero: isEnum ? zeroOf(enumOf(this.#schema, type.enumName)) : 0 };
  }

  #type(type: FieldType): FlatElement | { readonly kind: "bytes" } {
    if (type.kind === "message") return { kind: "table", table: this.#indexes.get(type.name) ?? 0 };
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

  #makeUp(form: "entry" | "bytes", wanted: string, fields: FlatField[]): number {
    let name = wanted;
    while (this.#names.has(name)) name += "_";
    this.#names.add(name);
    this.#madeUp.push({ form, name, fields });
    return this.#messages.length + this.#madeUp.length - 1;
  }
}

/** The table of a map's entries, where a vector of that element stands for a map. */
export function entryTable(tables: readonly FlatTable[], element: FlatElement): FlatTable | undefined {
  const table = element.kind === "table" ? tables[element.table] : undefined;
  return table?.form === "entry" ? table : undefined;
}

/** The integer that holds an enum: a byte where the schema says so and every value fits, else an int. */
export function enumScalar({ bits, values }: EnumType): "byte" | "int" {
  return bits === 8 && values.every(({ number }) => number >= -128 && number <= 127) ? "byte" : "int";
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
