/** C that fills a struct with a value, or compares it with one. It knows members by name and never an offset. */

import { type CMember, type CStruct, rolesOf } from "../../../src/formats/c-struct/index.ts";
import { bytesMembers } from "../../../src/formats/c-struct/shape.ts";

/** A lvalue that is a leaf of a struct, and what it holds. */
export interface Leaf {
  readonly at: string;
  readonly kind: "number" | "enum" | "text" | "bytes";
  readonly value: unknown;
}

/** Every scalar, string and byte array of a value, with the flags and counts that go with it. */
export function leavesOf(struct: CStruct, value: Readonly<Record<string, unknown>>, at: string): Leaf[] {
  const { fields, flagOf, countOf } = rolesOf(struct.members);
  return fields.flatMap((member) => {
    const given = Object.hasOwn(value, member.key ?? member.name)
      ? value[member.key ?? member.name]
      : undefined;
    const place = `${at}.${member.name}`;
    const flag = flagOf.get(member);
    if (flag !== undefined) {
      const isThere: Leaf = { at: `${at}.${flag.name}`, kind: "number", value: given !== undefined };
      return given === undefined ? [isThere] : [isThere, ...oneLeaf(member, given, place)];
    }
    const count = countOf.get(member);
    if (given instanceof Uint8Array) {
      const length: Leaf[] =
        count === undefined ? [] : [{ at: `${at}.${count.name}`, kind: "number", value: given.length }];
      return [...length, ...oneLeaf(member, given, place)];
    }
    const items = itemsOf(member, given);
    if (items === undefined) return oneLeaf(member, given, place);
    const length: Leaf[] =
      count === undefined ? [] : [{ at: `${at}.${count.name}`, kind: "number", value: items.length }];
    return [...length, ...items.flatMap((item, i) => oneLeaf(member, item, place + indexes(member, i)))];
  });
}

/** The elements of a list or the entries of a map; undefined for a single value. */
function itemsOf(member: CMember, given: unknown): readonly unknown[] | undefined {
  if (Array.isArray(given)) return given;
  if (member.map !== true) return undefined;
  return Object.entries(given as object).map(([key, value]) => ({ key, value }));
}

/** `[1][2]` for the element of that number, row by row. */
function indexes({ dimensions, type, flexible }: CMember, index: number): string {
  const isArrayOfArrays = type.kind === "scalar" && (type.scalar === "char" || type.scalar === "uint8");
  const counted = flexible ? [Number.POSITIVE_INFINITY, ...dimensions] : [...dimensions];
  const bounds = isArrayOfArrays && counted.length > 1 ? counted.slice(0, -1) : counted;
  let text = "";
  let rest = index;
  for (const bound of bounds.slice(1).reverse()) {
    text = `[${rest % bound}]${text}`;
    rest = Math.floor(rest / bound);
  }
  return `[${rest}]${text}`;
}

function oneLeaf({ type }: CMember, value: unknown, at: string): Leaf[] {
  if (type.kind !== "struct") {
    if (typeof value === "string" && type.kind === "scalar" && type.scalar !== "char") {
      // The key of a map.
      return [
        {
          at,
          kind: "number",
          value: value === "true" || value === "false" ? value === "true" : BigInt(value),
        },
      ];
    }
    const kind = typeof value === "string" ? "text" : value instanceof Uint8Array ? "bytes" : "number";
    return [{ at, kind: type.kind === "enum" ? "enum" : kind, value }];
  }
  if (bytesMembers(type.struct) === undefined) {
    return leavesOf(type.struct, value as Record<string, unknown>, at);
  }
  return [
    { at: `${at}.size`, kind: "number", value: (value as Uint8Array).length },
    { at: `${at}.bytes`, kind: "bytes", value },
  ];
}

/** A statement that stores a leaf. */
export function store({ at, kind, value }: Leaf): string {
  if (kind === "number" || kind === "enum") return `${at} = ${number(value)};`;
  const bytes = kind === "text" ? Buffer.from(`${value}\0`) : (value as Uint8Array);
  return bytes.length === 0 ? "" : `memcpy(${at}, ${quoted(bytes)}, ${bytes.length});`;
}

/** A statement that says so if a leaf is not what it should be. */
export function compare(leaf: Leaf, name: string): string {
  const { at, kind, value } = leaf;
  const said = `printf("%s\\n", ${JSON.stringify(`${name}: ${at}`)});`;
  if (kind === "number") return `if (${at} != ${number(value)}) ${said}`;
  // gcc takes an enum without negative values for unsigned.
  if (kind === "enum") return `if ((int)${at} != ${number(value)}) ${said}`;
  const bytes = kind === "text" ? Buffer.from(`${value}\0`) : (value as Uint8Array);
  return `if (memcmp(${at}, ${quoted(bytes)}, ${bytes.length}) != 0) ${said}`;
}

/** A constant; the program includes <math.h>. */
function number(value: unknown): string {
  if (Number.isNaN(value)) return "NAN";
  if (value === Infinity || value === -Infinity) return value > 0 ? "INFINITY" : "-INFINITY";
  if (typeof value === "boolean") return value ? "1" : "0";
  if (typeof value === "number" && !Number.isInteger(value)) return String(value);
  if (Object.is(value, -0)) return "-0.0";
  if (typeof value === "number" && !Number.isSafeInteger(value)) return value.toExponential();
  const integer = BigInt(value as number | bigint);
  if (integer === -(1n << 63n)) return "(-9223372036854775807LL - 1)";
  return integer > 0x7fffffffffffffffn ? `${integer}ULL` : `${integer}LL`;
}

function quoted(bytes: Uint8Array): string {
  return `"${[...bytes].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")}"`;
}
