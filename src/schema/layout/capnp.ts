import { createHash } from "node:crypto";
import { UnsupportedError } from "../../model/errors.ts";
import {
  type EnumType,
  type Field,
  type FieldType,
  hasPresence,
  reachableEnums,
  reachableMessages,
  type Scalar,
  type Schema,
} from "../../model/schema.ts";
import { identifiers, lowerCamelCase } from "../identifiers.ts";

/** Names of the types of fixed width. */
export type CapnpPrimitive = `${"Int" | "UInt"}${8 | 16 | 32 | 64}` | "Float32" | "Float64" | "Bool";

/** What an element of a list is. A struct is named by its place in {@link CapnpLayout.structs}. */
export type CapnpElement =
  | { readonly kind: "primitive"; readonly name: CapnpPrimitive; readonly bits: DataBits }
  | { readonly kind: "enum"; readonly enum: CapnpEnum; readonly bits: 16 }
  | { readonly kind: "text" }
  | { readonly kind: "data" }
  | { readonly kind: "struct"; readonly struct: number };

/** What a field is. */
export type CapnpType = CapnpElement | { readonly kind: "list"; readonly element: CapnpElement };

/** An enum whose numbers are exactly 0 to n - 1. Every other one is an Int32. */
export interface CapnpEnum {
  readonly name: string;
  /** The schema's own. */
  readonly source: EnumType;
  /** By number; of several names for one number the first. */
  readonly enumerants: readonly string[];
}

/** A field of a struct. */
export interface CapnpSlot {
  readonly name: string;
  readonly ordinal: number;
  readonly type: CapnpType;
  /** First bit in the data section, or index in the pointer section. */
  readonly offset: number;
}

/** A field of the model, and what carries it. */
export interface CapnpMember {
  readonly field: Field;
  readonly slot: CapnpSlot;
  /** The Bool that says whether an optional scalar or enum is there. Where there is a pointer, null says it. */
  readonly flag?: CapnpSlot;
}

/** A message, or an entry of a map, whose members are `key` and `value`. */
export interface CapnpStruct {
  readonly form: "message" | "entry";
  readonly name: string;
  readonly id: string;
  readonly dataWords: number;
  readonly pointers: number;
  readonly members: readonly CapnpMember[];
}

/** A schema as Cap'n Proto has it, with the place of every field. Ids are 16 hexadecimal digits. */
export interface CapnpLayout {
  /** Of the file: the same for the same content. */
  readonly id: string;
  /** The root, the other messages, and the entries of maps. */
  readonly structs: readonly CapnpStruct[];
  readonly enums: readonly CapnpEnum[];
}

/** Ordinals are 16 bits wide, and 65535 stands for none (capnp/schema.capnp, `Field.noDiscriminant`). */
const MAX_SLOTS = 65_535;

/**
 * Lays a schema out for Cap'n Proto: ordinals in the order of declaration, every list a List, every map a List
 * of its entries. Throws UnsupportedError for a message with too many fields.
 */
export function capnpLayout(schema: Schema): CapnpLayout {
  const messages = reachableMessages(schema);
  const drafts: Draft[] = messages.map(({ name, fields }) => ({ form: "message", path: [name], fields }));
  const places = new Map(messages.map(({ name }, index) => [name, index]));
  const entries = new Map<Field, number>();
  for (const { name, fields } of messages) {
    for (const field of fields.filter(({ repetition }) => repetition.kind === "map")) {
      entries.set(field, drafts.length);
      drafts.push({ form: "entry", path: [name, field.name, "entry"], fields: entryFields(field) });
    }
  }
  const enumTypes = reachableEnums(schema).filter(isDense);
  // An enum's path is longer by an empty step, so that it is no message's.
  const paths = [...drafts.map(({ path }) => path), ...enumTypes.map(({ name }) => [name, ""])];
  const nameOf = typeNames(paths, schema.package);
  const enums = new Map(enumTypes.map((type) => [type.name, denseEnum(type, nameOf(type.name, ""))]));

  const elementOf = (type: FieldType): CapnpElement => {
    if (type.kind === "message") return { kind: "struct", struct: places.get(type.name) ?? 0 };
    if (type.kind === "scalar") return SCALARS[type.scalar];
    const dense = enums.get(type.name);
    return dense === undefined ? SCALARS.int32 : { kind: "enum", enum: dense, bits: 16 };
  };
  const typeOf = (field: Field): CapnpType => {
    const entry = entries.get(field);
    if (entry !== undefined) return { kind: "list", element: { kind: "struct", struct: entry } };
    const element = elementOf(field.type);
    return field.repetition.kind === "list" ? { kind: "list", element } : element;
  };
  const structs = drafts.map(({ form, path, fields }) => {
    const name = nameOf(...path);
    return { form, name, ...place(name, fields, typeOf) };
  });
  const slots = structs.map((struct) => [struct.name, slotsOf(struct)]);
  const content = [schema.package, slots, [...enums.values()]];
  const id = idOf(JSON.stringify(content, (key, value) => (key === "source" ? undefined : value)));
  return {
    id,
    structs: structs.map((struct) => ({ id: idOf(`${id} ${struct.name}`), ...struct })),
    enums: [...enums.values()],
  };
}

