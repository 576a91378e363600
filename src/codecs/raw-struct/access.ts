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
  const whole = [...functions].map(([struct, name]) =>
    accessStruct(name, struct.fields, EVERYTHING, functions),
  );
  const parts = accessParts(root, narrowed, functions);
  return compile(
    `${[...whole, ...parts].join("\n")}
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

/** What a function reads: see {@link NarrowedVisit}. */
type Part = Pick<NarrowedVisit, "nested" | "records">;

const EVERYTHING: Part = { nested: undefined, records: undefined };

function accessParts(root: StructShape, visits: readonly NarrowedVisit[], functions: Functions): string[] {
  let struct = root;
  return visits.map(({ name, fields: names, ...part }) => {
    const fields = struct.fields.filter(({ key }) => names.has(key));
    const source = accessStruct(name, fields, part, functions);
    const [element] = fields.map((field) => field.element);
    if (element?.kind === "struct") struct = element.struct;
    return source;
  });
}

function accessStruct(name: string, fields: readonly FieldShape[], part: Part, functions: Functions): string {
  const lines = fields.map((field) => `  { ${accessField(field, part, functions)} }`);
  return `function ${name}(v, b, o) {\n  let h = 0;\n${lines.join("\n")}\n  return h;\n}`;
}

function accessField(field: FieldShape, { nested, records }: Part, functions: Functions): string {
  const { offset, stride, element, repeat } = field;
  const start = `o + ${offset}`;
  const one = (at: string): string =>
    element.kind === "struct" && nested !== undefined
      ? `${nested}(v, b, ${at})`
      : fold(element, at, functions);
  if (repeat.kind === "one") {
    const add = `h = (h + ${one(start)}) | 0;`;
    return repeat.flag === undefined ? add : `if (v.getUint8(o + ${repeat.flag}) !== 0) ${add}`;
  }
  const count = countOf(repeat, "o");
  if (repeat.kind === "counted" && repeat.as === "bytes") {
    return `const n = ${count}; if (n > 0) h = (h + n + v.getUint8(${start})) | 0;`;
  }
  const loop = (add: string): string =>
    `${elementLoop("n", records)} { const p = ${start} + i * ${stride}; h = (h + ${add}) | 0; }`;
  if (repeat.kind === "counted" && repeat.as === "map") {
    const { key, value } = entryOf(element);
    const entry = [key, value].map((part) => fold(part.element, `p + ${part.offset}`, functions));
    return `const n = ${count}; ${loop(`1 + ${entry.join(" + ")}`)}`;
  }
  return `const n = ${count}; h = (h + n) | 0; ${loop(one("p"))}`;
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
