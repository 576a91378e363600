import type { Token } from "../../formats/c-struct/tokens.ts";
import { defined } from "../../model/defined.ts";
import { SchemaError } from "../../model/errors.ts";
import {
  type EnumType,
  type Field,
  type FieldType,
  integerOf,
  type MessageType,
  type Repetition,
  type Scalar,
  type Schema,
} from "../../model/schema.ts";
import {
  type FbsEnum,
  type FbsField,
  type FbsSource,
  type FbsTable,
  type FbsType,
  INTEGER,
  lookUp,
  readFbsSource,
} from "./fbs-source.ts";
import { chooseRoot } from "./root.ts";

/**
 * Reads a table of a .fbs file as a schema whose FlatBuffers layout is that of the file: structs lie inline, fields
 * stand in the order of their ids, integers have 8 and 16 bits, scalars their defaults.
 *
 * - a union is a oneof of its field's name, whose fields are called `field_Member`
 * - `[ubyte]` is bytes; an enum of more than 32 bits, or of 32 without a sign, is an integer, of which JSON may have the names
 * - a deprecated field is an optional one, so that what an older program wrote is not lost
 * - not carried: the absence of a vector, which is an empty list; `key`, `hash`, `nested_flatbuffer` and the attributes
 *   that only generated code follows
 *
 * Refused by name: vectors of unions, structs in unions, `offset64` and `vector64`.
 * @param message full name of a table or the end of one; by default the file's `root_type`
 */
export function readFbs(file: string, message?: string, include?: readonly string[]): Schema {
  const source = readFbsSource(file, include);
  const declared =
    source.root &&
    lookUp(source, source.root.name, { ...source.root, reader: source.reader }, source.root.token);
  const converter = new Converter(source);
  const tables = source.own.filter((name) => source.types.get(name)?.kind === "table");
  const root =
    message === undefined && declared !== undefined
      ? declared.name
      : chooseRoot(
          file,
          message,
          message === undefined ? tables : source.own,
          converter.contained(),
          "table",
        );
  const table = source.types.get(root);
  if (table === undefined || table.kind !== "table")
    throw new SchemaError(file, `${root}: a root must be a table`, source.root?.token);
  converter.message(table);
  const enums = new Map(converter.enums);
  return defined({
    package: table.namespace,
    root,
    messages: converter.messages,
    enums,
    unused: converter.unused(enums),
    language: "flatbuffers" as const,
    identifier: root === declared?.name ? source.identifier : undefined,
  });
}

const SCALARS: ReadonlyMap<string, Scalar> = new Map(
  Object.entries({
    bool: "bool",
    ...{ byte: "int8", int8: "int8", ubyte: "uint8", uint8: "uint8" },
    ...{ short: "int16", int16: "int16", ushort: "uint16", uint16: "uint16" },
    ...{ int: "int32", int32: "int32", uint: "uint32", uint32: "uint32" },
    ...{ long: "int64", int64: "int64", ulong: "uint64", uint64: "uint64" },
    ...{ float: "float", float32: "float", double: "double", float64: "double", string: "string" },
  }),
);

/** Attributes that change the bytes in ways that nothing here follows. */
const REFUSED = ["offset64", "vector64"];

/** What a type's name means; `names` for the enum whose numbers an integer has. */
type Meaning =
  | { readonly kind: "union"; readonly union: FbsEnum }
  | { readonly kind: "type"; readonly type: FieldType; readonly names?: FbsEnum };

class Converter {
  readonly messages = new Map<string, MessageType>();
  readonly enums = new Map<string, EnumType>();
  readonly #source: FbsSource;
  /** Structs whose fields are being looked at, which none of them may contain. */
  readonly #open: FbsTable[] = [];

  constructor(source: FbsSource) {
    this.#source = source;
  }