/** Every field of a struct, in the order of the ordinals. */
export function slotsOf({ members }: Pick<CapnpStruct, "members">): CapnpSlot[] {
  return members.flatMap(({ slot, flag }) => (flag === undefined ? [slot] : [slot, flag]));
}

/** A struct to be. */
interface Draft {
  readonly form: CapnpStruct["form"];
  /** The name of the message, and for an entry also that of the map and the word `entry`. */
  readonly path: readonly string[];
  readonly fields: readonly Field[];
}

function entryFields({ type, repetition }: Field): readonly Field[] {
  if (repetition.kind !== "map") return [];
  const one = { kind: "one", presence: "always" } as const;
  return [
    { name: "key", number: 1, type: { kind: "scalar", scalar: repetition.key }, repetition: one },
    { name: "value", number: 2, type, repetition: one },
  ];
}

function place(
  struct: string,
  fields: readonly Field[],
  typeOf: (field: Field) => CapnpType,
): Pick<CapnpStruct, "dataWords" | "pointers" | "members"> {
  const needsFlag = (field: Field): boolean => hasPresence(field) && "bits" in typeOf(field);
  const paths = fields.flatMap((field) => [[field.name], ...(needsFlag(field) ? [["has", field.name]] : [])]);
  if (paths.length > MAX_SLOTS) {
    throw new UnsupportedError(
      `${struct}: ${paths.length} fields, expected at most ${MAX_SLOTS} in Cap'n Proto`,
    );
  }
  const nameOf = fieldNames(paths);
  const sections = new Sections();
  let ordinal = 0;
  const slot = (name: string, type: CapnpType): CapnpSlot => {
    const offset = "bits" in type ? sections.placeData(type.bits) : sections.placePointer();
    return { name, ordinal: ordinal++, type, offset };
  };
  const members = fields.map((field) => ({
    field,
    slot: slot(nameOf(field.name), typeOf(field)),
    ...(needsFlag(field) ? { flag: slot(nameOf("has", field.name), SCALARS.bool) } : {}),
  }));
  return { dataWords: sections.dataWords, pointers: sections.pointers, members };
}

function isDense({ values }: EnumType): boolean {
  const { size } = new Set(values.map(({ number }) => number));
  return size > 0 && size <= MAX_SLOTS && values.every(({ number }) => number >= 0 && number < size);
}

function denseEnum(type: EnumType, name: string): CapnpEnum {
  const byNumber = new Map<number, string>();
  for (const value of type.values) if (!byNumber.has(value.number)) byNumber.set(value.number, value.name);
  const names = Array.from({ length: byNumber.size }, (_, number) => byNumber.get(number) ?? "");
  const nameOf = fieldNames(names.map((one) => [one]));
  return { name, source: type, enumerants: names.map((one) => nameOf(one)) };
}

/** An id has its highest bit set (language reference, "Unique IDs"). */
function idOf(content: string): string {
  const hash = createHash("sha256").update(content).digest().readBigUInt64BE();
  return (hash | (1n << 63n)).toString(16);
}

const primitive = (name: CapnpPrimitive, bits: DataBits): CapnpElement & { bits: DataBits } => ({
  kind: "primitive",
  name,
  bits,
});

