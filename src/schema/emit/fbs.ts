import { declaredEnums, type EnumType, enumOf, type Schema } from "../../model/schema.ts";
import { identifiers, lowerCamelCase } from "../identifiers.ts";
import {
  enumScalar,
  type FlatField,
  type FlatTable,
  type FlatType,
  flatLayout,
} from "../layout/flatbuffers.ts";

/**
 * A schema in FlatBuffers' own language, laid out as {@link flatLayout} says, for flatc 2.0 and later:
 * enums, then tables from the leaves to the root. Names that flatc would refuse are changed.
 */
export function emitFbs(schema: Schema): string {
  const { tables, identifier } = flatLayout(schema);
  const names = fbsNames(schema);
  const blocks = [
    ...declaredEnums(schema).map((type) => enumBlock(type, schema, names)),
    ...tables.flatMap((table) => unionBlocks(table, names)),
    ...structsFirst(tables).map((table) => tableBlock(table, schema, names)),
  ];
  const namespace = namespaceOf(schema);
  const head = namespace === "" ? [] : [`namespace ${namespace};\n`];
  const tail = identifier === undefined ? "" : `file_identifier ${JSON.stringify(identifier)};\n`;
  return [...head, ...blocks, `root_type ${names.types.get(schema.root)};\n${tail}`].join("\n");
}

/** Structs come before what holds them, which flatc wants; then tables from the leaves to the root. */
function structsFirst(tables: readonly FlatTable[]): FlatTable[] {
  const structs = new Set<FlatTable>();
  const add = (table: FlatTable): void => {
    for (const { type } of table.fields) {
      const one = type.kind === "vector" ? type.element : type;
      if (one.kind === "struct") add(tables[one.table]!);
    }
    if (table.form === "struct") structs.add(table);
  };
  for (const table of tables) add(table);
  return [...structs, ...tables.filter((table) => !structs.has(table)).reverse()];
}