  /** Full names of all that a table of the file holds, itself aside. */
  contained(): ReadonlySet<string> {
    const found = new Set<string>();
    const add = (name: string, table: FbsTable | FbsEnum, token: Token): void => {
      if (SCALARS.has(name)) return;
      const type = lookUp(this.#source, name, table, token);
      if (type.kind === "union") for (const member of type.members) add(member.type, type, member.token);
      else if (type.name !== table.name) found.add(type.name);
    };
    for (const name of this.#source.own) {
      const table = this.#source.types.get(name) as FbsTable;
      if (table.kind === "struct") found.add(name);
      for (const { type } of table.fields) add(type.name, table, type.token);
    }
    return found;
  }

  /** The enums of the file that are not among some; undefined for none. */
  unused(used: ReadonlyMap<string, EnumType>): EnumType[] | undefined {
    for (const type of this.#source.types.values())
      if (type.kind === "enum" && type.reader === this.#source.reader) this.#enum(type);
    const unused = [...this.enums.values()].filter(({ name }) => !used.has(name));
    return unused.length === 0 ? undefined : unused;
  }

  message(table: FbsTable): void {
    if (this.messages.has(table.name)) return;
    const fields: Field[] = [];
    const align = table.kind === "struct" ? this.#align(table) : undefined;
    const form = table.kind === "struct" ? ("struct" as const) : undefined;
    // Entered before the types of its fields are, so that a recursive table ends here.
    this.messages.set(table.name, defined({ name: table.name, fields, form, align }));
    this.#open.push(table);
    const names = new Set(table.fields.map(({ name }) => name));
    for (const field of byId(table, (one) => this.#meaning(one.type, table).kind === "union")) {
      fields.push(...this.#fields(field, table, fields.length + 1, names));
    }
    this.#open.pop();
  }

  #align(table: FbsTable): number | undefined {
    const text = table.attributes.get("force_align");
    if (text === undefined) return undefined;
    if (/^(1|2|4|8|16|32)$/.test(text)) return Number(text);
    throw table.reader.error(table.token, `force_align: expected a power of 2 up to 32, got ${text}`);
  }

  #fields(field: FbsField, table: FbsTable, number: number, names: Set<string>): Field[] {
    const refused = REFUSED.find((name) => field.attributes.has(name));
    if (refused !== undefined)
      throw table.reader.error(field.token, `${field.name}: ${refused} is not supported`);
    const meaning = this.#meaning(field.type, table);
    if (meaning.kind === "union") return this.#union(field, meaning.union, table, number, names);
    if (table.kind === "struct") this.#checkMember(field, meaning.type, table);
    const { name } = field;
    const isBytes =
      meaning.type.kind === "scalar" &&
      meaning.type.scalar === "uint8" &&
      field.type.vector &&
      field.type.length === undefined;
    const type: FieldType = isBytes ? { kind: "scalar", scalar: "bytes" } : meaning.type;
    const wide =
      meaning.names === undefined || type.kind === "enum"
        ? undefined
        : meaning.names.members.map((one) => ({ name: one.name, number: narrow(one.number, type) }));
    if (field.type.vector && !isBytes) {
      const packed = type.kind !== "message" && !(type.kind === "scalar" && type.scalar === "string");
      const required = isRequired(field) ? true : undefined;
      const { length } = field.type;
      const repetition = defined({ kind: "list" as const, packed, length, required });
      return [defined({ name, number, type, repetition, names: wide })];
    }
    return [defined({ name, number, type, ...this.#one(field, type, meaning.names, table), names: wide })];
  }

  /** When a single value is there, and its default. */
  #one(
    field: FbsField,
    type: FieldType,
    names: FbsEnum | undefined,
    table: FbsTable,
  ): Pick<Field, "repetition" | "default"> {
    const when = (presence: "required" | "always" | "optional" | "implicit"): { repetition: Repetition } => ({
      repetition: { kind: "one", presence },
    });
    const declared = field.default?.map(({ text }) => text).join("");
    const isNumber =
      type.kind === "enum" || (type.kind === "scalar" && !["string", "bytes"].includes(type.scalar));
    if (table.kind === "struct") return when(isNumber ? "implicit" : "always");
    if (!isNumber) {
      // A text by which tables are sorted is always there.
      const isKey = field.attributes.has("key") && !field.attributes.has("deprecated");
      if (isRequired(field) || isKey) return when("required");
      if (declared === undefined || declared === "null") return when("optional");
      if (declared === '""' || declared === "[]") return when("implicit");
      const value = /^"(.*)"$/s.exec(declared)?.[1];
      if (type.kind === "scalar" && type.scalar === "string" && value !== undefined)
        return { ...when("optional"), default: value };
      throw table.reader.error(field.default![0]!, `${field.name}: no such default is supported`);
    }
    if (declared === "null") return when("optional");
    const value = field.default === undefined ? 0 : this.#default(field.default, type, names, table);
    if (field.attributes.has("deprecated")) return when("optional");
    return value === false || value === 0n || Object.is(value, 0)
      ? when("implicit")
      : { ...when("always"), default: value };
  }

  #default(
    words: readonly Token[],
    type: FieldType,
    names: FbsEnum | undefined,
    table: FbsTable,
  ): number | bigint | boolean {
    const given = words.map((word) => word.text).join("");
    const fail = (expected: string): never => {
      throw table.reader.error(words[0]!, `expected a default of ${expected}, got ${JSON.stringify(given)}`);
    };
    const quoted = /^"(.*)"$/s.exec(given)?.[1];
    const text = quoted ?? given;
    const named = names?.members.find(({ name }) => text === name || text.endsWith(`.${name}`));
    if (named !== undefined) return narrow(named.number, type);
    const flags = quoted !== undefined && names?.flags === true ? flagsOf(quoted, names) : undefined;
    if (flags !== undefined) return narrow(flags, type);
    const scalar = type.kind === "scalar" ? type.scalar : "int32";
    const [, sign = "", digits = ""] = /^([-+]?)(.*)$/s.exec(text)!;
    if (scalar === "bool" && /^(true|false|[01])$/.test(text)) return text === "true" || text === "1";
    if (scalar === "float" || scalar === "double") {
      const number =
        FLOATS.get(digits) ??
        (/^(0[xX][\da-fA-F]+|\d+(\.\d*)?(e[-+]?\d+)?|\.\d+(e[-+]?\d+)?)$/i.test(digits)
          ? Number(digits)
          : fail(scalar));
      const signed = sign === "-" ? -number : number;
      return scalar === "float" ? Math.fround(signed) : signed;
    }
    if (scalar === "bool" || !INTEGER.test(digits)) return fail(names?.name ?? scalar);
    const value = sign === "-" ? -BigInt(digits) : BigInt(digits);
    const { bits, signed } = integerOf(scalar)!;
    if ((signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value)) !== value) return fail(scalar);
    return narrow(value, type);
  }

  #union(field: FbsField, union: FbsEnum, table: FbsTable, number: number, names: Set<string>): Field[] {
    if (field.type.vector)
      throw table.reader.error(field.type.token, `${field.name}: a vector of unions is not supported`);
    if (table.kind === "struct")
      throw table.reader.error(field.type.token, `${field.name}: a union in a struct`);
    return union.members.map((member, index) => {
      const { type } = this.#named(member.type, union, member.token) as { type?: FieldType };
      const isString = type?.kind === "scalar" && type.scalar === "string";
      const isTable = type?.kind === "message" && this.messages.get(type.name)?.form === undefined;
      if (type === undefined || !(isString || isTable)) {
        throw union.reader.error(
          member.token,
          `${union.name}.${member.name}: only tables and strings are supported in a union`,
        );
      }
      let name = `${field.name}_${member.name}`;
      while (names.has(name)) name += "_";
      names.add(name);
      const repetition = { kind: "one", presence: "optional" } as const;
      return {
        name,
        number: number + index,
        type,
        repetition,
        oneof: field.name,
        tag: Number(member.number),
      };
    });
  }

  #checkMember(field: FbsField, type: FieldType, table: FbsTable): void {
    const fail = (problem: string): never => {
      throw table.reader.error(field.type.token, `${table.name}.${field.name}: ${problem}`);
    };
    if (field.type.vector && field.type.length === undefined) fail("a vector in a struct");
    if (field.default !== undefined) fail("a default in a struct");
    if (type.kind === "scalar" && type.scalar === "string") fail("a string in a struct");
    if (type.kind === "message" && this.messages.get(type.name)?.form !== "struct")
      fail("a table in a struct");
  }

  #meaning(type: FbsType, table: FbsTable): Meaning {
    if (type.length !== undefined && table.kind === "table") {
      throw table.reader.error(type.token, "an array of fixed length is only supported in a struct");
    }
    return this.#named(type.name, table, type.token);
  }