const SCALARS = {
  bool: primitive("Bool", 1),
  int8: primitive("Int8", 8),
  uint8: primitive("UInt8", 8),
  int16: primitive("Int16", 16),
  uint16: primitive("UInt16", 16),
  int32: primitive("Int32", 32),
  sint32: primitive("Int32", 32),
  sfixed32: primitive("Int32", 32),
  uint32: primitive("UInt32", 32),
  fixed32: primitive("UInt32", 32),
  int64: primitive("Int64", 64),
  sint64: primitive("Int64", 64),
  sfixed64: primitive("Int64", 64),
  uint64: primitive("UInt64", 64),
  fixed64: primitive("UInt64", 64),
  float: primitive("Float32", 32),
  double: primitive("Float64", 64),
  string: { kind: "text" },
  bytes: { kind: "data" },
} as const satisfies Readonly<Record<Scalar, CapnpElement>>;

/** Bits that one field takes in a data section. */
export type DataBits = 1 | 8 | 16 | 32 | 64;

/**
 * The two sections of a struct while its fields are placed, in the order of their ordinals, where the Cap'n
 * Proto compiler places them (what `capnp compile -ocapnp` prints, 0.9.2): a field goes to the low end of the
 * smallest gap that holds it, and to a new word where there is none.
 */
export class Sections {
  dataWords = 0;
  pointers = 0;
  /** First bit of the gap of each size. Only a size without a gap is ever split off, so there is one at most. */
  readonly #gaps = new Map<number, number>();

  /** Places a field in the data section and returns its first bit. */
  placeData(bits: DataBits): number {
    let size: number = bits;
    while (size < 64 && !this.#gaps.has(size)) size *= 2;
    const start = this.#gaps.get(size) ?? 64 * this.dataWords++;
    this.#gaps.delete(size);
    for (let half = size / 2; half >= bits; half /= 2) this.#gaps.set(half, start + half);
    return start;
  }

  /** Places a field in the pointer section and returns its index. */
  placePointer(): number {
    return this.pointers++;
  }
}

/**
 * Cap'n Proto's names of a scope: lowerCamelCase for fields and enumerants, UpperCamelCase for types, without
 * underscores, no two alike (language reference, "Names"). Each name is given as its path, so that the flag of
 * a field `x` and a field `has_x` stay two.
 */
export function fieldNames(paths: Iterable<readonly string[]>): (...path: string[]) => string {
  return namesOf(paths, (name) => startingWith(/^[a-z]/, "field", camelCase(name)));
}

/** {@link fieldNames} for structs and enums; the package is left out of their names. */
function typeNames(paths: Iterable<readonly string[]>, packageName: string): (...path: string[]) => string {
  const prefix = `_${packageName.replace(/[^A-Za-z0-9_]+/g, "_")}_`;
  return namesOf(paths, (name) => {
    const camel = camelCase(name.startsWith(prefix) && name !== prefix ? name.slice(prefix.length) : name);
    const type = startingWith(/^[A-Z]/, "Type", camel.charAt(0).toUpperCase() + camel.slice(1));
    // Without its digits, because a number is what tells a name from one before it.
    return BUILT_IN.has(type.replace(/\d+$/, "")) ? `${type}Type` : type;
  });
}

/** Built-in types, which a type of the same name would hide. The numbers of `Int8` and the like are left out. */
const BUILT_IN = new Set([
  ...["Void", "Bool", "Int", "UInt", "Float", "Text", "Data", "List"],
  ...["AnyPointer", "AnyStruct", "AnyList", "Capability"],
]);

function namesOf(
  paths: Iterable<readonly string[]>,
  style: (name: string) => string,
): (...path: string[]) => string {
  const names = identifiers(
    Array.from(paths, (path) => JSON.stringify(path)),
    { style },
  );
  return (...path) => {
    const name = names.get(JSON.stringify(path));
    if (name === undefined) throw new Error(`no name was made for ${path.join(".")}`);
    return name;
  };
}

/** `PHONE_NUM` as `phoneNum`: capitals throughout are a convention, not a spelling. */
function camelCase(name: string): string {
  return lowerCamelCase(name === name.toUpperCase() ? name.toLowerCase() : name);
}

function startingWith(start: RegExp, prefix: string, name: string): string {
  return start.test(name) ? name : prefix + name;
}
