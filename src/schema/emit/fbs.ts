import { type EnumType, enumOf, reachableEnums, type Schema } from "../../model/schema.ts";
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
  const { tables } = flatLayout(schema);
  const names = fbsNames(schema);
  const blocks = [
    ...reachableEnums(schema).map((type) => enumBlock(type, names)),
    ...tables.map((table) => tableBlock(table, schema, names)).reverse(),
  ];
  const namespace = namespaceOf(schema);
  const head = namespace === "" ? [] : [`namespace ${namespace};\n`];
  return [...head, ...blocks, `root_type ${names.types.get(schema.root)};\n`].join("\n");
}

/** The identifiers that a printed schema has in place of a schema's names. */
export interface FbsNames {
  /** Tables and enums, by full name. */
  readonly types: ReadonlyMap<string, string>;
  /** Tables in the order of the layout. */
  readonly tables: readonly string[];
  /** Fields of a table, by the table's full name and their own. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Chooses the identifiers of {@link emitFbs}. */
export function fbsNames(schema: Schema): FbsNames {
  const { tables } = flatLayout(schema);
  const prefix = schema.package === "" ? "" : identifierOf(`${schema.package}.`);
  const types = identifiers(
    [...tables, ...reachableEnums(schema)].map(({ name }) => name),
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
  const names = table.fields.map(({ name }) => name);
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

function enumBlock(type: EnumType, names: FbsNames): string {
  const values = enumValues(type).map(({ name, number }) => `  ${name} = ${number}`);
  return `enum ${names.types.get(type.name)} : ${enumScalar(type)} {\n${values.join(",\n")}\n}\n`;
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
  const fields = table.fields.map((field) => {
    const name = names.fields.get(table.name)?.get(field.name);
    return `  ${name}:${typeText(field.type, names)}${suffix(field, schema)};\n`;
  });
  const name = names.types.get(table.name);
  return fields.length === 0 ? `table ${name} {}\n` : `table ${name} {\n${fields.join("")}}\n`;
}

function typeText(type: FlatType, names: FbsNames): string {
  switch (type.kind) {
    case "scalar":
      return type.enumName === undefined ? type.scalar : (names.types.get(type.enumName) ?? type.scalar);
    case "string":
      return "string";
    case "bytes":
      return "[ubyte]";
    case "table":
      return names.tables[type.table] ?? "";
    case "vector":
      return `[${typeText(type.element, names)}]`;
  }
}

function suffix({ type, presence, zero }: FlatField, schema: Schema): string {
  if (type.kind !== "scalar") return presence === "required" ? " (required)" : "";
  if (presence === "optional") return " = null";
  if (zero === 0 || type.enumName === undefined) return "";
  const named = enumValues(enumOf(schema, type.enumName)).find(({ number }) => number === zero);
  return ` = ${named?.name}`;
}