  #named(name: string, where: FbsTable | FbsEnum, token: Token): Meaning {
    const scalar = SCALARS.get(name);
    if (scalar !== undefined) return { kind: "type", type: { kind: "scalar", scalar } };
    const found = lookUp(this.#source, name, where, token);
    if (!isTable(found)) {
      return found.kind === "union"
        ? { kind: "union", union: found }
        : { kind: "type", type: this.#enum(found), names: found };
    }
    if (found.kind === "struct" && this.#open.includes(found)) {
      throw where.reader.error(token, `${found.name}: a struct contains itself`);
    }
    this.message(found);
    return { kind: "type", type: { kind: "message", name: found.name } };
  }

  #enum({ name, integer, members, reader }: FbsEnum): FieldType {
    const scalar = SCALARS.get(integer.name);
    const { bits, signed } = (scalar && integerOf(scalar)) ?? {};
    if (scalar === undefined || bits === undefined)
      throw reader.error(integer.token, `${name}: ${integer.name} is no integer`);
    const outside = members.find(
      ({ number }) => (signed ? BigInt.asIntN(bits, number) : BigInt.asUintN(bits, number)) !== number,
    );
    if (outside !== undefined)
      throw reader.error(outside.token, `${outside.name} = ${outside.number} is outside ${integer.name}`);
    if (bits === 64 || (bits === 32 && !signed) || members.length === 0) return { kind: "scalar", scalar };
    const values = members.map((member) => ({ name: member.name, number: Number(member.number) }));
    this.enums.set(name, {
      name,
      values,
      bits,
      closed: false,
      ...(signed || bits === 32 ? {} : { unsigned: true }),
    });
    return { kind: "enum", name };
  }
}