/** The identifiers that a printed schema has in place of a schema's names. */
export interface FbsNames {
  /** Tables, structs and enums, by full name, and unions by {@link unionName}. */
  readonly types: ReadonlyMap<string, string>;
  /** Tables in the order of the layout. */
  readonly tables: readonly string[];
  /** Fields of a table, by the table's full name and their own; a union by its own name. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Chooses the identifiers of {@link emitFbs}. */
export function fbsNames(schema: Schema): FbsNames {
  const { tables } = flatLayout(schema);
  const prefix = schema.package === "" ? "" : identifierOf(`${schema.package}.`);
  const types = identifiers(
    [
      ...[...tables, ...declaredEnums(schema)].map(({ name }) => name),
      ...tables.flatMap((table) => unionsOf(table).map((union) => unionName(table, union))),
    ],
    {
      reserved: RESERVED,
      style: (name) => withLetter(identifierOf(name.startsWith(prefix) ? name.slice(prefix.length) : name)),
      // flatc writes each type into a file of its own, in lower case.
      fold: (name) => name.toLowerCase().replaceAll("_", ""),
    },
  );
  const fields = new Map(tables.map((table) => [table.name, fieldNames(table, types)]));
  return { types, tables: tables.map(({ name }) => types.get(name) ?? name), fields };
}

/**
 * flatc refuses a field that is named like a table, and one named like the length or the bytes of another
 * field; its code for TypeScript also has names of its own, and writes field names in lowerCamelCase.
 */
function fieldNames(table: FlatTable, types: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const names = new Set(table.fields.map(({ name, union }) => union?.name ?? name));
  const reserved = new Set([...RESERVED, ...RESERVED_FIELDS, ...types.values()]);
  const [fold, style] = [lowerCamelCase, withLetter];
  const first = identifiers(names, { reserved, fold, style });
  for (const name of first.values()) for (const suffix of DERIVED_SUFFIXES) reserved.add(name + suffix);
  return identifiers(names, { reserved, fold, style });
}

/** Names of types and literals; a type of one of these names could not be referred to. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    "bool byte ubyte short ushort int uint long ulong float double string " +
    "int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64 vector vector64 array " +
    "true false null nan inf infinity"
  ).split(" "),
);

/** Members and variables of the TypeScript that flatc generates, beside the fields. */
const RESERVED_FIELDS = ["constructor", "bb", "bb_pos", "builder", "pack", "unpack", "unpackTo"];

/** flatc derives such names from a field's own (`CheckClash` in idl_parser.cpp, and `xArray` in TypeScript). */
const DERIVED_SUFFIXES = ["_length", "Length", "_byte_vector", "ByteVector", "_array", "Array"];

/** flatc drops underscores from names of files and methods, and must not be left with nothing. */
function withLetter(name: string): string {
  return /^_+$/.test(name) ? `x${name}` : name;
}

/** One name alone. */
function identifierOf(name: string): string {
  return identifiers([name], { reserved: RESERVED }).get(name) ?? name;
}

function namespaceOf(schema: Schema): string {
  const parts = schema.package.split(".").filter((part) => part !== "");
  return parts.map(identifierOf).join(".");
}

/** The unions of a table, by the names of the fields that hold them. */
function unionsOf({ fields }: FlatTable): string[] {
  return [...new Set(fields.flatMap(({ union }) => (union === undefined ? [] : [union.name])))];
}

/** What stands for the full name of a union, which has none in a schema. */
function unionName(table: FlatTable, union: string): string {
  return `${table.name}.${union}_union`;
}

function unionBlocks(table: FlatTable, names: FbsNames): string[] {
  return unionsOf(table).map((union) => {
    const members = table.fields.filter((field) => field.union?.name === union);
    const labels = identifiers(
      members.map(({ name }) => memberName(name, union)),
      { reserved: new Set([...RESERVED, "NONE"]) },
    );
    const lines = members.map(
      (member) =>
        `  ${labels.get(memberName(member.name, union))}: ${typeText(member.type, names)} = ${member.union?.tag}`,
    );
    return `union ${names.types.get(unionName(table, union))} {\n${lines.join(",\n")}\n}\n`;
  });
}

/** A reader puts the union's name before that of the member. */
function memberName(field: string, union: string): string {
  return field.startsWith(`${union}_`) && field.length > union.length + 1
    ? field.slice(union.length + 1)
    : field;
}

function enumBlock(type: EnumType, schema: Schema, names: FbsNames): string {
  const values = enumValues(type);
  const scalar = enumScalar(type);
  // Only of flags 0 is the default of a field although it has no name.
  const isFlags =
    schema.language === "flatbuffers" &&
    values.every(({ number }) => number > 0 && Math.log2(number) % 1 === 0);
  const lines = values.map(({ name, number }) => `  ${name} = ${isFlags ? Math.log2(number) : number}`);
  return `enum ${names.types.get(type.name)} : ${scalar}${isFlags ? " (bit_flags)" : ""} {\n${lines.join(",\n")}\n}\n`;
}

/** In ascending order and without aliases, as flatc wants them. */
function enumValues({ values }: EnumType): { name: string; number: number }[] {
  const labels = identifiers(
    values.map(({ name }) => name),
    { reserved: RESERVED },
  );
  const named = new Map<number, string>();
  for (const { name, number } of values) if (!named.has(number)) named.set(number, labels.get(name) ?? name);
  return [...named].map(([number, name]) => ({ name, number })).sort((a, b) => a.number - b.number);
}

function tableBlock(table: FlatTable, schema: Schema, names: FbsNames): string {
  const printed = new Set<string>();
  const fields = table.fields.map((field) => {
    const { union } = field;
    const own = union?.name ?? field.name;
    if (printed.has(own)) return "";
    printed.add(own);
    const type =
      union === undefined
        ? typeText(field.type, names, table.form === "struct")
        : names.types.get(unionName(table, union.name));
    return `  ${names.fields.get(table.name)?.get(own)}:${type}${table.form === "struct" ? "" : suffix(field, schema)};\n`;
  });
  const { align } = schema.messages.get(table.name) ?? {};
  const kind = table.form === "struct" ? "struct" : "table";
  const head = `${kind} ${names.types.get(table.name)}${kind === "struct" && align !== undefined ? ` (force_align: ${align})` : ""}`;
  return fields.length === 0 ? `${head} {}\n` : `${head} {\n${fields.join("")}}\n`;
}

function typeText(type: FlatType, names: FbsNames, inStruct = false): string {
  switch (type.kind) {
    case "scalar":
      return type.enumName === undefined ? type.scalar : (names.types.get(type.enumName) ?? type.scalar);
    case "string":
      return "string";
    case "bytes":
      return "[ubyte]";
    case "struct":
    case "table":
      return names.tables[type.table] ?? "";
    case "vector": {
      // Only an array of a struct has a length in the language.
      const length = type.length !== undefined && inStruct ? `:${type.length}` : "";
      return `[${typeText(type.element, names)}${length}]`;
    }
  }
}

function suffix({ type, presence, zero }: FlatField, schema: Schema): string {
  if (type.kind !== "scalar") return presence === "required" ? " (required)" : "";
  if (presence === "optional") return " = null";
  if (Object.is(zero, 0)) return "";
  if (type.enumName === undefined) return ` = ${numberText(zero)}`;
  const named = enumValues(enumOf(schema, type.enumName)).find(({ number }) => number === zero);
  return ` = ${named?.name ?? zero}`;
}

function numberText(value: number | bigint | boolean): string {
  if (Object.is(value, -0)) return "-0.0";
  return String(value).replace("Infinity", "inf").replace("NaN", "nan");
}
