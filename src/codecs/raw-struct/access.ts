import {
  entryOf,
  type FieldShape,
  functionsOf,
  type Integer,
  type Repeat,
  type Shape,
  type StructShape,
} from "../../formats/c-struct/shape.ts";
import { scanText } from "../../formats/c-struct/unpack.ts";
import { compile } from "../../model/generated-code.ts";
import { elementLoop, NARROWED_ROOT, type NarrowedVisit } from "../../schema/generate/narrowed.ts";
import { addToSum, sumOf, type VisitedPart, visitFunctions } from "../../schema/generate/visit.ts";

/**
 * Generates the function that folds fields straight from the bytes of a struct, as `compileVisitor` says with text
 * in UTF-8: its length is found by looking for the NUL.
 * @param narrowed the part to read; all of it without
 */
export function compileAccess(
  root: StructShape,
  narrowed: readonly NarrowedVisit[] = [],
): (bytes: Uint8Array) => number {
  const functions = functionsOf(root, "access");
  const source = visitFunctions<StructShape, FieldShape>(
    {
      functions,
      parameters: "v, b, o",
      start: "let h = 0;",
      fieldsOf: ({ fields }) => fields,
      nameOf: ({ key }) => key,
      structOf: ({ element }) => (element.kind === "struct" ? element.struct : undefined),
      add: (field, part) => `{ ${accessField(field, part, functions)} }`,
    },
    narrowed,
  );
  return compile(
    `${source}
function text(v, b, o, capacity) {
  const n = scanText(v, b, o, capacity);
  return n === 0 ? 0 : (n < 0 ? ~n : n) + v.getUint8(o);
}
return function access(b) {
  return ${narrowed.length > 0 ? NARROWED_ROOT : functions.get(root)}(new DataView(b.buffer, b.byteOffset, b.byteLength), b, 0);
};`,
    { scanText },
  );
}

type Functions = ReadonlyMap<StructShape, string>;

function accessField(field: FieldShape, { nested, records }: VisitedPart, functions: Functions): string {
  const { offset, stride, element, repeat } = field;
  const start = `o + ${offset}`;
  const one = (at: string): string =>
    element.kind === "struct" && nested !== undefined
      ? `${nested}(v, b, ${at})`
      : fold(element, at, functions);
  if (repeat.kind === "one") {
    const add = addToSum(one(start));
    return repeat.flag === undefined ? add : `if (v.getUint8(o + ${repeat.flag}) !== 0) ${add}`;
  }
  const count = countOf(repeat, "o");
  if (repeat.kind === "counted" && repeat.as === "bytes") {
    return `const n = ${count}; if (n > 0) ${addToSum(`n + v.getUint8(${start})`)}`;
  }
  const loop = (add: string): string =>
    `${elementLoop("n", records)} { const p = ${start} + i * ${stride}; ${addToSum(add)} }`;
  if (repeat.kind === "counted" && repeat.as === "map") {
    const { key, value } = entryOf(element);
    const entry = [key, value].map((part) => fold(part.element, `p + ${part.offset}`, functions));
    return `const n = ${count}; ${loop(`1 + ${entry.join(" + ")}`)}`;
  }
  return `const n = ${count}; ${addToSum("n")} ${loop(one("p"))}`;
}

/** The expression of how many elements a field of the struct at `at` has. */
export function countOf(repeat: Exclude<Repeat, { kind: "one" }>, at: string): string {
  return repeat.kind === "fixed" ? `${repeat.length}` : low(repeat.count, `${at} + ${repeat.count.offset}`);
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
      return sumOf.float(`v.getFloat${shape.bits}(${at}, true)`);
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
