import {
  type CMember,
  type CScalar,
  type CStruct,
  type CType,
  elementsOf,
  layoutOf,
  SCALAR_BYTES,
  sizeOf,
} from "./declarations.ts";

/**
 * What the members of a struct are to each other. C has no optional members, no counted arrays and no bytes,
 * so the names that nanopb made usual say it (nanopb, "Generated code", field sizes and `has_` fields):
 *
 * - `bool has_x` beside a single `x`: whether `x` is there
 * - an integer `x_count` beside an array `x`: how many of its elements are
 * - `struct { uint32_t size; uint8_t bytes[N]; }`: up to N bytes
 * - `char dummy_field` alone in a struct: no member at all
 *
 * Beyond those, `char x[N]` is UTF-8 with a NUL, `uint8_t x[N]` is exactly N bytes, and a flexible array is
 * counted by the integer right before it if no member is named as its count.
 */
export interface Roles {
  /** Members that hold something of their own, in their order. */
  readonly fields: readonly CMember[];
  readonly flagOf: ReadonlyMap<CMember, CMember>;
  readonly countOf: ReadonlyMap<CMember, CMember>;
}

/** Finds the roles of a struct's members. */
export function rolesOf(members: readonly CMember[]): Roles {
  const named = new Map(members.map((member) => [member.name, member]));
  const countOf = new Map<CMember, CMember>();
  for (const member of members) {
    const count = named.get(`${member.name}_count`);
    if (mayBeCounted(member) && count !== undefined && isInteger(count)) countOf.set(member, count);
  }
  const last = members.at(-1);
  const before = members.at(-2);
  const isFree = before !== undefined && isInteger(before) && ![...countOf.values()].includes(before);
  if (last?.flexible === true && !countOf.has(last) && isFree) countOf.set(last, before);

  const counts = new Set(countOf.values());
  const flagOf = new Map<CMember, CMember>();
  const flags = new Set<CMember>();
  // The shorter name first: `has_has_x` is no flag of a `has_x` that is one itself.
  for (const flag of members.toSorted((a, b) => a.name.length - b.name.length)) {
    const target = flag.name.startsWith("has_") ? named.get(flag.name.slice(4)) : undefined;
    if (target === undefined || !isScalar(flag, "bool") || counts.has(target) || flags.has(target)) continue;
    if (listDimensions(target, countOf.has(target)).length > 0 || target.flexible) continue;
    flagOf.set(target, flag);
    flags.add(flag);
  }
  const empty = members.length === 1 && members.every((m) => m.name === "dummy_field" && isScalar(m, "char"));
  const fields = empty ? [] : members.filter((member) => !counts.has(member) && !flags.has(member));
  return { fields, flagOf, countOf };
}

/** Why an array has no meaning here; undefined when it has one. */
export function arrayProblem(member: CMember, roles: Roles): string | undefined {
  const counted = roles.countOf.has(member);
  if (member.flexible && !counted) {
    return `flexible array without a count, expected an integer "${member.name}_count", or any integer right before it`;
  }
  if (member.flexible && member.dimensions.length === 0 && isOf(member, "char")) {
    return "flexible array of char: nothing says whether its count includes a NUL, expected uint8_t";
  }
  if (counted && listDimensions(member, true).length + (member.flexible ? 1 : 0) > 1) {
    return "array of arrays with a count: nothing says whether it counts rows or elements";
  }
  return undefined;
}

/**
 * The dimensions of a member whose elements are list elements, without the last one of text or bytes.
 * An array of arrays is one list, row by row.
 */
function listDimensions(member: CMember, counted: boolean): readonly number[] {
  const { dimensions } = member;
  const isOneList = counted && dimensions.length === 1 && !member.flexible;
  const hasInner = isOf(member, "char") || (isOf(member, "uint8") && !isOneList);
  return hasInner ? dimensions.slice(0, -1) : dimensions;
}

/** The `size` and `bytes` members of a struct that stands for up to N bytes; undefined for any other. */
export function bytesMembers(
  struct: CStruct,
): { readonly size: CMember; readonly bytes: CMember } | undefined {
  const [size, bytes, ...others] = struct.members;
  if (size === undefined || bytes === undefined || others.length > 0) return undefined;
  const isBytes =
    size.name === "size" &&
    isInteger(size) &&
    bytes.name === "bytes" &&
    isOf(bytes, "uint8") &&
    bytes.dimensions.length === 1 &&
    !bytes.flexible;
  return isBytes ? { size, bytes } : undefined;
}

/** One string ends itself, so that a count beside it is a member like any other. */
function mayBeCounted(member: CMember): boolean {
  const dimensions = member.dimensions.length + (member.flexible ? 1 : 0);
  return dimensions > (isOf(member, "char") ? 1 : 0);
}

