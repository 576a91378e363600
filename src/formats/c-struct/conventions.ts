import type { CMember, CScalar, CStruct } from "./declarations.ts";

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
export function listDimensions(member: CMember, counted: boolean): readonly number[] {
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
