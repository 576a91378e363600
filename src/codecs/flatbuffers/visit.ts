import type { ByteBuffer } from "flatbuffers";
import { elementLoop, type NarrowedVisit } from "../../schema/generate/narrowed.ts";
import type { FlatElement, FlatField, FlatLayout } from "../../schema/layout/flatbuffers.ts";
import { foldScalar, inlineSize, vtableOffset } from "./scalar-calls.ts";

/**
 * The source of functions `visit0`, … that read every field through the classes of `readerClasses` and fold
 * them as `compileVisitor` says, text as UTF-8; and of those that read a part. It needs {@link utf8At} in scope.
 */
export function visitFunctions({ tables }: FlatLayout, narrowed: readonly NarrowedVisit[] = []): string {
  const functions = tables.map(({ fields }, table) => visitFunction(`visit${table}`, fields, EVERYTHING));
  const parts = narrowed.map(({ name, message, ...part }) => {
    const fields = tables.find((table) => table.name === message.name)?.fields ?? [];
    return visitFunction(name, fields, part);
  });
  return [...functions, ...parts].join("\n");
}

/** What a function visits: see {@link NarrowedVisit}. */
type Part = Pick<NarrowedVisit, "nested" | "records"> & {
  readonly fields: NarrowedVisit["fields"] | undefined;
};

const EVERYTHING: Part = { fields: undefined, nested: undefined, records: undefined };

function visitFunction(name: string, fields: readonly FlatField[], part: Part): string {
  const lines = fields.flatMap((field, id) =>
    part.fields?.has(field.name) === false ? [] : [visitField(field, id, part)],
  );
  return `function ${name}(t) {
  let h = 0, x;
${lines.join("\n")}
  return h;
}`;
}

/** Entries of a map and bytes in a list are tables, and count with what is in them. */
function visitField({ type, presence }: FlatField, id: number, part: Part): string {
  switch (type.kind) {
    case "string": {
      const offset = `x = t.bb.__offset(t.bb_pos, ${vtableOffset(id)});`;
      return `  ${offset} if (x !== 0) h = (h + utf8At(t.bb, t.bb_pos + x)) | 0;`;
    }
    case "bytes":
      return `  x = t.f${id}Length(); if (x !== 0) h = (h + x + t.f${id}(0)) | 0;`;
    case "vector":
      return `  x = t.f${id}Length(); h = (h + x) | 0;${visitElements(type.element, id, part)}`;
    case "table":
      return `  x = t.f${id}(); if (x !== null) h = (h + ${part.nested ?? `visit${type.table}`}(x)) | 0;`;
    case "scalar": {
      const add = `h = (h + ${foldScalar(type.scalar, "x")}) | 0;`;
      return `  x = t.f${id}(); ${presence === "optional" ? `if (x !== null) ${add}` : add}`;
    }
  }
}

function visitElements(element: FlatElement, id: number, { nested, records }: Part): string {
  const loop = elementLoop("x", records);
  switch (element.kind) {
    case "string": {
      const vector = `t.bb.__vector(t.bb_pos + t.bb.__offset(t.bb_pos, ${vtableOffset(id)}))`;
      const add = `h = (h + utf8At(t.bb, v + i * ${inlineSize(element)})) | 0;`;
      return ` if (x !== 0) { const v = ${vector}; ${loop} ${add} }`;
    }
    case "table": {
      const add = `h = (h + ${nested ?? `visit${element.table}`}(t.f${id}(i, e))) | 0;`;
      return ` if (x !== 0) { const e = new T${element.table}(); ${loop} ${add} }`;
    }
    case "scalar":
      return ` ${loop} h = (h + ${foldScalar(element.scalar, `t.f${id}(i)`)}) | 0;`;
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