function isInteger(member: CMember): boolean {
  const { type } = member;
  const isNumber = type.kind === "scalar" && !["bool", "float", "double"].includes(type.scalar);
  return isNumber && member.dimensions.length === 0 && !member.flexible;
}

function isScalar(member: CMember, scalar: CScalar): boolean {
  return isOf(member, scalar) && member.dimensions.length === 0 && !member.flexible;
}

function isOf({ type }: CMember, scalar: CScalar): boolean {
  return type.kind === "scalar" && type.scalar === scalar;
}

/** A struct as values see it: fields instead of members, each with its place. All places are bytes. */
export interface StructShape {
  readonly name: string;
  /** `sizeof`, without the elements of a flexible array. */
  readonly size: number;
  readonly align: number;
  readonly fields: readonly FieldShape[];
  /** The last field, where its elements go on past the struct. */
  readonly flexible: FlexibleShape | undefined;
  /** Padding, as pairs of first byte and end. */
  readonly gaps: readonly (readonly [number, number])[];
}

/** One property of a value. */
export interface FieldShape {
  /** Name of the property. */
  readonly key: string;
  readonly member: CMember;
  /** Of the value, or of the first element. */
  readonly offset: number;
  /** Of one value, or from one element to the next. */
  readonly stride: number;
  readonly element: Shape;
  readonly repeat: Repeat;
}

/** A flexible array, which always has a count. */
export interface FlexibleShape extends FieldShape {
  readonly repeat: Counted;
}

/** What a value or an element is. Integers are little-endian; a bool is one byte, 0 or 1. */
export type Shape =
  | Integer
  | { readonly kind: "bool" }
  | { readonly kind: "float"; readonly bits: 32 | 64 }
  /** UTF-8 with a NUL after it, and zeros up to `capacity`. */
  | { readonly kind: "text"; readonly capacity: number }
  /** Bytes at `data`, as many as an integer at the start says, or else exactly `capacity`. */
  | {
      readonly kind: "bytes";
      readonly capacity: number;
      readonly data: number;
      readonly size: Integer | undefined;
    }
  | { readonly kind: "struct"; readonly struct: StructShape };

/** An integer in two's complement. */
export interface Integer {
  readonly kind: "integer";
  readonly bits: 8 | 16 | 32 | 64;
  readonly signed: boolean;
}

/** An integer member, at an offset from the start of what it belongs to. */
export interface Slot extends Integer {
  readonly offset: number;
}

/** How many values a field holds. */
export type Repeat =
  /** One; with `flag`, the offset of a bool that says whether it is there. */
  | { readonly kind: "one"; readonly flag: number | undefined }
  /** A list of exactly `length`. */
  | { readonly kind: "fixed"; readonly length: number }
  | Counted;

/** As many as an integer of the struct says: a list, an object with an entry struct each, or bytes. */
export interface Counted {
  readonly kind: "counted";
  readonly as: "list" | "map" | "bytes";
  readonly count: Slot;
  /** Elements that there is room for; none that is part of the struct where the array is flexible. */
  readonly bound: number;
  /** Most elements: the bound, or what the integer can count. */
  readonly max: number;
}

/** A buffer of 2 GiB holds no more elements of any size. */
const MAX_ELEMENTS = 2 ** 31 - 1;

/** Describes a struct and every struct in it, each once, by the rules of {@link rolesOf}. */
export function describeStruct(struct: CStruct): StructShape {
  return describe(struct, new Map());
}

/** The key and the value of a map's entry struct. */
export function entryOf(element: Shape): {
  readonly struct: StructShape;
  readonly key: FieldShape;
  readonly value: FieldShape;
} {
  if (element.kind !== "struct") throw new Error("the elements of a map are structs");
  const { struct } = element;
  const [key, value] = struct.fields;
  if (key === undefined || value === undefined) throw new Error(`${struct.name} has no key and value`);
  return { struct, key, value };
}

type Known = Map<CStruct, StructShape>;

function describe(struct: CStruct, known: Known): StructShape {
  const found = known.get(struct);
  if (found !== undefined) return found;
  const { size, align, offsets } = layoutOf(struct);
  const placeOf = new Map(struct.members.map((member, i) => [member, offsets[i]!]));
  const roles = rolesOf(struct.members);
  const fields = roles.fields.map((member): FieldShape => {
    const problem = arrayProblem(member, roles);
    if (problem !== undefined) throw new Error(`${struct.name}.${member.name}: ${problem}`);
    const flag = roles.flagOf.get(member);
    const count = roles.countOf.get(member);
    const offset = placeOf.get(member)!;
    const repeat =
      count === undefined
        ? uncounted(member, flag === undefined ? undefined : placeOf.get(flag))
        : counted(member, count, placeOf.get(count)!);
    return { key: member.key ?? member.name, member, offset, repeat, ...elementOf(member, count, known) };
  });
  const gaps = gapsOf(struct, fields.length === 0);
  const shape = { name: struct.name, size, align, fields, flexible: fields.find(isFlexible), gaps };
  known.set(struct, shape);
  return shape;
}

