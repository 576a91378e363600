import { type ByteBuffer, Encoding } from "flatbuffers";
import {
  extentOf,
  type FlatElement,
  type FlatField,
  type FlatLayout,
  type FlatTable,
} from "../../schema/layout/flatbuffers.ts";
import { absentValue, readScalar, vtableOffset } from "./scalar-calls.ts";

/**
 * The source of one class for each table of a layout, shaped like those that flatc 25.9.23 writes for
 * TypeScript: the same members, which make the same calls of the runtime library. Class `T0` reads table 0, or the
 * struct that stands there, and its method `f0` the first field, so that no name of the schema enters the code; `u5`
 * reads which member the union is of whose value has id 5. It needs {@link stringAt} in scope.
 * @param unpack body of a method `unpack()` for the class of a table; without it there is none
 */
export function readerClasses(layout: FlatLayout, unpack?: (table: number) => string): string {
  const classes = layout.tables.map(
    ({ form, fields }, table) => `class T${table} {
  bb = null;
  bb_pos = 0;
  __init(i, bb) { this.bb_pos = i; this.bb = bb; return this; }
  static getRoot(bb, obj) {
    return (obj || new T${table}()).__init(bb.readInt32(bb.position()) + bb.position(), bb);
  }
${fields.flatMap((field, index) => fieldMembers(field, index, form)).join("\n")}
${unionMembers(fields)}
${unpack === undefined ? "" : `  unpack() {\n${unpack(table)}\n  }\n`}}`,
  );
  return classes.join("\n");
}

/** Methods that read one field: its value; or, of a vector, an element, the length, and bytes as a view. */
function fieldMembers(field: FlatField, index: number, form: FlatTable["form"]): string[] {
  const { id, type, union } = field;
  if (form === "struct") return structMembers(field, index);
  const isMember = union === undefined ? "" : ` && this.u${id}() === ${union.tag}`;
  const method = (signature: string, present: string, absent: string): string => `  ${signature} {
    const offset = this.bb.__offset(this.bb_pos, ${vtableOffset(id)});
    return offset${isMember} ? ${present} : ${absent};
  }`;
  const vector = "this.bb.__vector(this.bb_pos + offset)";
  const length = "this.bb.__vector_len(this.bb_pos + offset)";
  switch (type.kind) {
    case "scalar":
    case "string":
    case "struct":
    case "table":
      return [
        method(`f${index}(${reused(type)})`, readItem(type, "this.bb_pos + offset"), absentValue(field)),
      ];
    case "bytes": {
      const start = `this.bb.bytes().byteOffset + ${vector}`;
      return [
        method(`f${index}(index)`, readScalar("ubyte", `${vector} + index`), "0"),
        method(`f${index}Length()`, length, "0"),
        method(`f${index}Array()`, `new Uint8Array(this.bb.bytes().buffer, ${start}, ${length})`, "null"),
      ];
    }
    case "vector": {
      const place = `${vector} + index * ${extentOf(type.element).size}`;
      return [
        method(`f${index}(index, ${reused(type.element)})`, readItem(type.element, place), "null"),
        method(`f${index}Length()`, length, "0"),
      ];
    }
  }
}

/** Methods that read one field of a struct, whose places are fixed. */
function structMembers({ id, type }: FlatField, index: number): string[] {
  if (type.kind === "bytes") throw new Error("a struct holds no vector");
  const place = `this.bb_pos + ${id}`;
  if (type.kind !== "vector") return [`  f${index}(${reused(type)}) { return ${readItem(type, place)}; }`];
  const element = readItem(type.element, `${place} + index * ${extentOf(type.element).size}`);
  return [
    `  f${index}(index, ${reused(type.element)}) { return ${element}; }`,
    `  f${index}Length() { return ${type.length}; }`,
  ];
}

/** Methods that read which member a union is of. */
function unionMembers(fields: readonly FlatField[]): string {
  const ids = new Set(fields.flatMap(({ id, union }) => (union === undefined ? [] : [id])));
  const methods = Array.from(
    ids,
    (id) => `  u${id}() {
    const offset = this.bb.__offset(this.bb_pos, ${vtableOffset(id - 1)});
    return offset ? ${readScalar("ubyte", "this.bb_pos + offset")} : 0;
  }`,
  );
  return methods.join("\n");
}

/** A parameter for the reader of a table that is to be used again. */
function reused({ kind }: FlatElement): string {
  return kind === "table" || kind === "struct" ? "obj" : "";
}

function readItem(type: FlatElement, place: string): string {
  switch (type.kind) {
    case "scalar":
      return readScalar(type.scalar, place);
    case "string":
      return `stringAt(this.bb, ${place})`;
    case "struct":
      return `(obj || new T${type.table}()).__init(${place}, this.bb)`;
    case "table":
      return `(obj || new T${type.table}()).__init(this.bb.__indirect(${place}), this.bb)`;
  }
}

/**
 * The string whose offset is at a place. The library's own decoder drops a byte order mark at the start, which
 * is part of the data; so this takes the bytes, and does the rest as the library would.
 */
export function stringAt(bb: ByteBuffer, place: number): string {
  return decoder.decode(bb.__string(place, Encoding.UTF8_BYTES) as Uint8Array);
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
