import type { ByteBuffer } from "flatbuffers";
import type { Int64Mode } from "../../model/schema.ts";
import type { NumberPlace } from "../../model/selection.ts";
import { elementLoop, type NarrowedVisit } from "../../schema/generate/narrowed.ts";
import {
  addToSum,
  sumOf,
  type VisitedPart,
  type VisitFormat,
  visitFunctions,
} from "../../schema/generate/visit.ts";
import {
  extentOf,
  type FlatElement,
  type FlatField,
  type FlatLayout,
  type FlatScalar,
  type FlatTable,
} from "../../schema/layout/flatbuffers.ts";
import { isLong, toLibrary, vtableOffset, writeScalar } from "./scalar-calls.ts";

/**
 * The source of functions `visit0`, … that read every field through the classes of `readerClasses`, text as UTF-8; and
 * of those that read a part. It needs {@link utf8At} in scope.
 */
export function readerVisits(layout: FlatLayout, narrowed: readonly NarrowedVisit[] = []): string {
  return visitFunctions(tableVisits(layout, addRead), narrowed);
}

/** The source of functions `visit0`, … that visit the objects of `objectClasses`, text as UTF-16. */
export function objectVisits(layout: FlatLayout): string {
  return visitFunctions(tableVisits(layout, addObject));
}

/** A field with its place among the fields. */
type CodedField = FlatField & { readonly index: number };

/** Tables in the parameter `t`. Entries of a map and bytes in a list are tables, and count with what is in them. */
function tableVisits(
  { tables }: FlatLayout,
  add: VisitFormat<FlatTable, CodedField>["add"],
): VisitFormat<FlatTable, CodedField> {
  return {
    functions: new Map(tables.map((table, index) => [table, `visit${index}`])),
    parameters: "t",
    start: "let h = 0, x;",
    fieldsOf: ({ fields }) => fields.map((field, index) => ({ ...field, index })),
    nameOf: ({ name }) => name,
    structOf: ({ type }) => {
      const one = type.kind === "vector" ? type.element : type;
      return one.kind === "table" || one.kind === "struct" ? tables[one.table] : undefined;
    },
    add,
  };
}

function addRead({ id, index, type, presence, union }: CodedField, part: VisitedPart): string {
  switch (type.kind) {
    case "string": {
      const offset = `x = t.bb.__offset(t.bb_pos, ${vtableOffset(id)});`;
      const isMember = union === undefined ? "" : ` && t.u${id}() === ${union.tag}`;
      return `${offset} if (x !== 0${isMember}) ${addToSum("utf8At(t.bb, t.bb_pos + x)")}`;
    }
    case "bytes":
      return `x = t.f${index}Length(); if (x !== 0) ${addToSum(`x + t.f${index}(0)`)}`;
    case "vector":
      return `x = t.f${index}Length(); ${addToSum("x")}${addElements(type.element, id, index, part)}`;
    case "struct":
    case "table": {
      const visit = part.nested ?? `visit${type.table}`;
      return `x = t.f${index}(); if (x !== null) ${addToSum(`${visit}(x)`)}`;
    }
    case "scalar": {
      const add = addToSum(sumOfScalar(type.scalar, "x"));
      return `x = t.f${index}(); ${presence === "optional" ? `if (x !== null) ${add}` : add}`;
    }
  }
}

function addElements(
  element: FlatElement,
  id: number,
  index: number,
  { nested, records }: VisitedPart,
): string {
  const loop = elementLoop("x", records);
  switch (element.kind) {
    case "string": {
      const vector = `t.bb.__vector(t.bb_pos + t.bb.__offset(t.bb_pos, ${vtableOffset(id)}))`;
      const add = addToSum(`utf8At(t.bb, v + i * ${extentOf(element).size})`);
      return ` if (x !== 0) { const v = ${vector}; ${loop} ${add} }`;
    }
    case "struct":
    case "table": {
      const add = addToSum(`${nested ?? `visit${element.table}`}(t.f${index}(i, e))`);
      return ` if (x !== 0) { const e = new T${element.table}(); ${loop} ${add} }`;
    }
    case "scalar":
      return ` ${loop} ${addToSum(sumOfScalar(element.scalar, `t.f${index}(i)`))}`;
  }
}

function addObject({ index, type, presence }: CodedField): string {
  const read = `x = t.f${index};`;
  switch (type.kind) {
    case "bytes":
      return `${read} if (x.length !== 0) ${addToSum("x.length + x[0]")}`;
    case "vector":
      return `${read} ${addToSum("x.length")} for (const e of x) ${addToSum(sumOfObject(type.element, "e"))}`;
    default: {
      const add = addToSum(sumOfObject(type, "x"));
      const isThere = type.kind === "scalar" && presence !== "optional";
      return `${read} ${isThere ? add : `if (x !== null) ${add}`}`;
    }
  }
}

function sumOfObject(type: FlatElement, value: string): string {
  if (type.kind === "scalar") return sumOfScalar(type.scalar, value);
  return type.kind === "string" ? sumOf.text(value) : `visit${type.table}(${value})`;
}

function sumOfScalar(scalar: FlatScalar, value: string): string {
  if (scalar === "bool") return sumOf.bool(value);
  if (scalar === "float" || scalar === "double") return sumOf.float(value);
  return isLong(scalar) ? sumOf.bigint(value) : sumOf.integer(value);
}

/**
 * The length and the first byte of the string whose offset is at a place, added. Taking the bytes with `__string`
 * would make a Uint8Array: to visit the address book would take a fifth longer.
 */
export function utf8At(bb: ByteBuffer, place: number): number {
  const start = bb.__indirect(place);
  const length = bb.readInt32(start);
  return length === 0 ? 0 : length + bb.readUint8(start + 4);
}

/**
 * The source of a function `mutate(bb, value)` that overwrites one scalar with the calls that a program makes
 * through the classes of `readerClasses` and the method `mutate_x` that flatc writes with `--gen-mutable`. That
 * method tells a field that is not in the buffer by its result; here it ends in `absent()`, which is needed in scope.
 * @param visits those that lead to the place
 */
export function mutateFunction(
  { tables }: FlatLayout,
  visits: readonly NarrowedVisit[],
  { record }: NumberPlace,
  int64: Int64Mode,
): string {
  const lines = visits.map(({ message, fields, records }, depth) => {
    const table = tables.find(({ name }) => name === message.name);
    const index = table?.fields.findIndex(({ name }) => fields.has(name)) ?? -1;
    const [t, next] = [`t${depth}`, `t${depth + 1}`];
    const { id = 0, type } = table?.fields[index] ?? {};
    if (type?.kind === "scalar") {
      const value = toLibrary(type.scalar, "value", int64);
      if (table?.form === "struct") return `  ${writeScalar(type.scalar, `${t}.bb_pos + ${id}`, value)};`;
      return `  const offset = bb.__offset(${t}.bb_pos, ${vtableOffset(id)}); if (offset === 0) absent();
  ${writeScalar(type.scalar, `${t}.bb_pos + offset`, value)};`;
    }
    if (records === undefined) return `  const ${next} = ${t}.f${index}(); if (${next} === null) absent();`;
    return `  if (${t}.f${index}Length() <= ${record}) absent();\n  const ${next} = ${t}.f${index}(${record});`;
  });
  return `function mutate(bb, value) {
  const t0 = T0.getRoot(bb);
${lines.join("\n")}
}`;
}
