import type { ByteBuffer } from "flatbuffers";
import type { FlatElement, FlatField, FlatLayout } from "../../schema/layout/flatbuffers.ts";
import { foldScalar, inlineSize, vtableOffset } from "./scalar-calls.ts";

/**
 * The source of functions `visit0`, … that read every field through the classes of `readerClasses` and fold
 * them as `compileVisitor` says, text as UTF-8. It needs {@link utf8At} in scope.
 */
export function visitFunctions({ tables }: FlatLayout): string {
  const functions = tables.map(
    ({ fields }, table) => `function visit${table}(t) {
  let h = 0, x;
${fields.map(visitField).join("\n")}
  return h;
}`,
  );
  return functions.join("\n");
}

/** Entries of a map and bytes in a list are tables, and count with what is in them. */
function visitField({ type, presence }: FlatField, id: number): string {
  switch (type.kind) {
    case "string": {
      const offset = `x = t.bb.__offset(t.bb_pos, ${vtableOffset(id)});`;
      return `  ${offset} if (x !== 0) h = (h + utf8At(t.bb, t.bb_pos + x)) | 0;`;
    }
    case "bytes":
      return `  x = t.f${id}Length(); if (x !== 0) h = (h + x + t.f${id}(0)) | 0;`;
    case "vector":
      return `  x = t.f${id}Length(); h = (h + x) | 0;${visitElements(type.element, id)}`;
    case "table":
      return `  x = t.f${id}(); if (x !== null) h = (h + visit${type.table}(x)) | 0;`;
    case "scalar": {
      const add = `h = (h + ${foldScalar(type.scalar, "x")}) | 0;`;
      return `  x = t.f${id}(); ${presence === "optional" ? `if (x !== null) ${add}` : add}`;
    }
  }
}

function visitElements(element: FlatElement, id: number): string {
  switch (element.kind) {
    case "string": {
      const vector = `t.bb.__vector(t.bb_pos + t.bb.__offset(t.bb_pos, ${vtableOffset(id)}))`;
      const add = `h = (h + utf8At(t.bb, v + i * ${inlineSize(element)})) | 0;`;
      return ` if (x !== 0) { const v = ${vector}; for (let i = 0; i < x; i++) ${add} }`;
    }
    case "table": {
      const add = `h = (h + visit${element.table}(t.f${id}(i, e))) | 0;`;
      return ` if (x !== 0) { const e = new T${element.table}(); for (let i = 0; i < x; i++) ${add} }`;
    }
    case "scalar":
      return ` for (let i = 0; i < x; i++) h = (h + ${foldScalar(element.scalar, `t.f${id}(i)`)}) | 0;`;
  }
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
