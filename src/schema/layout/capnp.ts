import { createHash } from "node:crypto";
import { defined } from "../../model/defined.ts";
import { UnsupportedError } from "../../model/errors.ts";
import {
  declaredEnums,
  type EnumType,
  type Field,
  type FieldType,
  hasPresence,
  type MessageType,
  messageOf,
  reachableMessages,
  type Scalar,
  type Schema,
  VOID,
} from "../../model/schema.ts";
import { identifiers, lowerCamelCase } from "../identifiers.ts";
import { type DataBits, type FieldScope, MemberPlaces, Sections, UnionPlaces } from "./capnp-places.ts";

/** Names of the types of fixed width. */
export type CapnpPrimitive = `${"Int" | "UInt"}${8 | 16 | 32 | 64}` | "Float32" | "Float64" | "Bool";

/** What an element of a list is. A struct is named by its place in {@link CapnpLayout.structs}. */
export type CapnpElement =
  | { readonly kind: "primitive"; readonly name: CapnpPrimitive; readonly bits: DataBits }
  | { readonly kind: "enum"; readonly enum: CapnpEnum; readonly bits: 16 }
  | { readonly kind: "text" }
  | { readonly kind: "data" }
  | { readonly kind: "struct"; readonly struct: number };

/** A list. Where it stands for a message, as in a list or a union, that has it in the field `wrapper`. */
export interface CapnpList {
  readonly kind: "list";
  readonly element: CapnpElement | CapnpList;
  readonly wrapper?: string;
}

/** What a field is. A group is a struct that lies in the one around it. */
export type CapnpType =
  | CapnpElement
  | CapnpList
  | { readonly kind: "group"; readonly struct: number }
  | { readonly kind: "void" };

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
  /** What a field of the data section holds where its bits are 0, unless that is 0 too. */
  readonly zero?: number | bigint | boolean;
}

/** A field of the model, and what carries it. */
export interface CapnpMember {
  readonly field: Field;
  readonly slot: CapnpSlot;
  /** The Bool that says whether an optional scalar or enum is there. Where there is a pointer, null says it. */
  readonly flag?: CapnpSlot;
  /** Of a member of a union: what the discriminant is then. */
  readonly tag?: number;
}