function isFlexible(field: FieldShape): field is FlexibleShape {
  return field.member.flexible && field.repeat.kind === "counted";
}

function uncounted(member: CMember, flag: number | undefined): Repeat {
  const dimensions = listDimensions(member, false);
  if (dimensions.length === 0) return { kind: "one", flag };
  return { kind: "fixed", length: dimensions.reduce((product, bound) => product * bound) };
}

function counted(member: CMember, count: CMember, offset: number): Counted {
  const slot = slotOf(count, offset);
  const bound = member.flexible ? 0 : listDimensions(member, true)[0]!;
  const countable = 2 ** (slot.bits - (slot.signed ? 1 : 0)) - 1;
  // A member named `x_count` says that `uint8_t x[]` is a list of numbers; any other, that it is bytes.
  const isBytes = member.flexible && isOctet(member) && count.name !== `${member.name}_count`;
  const as = isBytes ? "bytes" : member.map === true ? "map" : "list";
  return {
    kind: "counted",
    as,
    count: slot,
    bound,
    max: Math.min(member.flexible ? MAX_ELEMENTS : bound, countable),
  };
}

function isOctet({ type, dimensions }: CMember): boolean {
  return type.kind === "scalar" && type.scalar === "uint8" && dimensions.length === 0;
}

function slotOf(count: CMember, offset: number): Slot {
  return { ...integerShape(count.type), offset };
}

function elementOf(
  member: CMember,
  count: CMember | undefined,
  known: Known,
): Pick<FieldShape, "element" | "stride"> {
  const { type, dimensions } = member;
  const isArray = dimensions.length > listDimensions(member, count !== undefined).length;
  const capacity = dimensions.at(-1);
  if (isArray && capacity !== undefined) {
    const isText = type.kind === "scalar" && type.scalar === "char";
    const element: Shape = isText
      ? { kind: "text", capacity }
      : { kind: "bytes", capacity, data: 0, size: undefined };
    return { element, stride: capacity };
  }
  return {
    element: type.kind === "struct" ? structShape(type.struct, known) : scalarShape(type),
    stride: sizeOf(type),
  };
}

function structShape(struct: CStruct, known: Known): Shape {
  const members = bytesMembers(struct);
  if (members === undefined) return { kind: "struct", struct: describe(struct, known) };
  const capacity = elementsOf(members.bytes);
  const [, data = 0] = layoutOf(struct).offsets;
  return { kind: "bytes", capacity, data, size: integerShape(members.size.type) };
}

function integerShape(type: CType): Integer {
  const shape = type.kind === "struct" ? undefined : scalarShape(type);
  if (shape?.kind !== "integer") throw new Error("a count is an integer");
  return shape;
}

function scalarShape(type: Exclude<CType, { kind: "struct" }>): Shape {
  if (type.kind === "enum") return { kind: "integer", bits: type.bits, signed: true };
  const { scalar } = type;
  const bits = (SCALAR_BYTES[scalar] * 8) as Integer["bits"];
  if (scalar === "bool") return { kind: "bool" };
  if (scalar === "float" || scalar === "double") return { kind: "float", bits: bits === 32 ? 32 : 64 };
  return { kind: "integer", bits, signed: !scalar.startsWith("u") };
}

function gapsOf(struct: CStruct, isEmpty: boolean): [number, number][] {
  const { size, offsets } = layoutOf(struct);
  if (isEmpty) return [[0, size]];
  const gaps: [number, number][] = [];
  let end = 0;
  for (const [i, member] of struct.members.entries()) {
    const offset = offsets[i]!;
    if (offset > end) gaps.push([end, offset]);
    // A flexible array takes whatever is left of the struct.
    end = member.flexible ? size : offset + sizeOf(member.type) * elementsOf(member);
  }
  if (size > end) gaps.push([end, size]);
  return gaps;
}

/** Every struct in a struct, the outer one first, each with a name for the function generated for it. */
export function functionsOf(root: StructShape, prefix: string): ReadonlyMap<StructShape, string> {
  const names = new Map<StructShape, string>();
  const visit = (struct: StructShape): void => {
    if (names.has(struct)) return;
    names.set(struct, `${prefix}${names.size}`);
    for (const { element } of struct.fields) if (element.kind === "struct") visit(element.struct);
  };
  visit(root);
  return names;
}
