/** Plain values in the JSON of the `capnp` tool, by the layout that the codec follows. */
import type { RecordValue, Value } from "../../src/model/value.ts";
import type { CapnpElement, CapnpLayout, CapnpMember, CapnpSlot } from "../../src/schema/layout/capnp.ts";

/**
 * Where the tool's JSON of a message differs from ours of the value that we read, undefined where nothing does.
 * A field that is missing is the same as zero or empty: the tool writes each number, and we no absent one.
 */
export function jsonDifference(ours: unknown, tools: unknown, path = ""): string | undefined {
  if (typeof ours === "number" && typeof tools === "number") {
    // The tool writes the digits that a float needs, not those of the double it is.
    return Object.is(Math.fround(ours), Math.fround(tools)) ? undefined : `${path}: ${ours}, ${tools}`;
  }
  if (typeof ours !== "object" || typeof tools !== "object" || ours === null || tools === null) {
    return ours === tools ? undefined : `${path}: ${JSON.stringify(ours)}, ${JSON.stringify(tools)}`;
  }
  const [a, b] = [byKey(ours), byKey(tools)];
  for (const [key, item] of a) {
    if (!b.has(key) && isZero(item)) continue;
    const difference = jsonDifference(item, b.get(key), `${path}.${key}`);
    if (difference !== undefined) return difference;
  }
  const extra = [...b].find(([key, item]) => !a.has(key) && !isZero(item));
  return extra === undefined ? undefined : `${path}.${extra[0]}: nothing, ${JSON.stringify(extra[1])}`;
}

/** Fields by name, elements by index, and entries of a map, whose order is free, by their key. */
function byKey(json: object): Map<string, unknown> {
  if (!Array.isArray(json)) return new Map(Object.entries(json));
  return new Map(
    json.map((item: unknown, i) => {
      const isEntry = typeof item === "object" && item !== null && Object.hasOwn(item, "key");
      return [isEntry ? `key ${(item as { key: unknown }).key}` : String(i), item];
    }),
  );
}

function isZero(json: unknown): boolean {
  return (
    json === "" || json === "0" || json === 0 || json === false || (Array.isArray(json) && json.length === 0)
  );
}

/** A value of the root as JSON text for `capnp convert json:binary`: every field by its name in the .capnp file. */
export function capnpJson(layout: CapnpLayout, value: Value): string {
  return struct(layout, 0, value);
}

function struct(layout: CapnpLayout, index: number, value: Value): string {
  const record = value as RecordValue;
  const members = layout.structs[index]!.members.flatMap((one) =>
    member(layout, one, Object.hasOwn(record, one.field.name) ? record[one.field.name] : undefined),
  );
  return `{${members.join(",")}}`;
}

function member(layout: CapnpLayout, { field, slot, flag }: CapnpMember, value: Value | undefined): string[] {
  const { type } = slot;
  const flags = flag === undefined ? [] : [property(flag, String(value !== undefined))];
  if (value === undefined) return flags;
  if (type.kind !== "list") return [property(slot, element(layout, type as CapnpElement, value)), ...flags];
  // No schema here has groups or lists in lists.
  const of = type.element as CapnpElement;
  const items = field.repetition.kind === "map" ? entries(layout, of, value) : [...(value as Value[])];
  return items.length === 0
    ? []
    : [property(slot, `[${items.map((item) => element(layout, of, item)).join(",")}]`)];
}

function property({ name }: CapnpSlot, json: string): string {
  return `${JSON.stringify(name)}:${json}`;
}

function entries(layout: CapnpLayout, entry: CapnpElement, value: Value): Value[] {
  const [key] = entry.kind === "struct" ? layout.structs[entry.struct]!.members : [];
  const type = key?.slot.type;
  return Object.entries(value as RecordValue).map(([text, item]) => {
    if (type?.kind !== "primitive") return { key: text, value: item };
    return { key: type.name === "Bool" ? text === "true" : BigInt(text), value: item };
  });
}

function element(layout: CapnpLayout, type: CapnpElement, value: Value): string {
  switch (type.kind) {
    case "struct":
      return struct(layout, type.struct, value);
    case "enum":
      return JSON.stringify(type.enum.enumerants[value as number] ?? value);
    case "data":
      return `[${(value as Uint8Array).join(",")}]`;
    case "text":
      return text(value as string);
    default:
      return number(type.bits === 64 && type.name !== "Float64", value);
  }
}

/** The tool reads control characters as they are, and takes the letters of an escape such as \u000f for 0 to 5 (0.9.2). */
function text(value: string): string {
  return `"${value.replace(/["\\]/g, "\\$&").replaceAll("\0", "\\u0000")}"`;
}

/** 64-bit integers are strings, as are the numbers that JSON lacks; JSON.stringify drops the sign of -0. */
function number(long: boolean, value: Value): string {
  if (long || typeof value === "bigint") return long ? `"${value}"` : String(value);
  if (typeof value !== "number") return String(value);
  if (Object.is(value, -0)) return "-0.0";
  return Number.isFinite(value) ? String(value) : `"${value}"`;
}