function isTable(type: FbsTable | FbsEnum): type is FbsTable {
  return type.kind === "table" || type.kind === "struct";
}

const FLOATS: ReadonlyMap<string, number> = new Map([
  ["nan", Number.NaN],
  ["inf", Number.POSITIVE_INFINITY],
  ["infinity", Number.POSITIVE_INFINITY],
]);

/** The bits of names with a space between two, as flatc has them in a default; undefined where one is none. */
function flagsOf(text: string, { members }: FbsEnum): bigint | undefined {
  let bits = 0n;
  for (const word of text.split(" ")) {
    const member = members.find(({ name }) => name === word);
    if (member === undefined) return undefined;
    bits |= member.number;
  }
  return bits;
}

/** As a default holds it: a bigint where a number could not be exact. */
function narrow(value: bigint, type: FieldType): number | bigint {
  const is64 = type.kind === "scalar" && integerOf(type.scalar)?.bits === 64;
  return is64 && !Number.isSafeInteger(Number(value)) ? value : Number(value);
}

function isRequired({ attributes }: FbsField): boolean {
  return attributes.has("required") && !attributes.has("deprecated");
}

/** A table's fields in the order of their ids, of which a union takes two. */
function byId(
  { fields, reader, kind }: FbsTable,
  isUnion: (field: FbsField) => boolean,
): readonly FbsField[] {
  const [first] = fields.filter(({ attributes }) => attributes.has("id"));
  if (first === undefined || kind === "struct") return fields;
  const idOf = (field: FbsField): number => {
    const text = field.attributes.get("id");
    if (text === undefined || !/^\d{1,5}$/.test(text)) {
      throw reader.error(field.token, `${field.name}: expected an id, because ${first.name} has one`);
    }
    return Number(text);
  };
  const sorted = fields.map((field) => ({ field, id: idOf(field) })).sort((a, b) => a.id - b.id);
  let next = 0;
  for (const { field, id } of sorted) {
    const last = next + (isUnion(field) ? 1 : 0);
    if (id !== last)
      throw reader.error(
        field.token,
        `${field.name}: id ${id}, expected ${last}: ids are consecutive from 0`,
      );
    next = last + 1;
  }
  return sorted.map(({ field }) => field);
}
