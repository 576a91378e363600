import { type ByteBuffer, Encoding } from "flatbuffers";
import type { FlatElement, FlatField, FlatLayout } from "../../schema/layout/flatbuffers.ts";
import { absentValue, inlineSize, readScalar, vtableOffset } from "./scalar-calls.ts";

/**
 * The source of one class for each table of a layout, shaped like those that flatc 25.9.23 writes for
 * TypeScript: the same members, which make the same calls of the runtime library. Class `T0` reads table 0
 * and its method `f0` the field with id 0, so that no name of the schema enters the code. It needs
 * {@link stringAt} in scope.
 * @param unpack body of a method `unpack()` for the class of a table; without it there is none
 */
export function readerClasses(layout: FlatLayout, unpack?: (table: number) => string): string {
  const classes = layout.tables.map(
    ({ fields }, table) => `class T${table} {
  bb = null;
  bb_pos = 0;
  __init(i, bb) { this.bb_pos = i; this.bb = bb; return this; }
  static getRoot(bb, obj) {
    return (obj || new T${table}()).__init(bb.readInt32(bb.position()) + bb.position(), bb);
  }
${fields.flatMap(fieldMembers).join("\n")}
${unpack === undefined ? "" : `  unpack() {\n${unpack(table)}\n  }\n`}}`,
  );
  return classes.join("\n");
}

/** Methods that read one field: its value; or, of a vector, an element, the length, and bytes as a view. */
function fieldMembers(field: FlatField, id: number): string[] {
  const { type } = field;
  const method = (signature: string, present: string, absent: string): string => `  ${signature} {
    const offset = this.bb.__offset(this.bb_pos, ${vtableOffset(id)});
    return offset ? ${present} : ${absent};
  }`;
  const vector = "this.bb.__vector(this.bb_pos + offset)";
  const length = "this.bb.__vector_len(this.bb_pos + offset)";
  switch (type.kind) {
    case "scalar":
    case "string":
    case "table":
      return [method(`f${id}(${reused(type)})`, readItem(type, "this.bb_pos + offset"), absentValue(field))];
    case "bytes": {
      const start = `this.bb.bytes().byteOffset + ${vector}`;
      return [
        method(`f${id}(index)`, readScalar("ubyte", `${vector} + index`), "0"),
        method(`f${id}Length()`, length, "0"),
        method(`f${id}Array()`, `new Uint8Array(this.bb.bytes().buffer, ${start}, ${length})`, "null"),
      ];
    }
    case "vector": {
      const place = `${vector} + index * ${inlineSize(type.element)}`;
      return [
        method(`f${id}(index, ${reused(type.element)})`, readItem(type.element, place), "null"),
        method(`f${id}Length()`, length, "0"),
      ];
    }
  }
}

/** A parameter for the reader of a table that is to be used again. */
function reused({ kind }: FlatElement): string {
  return kind === "table" ? "obj" : "";
}

function readItem(type: FlatElement, place: string): string {
  switch (type.kind) {
    case "scalar":
      return readScalar(type.scalar, place);
    case "string":
      return `stringAt(this.bb, ${place})`;
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
