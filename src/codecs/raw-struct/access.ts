import { functionsOf } from "../../formats/c-struct/functions.ts";
import {
  entryOf,
  type FieldShape,
  type Integer,
  type Shape,
  type StructShape,
} from "../../formats/c-struct/shape.ts";
import { scanText } from "../../formats/c-struct/text.ts";
import { compile } from "../../model/generated-code.ts";

/**
 * Generates the function that folds every field straight from the bytes of a struct, as `compileVisitor` says
 * with text in UTF-8: its length is found by looking for the NUL.
 */
export function compileAccess(root: StructShape): (bytes: Uint8Array) => number {
  const functions = functionsOf(root, "access");
  const source = [...functions.keys()].map((struct) => accessStruct(struct, functions)).join("\n");
  return compile(
    `${source}
function text(v, b, o, capacity) {
  const n = scanText(v, b, o, capacity);
  return n === 0 ? 0 : (n < 0 ? ~n : n) + v.getUint8(o);
}
return function access(b) {
  return ${functions.get(root)}(new DataView(b.buffer, b.byteOffset, b.byteLength), b, 0);
};`,
    { scanText },
  );
}

type Functions = ReadonlyMap<StructShape, string>;

function accessStruct(struct: StructShape, functions: Functions): string {
  const fields = struct.fields.map((field) => `  { ${accessField(field, functions)} }`);
  return `function ${functions.get(struct)}(v, b, o) {\n  let h = 0;\n${fields.join("\n")}\n  return h;\n}`;
}

function accessField({ offset, stride, element, repeat }: FieldShape, functions: Functions): string {
  const start = `o + ${offset}`;
  if (repeat.kind === "one") {
    const add = `h = (h + ${fold(element, start, functions)}) | 0;`;
    return repeat.flag === undefined ? add : `if (v.getUint8(o + ${repeat.flag}) !== 0) ${add}`;
  }
  const count =
    repeat.kind === "fixed" ? `${repeat.length}` : low(repeat.count, `o + ${repeat.count.offset}`);
  if (repeat.kind === "counted" && repeat.as === "bytes") {
    return `const n = ${count}; if (n > 0) h = (h + n + v.getUint8(${start})) | 0;`;
  }
  const loop = (add: string): string =>
    `for (let i = 0, p = ${start}; i < n; i++, p += ${stride}) h = (h + ${add}) | 0;`;
  if (repeat.kind === "counted" && repeat.as === "map") {
    const { key, value } = entryOf(element);
    const entry = [key, value].map((part) => fold(part.element, `p + ${part.offset}`, functions));
    return `const n = ${count}; ${loop(`1 + ${entry.join(" + ")}`)}`;
  }
  return `const n = ${count}; h = (h + n) | 0; ${loop(fold(element, "p", functions))}`;
}

/** The expression of what one value adds. */
function fold(shape: Shape, at: string, functions: Functions): string {
  switch (shape.kind) {
    case "struct":
      return `${functions.get(shape.struct)}(v, b, ${at})`;
    case "bool":
      return `v.getUint8(${at})`;
    case "integer":
      return low(shape, at);
    case "float":
      return `((v.getFloat${shape.bits}(${at}, true) * 256) | 0)`;
    case "text":
      return `text(v, b, ${at}, ${shape.capacity})`;
    case "bytes": {
      const length = shape.size === undefined ? `${shape.capacity}` : low(shape.size, at);
      return `(${length} === 0 ? 0 : ${length} + v.getUint8(${at} + ${shape.data}))`;
    }
  }
}

/** An integer, or the low 32 bits of a long one. */
function low({ bits, signed }: Integer, at: string): string {
  return bits === 64 ? `v.getInt32(${at}, true)` : `v.get${signed ? "Int" : "Uint"}${bits}(${at}, true)`;
}