/** A message, or an entry of a map, whose members are `key` and `value`; or a group, whose sections are those around it. */
export interface CapnpStruct {
  readonly form: "message" | "entry" | "group";
  readonly name: string;
  readonly id: string;
  readonly dataWords: number;
  readonly pointers: number;
  readonly members: readonly CapnpMember[];
  /** First bit of the 16 that say which member of its union is there. */
  readonly discriminant?: number;
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
 * of its entries. A schema of a .capnp file has that file's layout, with its unions, groups, defaults and ordinals.
 * Throws UnsupportedError for a message with too many fields.
 */
export function capnpLayout(schema: Schema): CapnpLayout {
  const own = schema.language === "capnp";
  const messages = reachableMessages(schema).filter(({ form }) => !(own && form === "list"));
  const drafts: Draft[] = messages.map(({ name, fields }) => ({ form: "message", path: [name], fields }));
  const places = new Map(messages.map(({ name }, index) => [name, index]));
  const entries = new Map<Field, number>();
  for (const { name, fields } of messages) {
    for (const field of fields.filter(({ repetition }) => repetition.kind === "map")) {
      entries.set(field, drafts.length);
      drafts.push({ form: "entry", path: [name, field.name, "entry"], fields: entryFields(field) });
    }
  }
  const enumTypes = declaredEnums(schema).filter(
    (type) => isDense(type) && !(own && type.name === VOID.name),
  );
  // An enum's path is longer by an empty step, so that it is no message's.
  const paths = [...drafts.map(({ path }) => path), ...enumTypes.map(({ name }) => [name, ""])];
  const nameOf = typeNames(paths, schema.package);
  const enums = new Map(enumTypes.map((type) => [type.name, denseEnum(type, nameOf(type.name, ""))]));

  const listOf = (name: string): CapnpList | undefined => {
    const message = messageOf(schema, name);
    const [field] = message.fields;
    if (!own || message.form !== "list" || field === undefined) return undefined;
    return { kind: "list", element: itemOf(field.type), wrapper: field.name };
  };
  const itemOf = (type: FieldType): CapnpElement | CapnpList =>
    (type.kind === "message" ? listOf(type.name) : undefined) ?? elementOf(type);
  const elementOf = (type: FieldType): CapnpElement => {
    if (type.kind === "message") return { kind: "struct", struct: places.get(type.name) ?? 0 };
    if (type.kind === "scalar") return SCALARS[type.scalar];
    const dense = enums.get(type.name);
    return dense === undefined ? SCALARS.int32 : { kind: "enum", enum: dense, bits: 16 };
  };
  const typeOf = (field: Field): CapnpType => {
    const entry = entries.get(field);
    if (entry !== undefined) return { kind: "list", element: { kind: "struct", struct: entry } };
    if (field.repetition.kind === "list") return { kind: "list", element: itemOf(field.type) };
    if (own && field.type.kind === "enum" && field.type.name === VOID.name) return { kind: "void" };
    const isGroup =
      own && field.type.kind === "message" && messageOf(schema, field.type.name).form === "group";
    if (isGroup) return { kind: "group", struct: places.get(field.type.name) ?? 0 };
    return itemOf(field.type);
  };
  const placed = own ? placeAsDeclared(schema, messages, typeOf) : undefined;
  const structs = drafts.map(({ form, path, fields }) => {
    const name = nameOf(...path);
    const message = placed?.get(path[0]!);
    return message === undefined
      ? { form, name, ...place(name, fields, typeOf) }
      : { name, form: message.isGroup ? ("group" as const) : form, ...message.place };
  });
  const slots = structs.map((struct) => [struct.name, slotsOf(struct)]);
  const content = [schema.package, slots, [...enums.values()]];
  const text = JSON.stringify(content, (key, value) =>
    key === "source" ? undefined : typeof value === "bigint" ? String(value) : value,
  );
  // Only what prints the schema asks for ids.
  return {
    get id() {
      return idOf(text);
    },
    structs: structs.map((struct) => {
      return {
        get id() {
          return idOf(`${idOf(text)} ${struct.name}`);
        },
        ...struct,
      };
    }),
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

/** The sections and members of a struct or group. */
type Placed = Pick<CapnpStruct, "dataWords" | "pointers" | "members" | "discriminant">;

/** Places the fields of a .capnp file's structs where its compiler does, by the ordinals. */
function placeAsDeclared(
  schema: Schema,
  messages: readonly MessageType[],
  typeOf: (field: Field) => CapnpType,
): ReadonlyMap<string, { readonly isGroup: boolean; readonly place: Placed }> {
  const all = new Map<string, { readonly isGroup: boolean; readonly place: Placed }>();
  for (const message of messages) {
    if (message.form === undefined)
      for (const [name, place] of new StructPlaces(schema, typeOf).of(message)) all.set(name, place);
  }
  return all;
}

/** The places of one struct and its groups. */
class StructPlaces {
  readonly #schema: Schema;
  readonly #typeOf: (field: Field) => CapnpType;
  readonly #sections = new Sections();
  readonly #leaves: { readonly field: Field; readonly scope: FieldScope }[] = [];
  readonly #unions = new Map<MessageType, UnionPlaces>();
  readonly #slots = new Map<Field, CapnpSlot>();

  constructor(schema: Schema, typeOf: (field: Field) => CapnpType) {
    this.#schema = schema;
    this.#typeOf = typeOf;
  }

  of(struct: MessageType): Map<string, { readonly isGroup: boolean; readonly place: Placed }> {
    const messages = this.#collect(struct, this.#sections);
    this.#leaves.sort((a, b) => a.field.number - b.field.number);
    for (const { field, scope } of this.#leaves) this.#slots.set(field, this.#slot(field, scope));
    const discriminants = new Map(
      messages.map((message) => [message, this.#unions.get(message)?.discriminant]),
    );
    const { dataWords, pointers } = this.#sections;
    return new Map(
      messages.map((message) => {
        const members = this.#members(message);
        const place = defined({ dataWords, pointers, members, discriminant: discriminants.get(message) });
        return [message.name, { isGroup: message !== struct, place }];
      }),
    );
  }

  /** The message and its groups. */
  #collect(message: MessageType, scope: FieldScope): MessageType[] {
    const found = [message];
    for (const field of message.fields) {
      const inner = field.oneof === undefined ? scope : new MemberPlaces(this.#union(message, scope));
      if (this.#typeOf(field).kind !== "group") this.#leaves.push({ field, scope: inner });
      else if (field.type.kind === "message")
        found.push(...this.#collect(messageOf(this.#schema, field.type.name), inner));
    }
    return found;
  }

  #union(message: MessageType, scope: FieldScope): UnionPlaces {
    const union = this.#unions.get(message) ?? new UnionPlaces(scope);
    this.#unions.set(message, union);
    return union;
  }

  #slot(field: Field, scope: FieldScope): CapnpSlot {
    const { name, number } = field;
    const type = this.#typeOf(field);
    const common = { name, ordinal: number - 1, type };
    if (type.kind === "void") {
      scope.placeNothing();
      return { ...common, offset: 0 };
    }
    if (!("bits" in type)) return { ...common, offset: scope.placePointer() };
    const zero = typeof field.default === "string" ? undefined : field.default;
    return defined({ ...common, offset: scope.placeData(type.bits), zero });
  }

  #members(message: MessageType): CapnpMember[] {
    const tags = message.fields
      .filter(({ oneof }) => oneof !== undefined)
      .sort((a, b) => a.number - b.number);
    return message.fields.map((field) => {
      const { name, number } = field;
      const slot = this.#slots.get(field) ?? {
        name,
        ordinal: number - 1,
        type: this.#typeOf(field),
        offset: 0,
      };
      return defined({ field, slot, tag: field.oneof === undefined ? undefined : tags.indexOf(field) });
    });
  }
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
