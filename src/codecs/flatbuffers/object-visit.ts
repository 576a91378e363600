import type { FlatElement, FlatField, FlatLayout } from "../../schema/layout/flatbuffers.ts";
import { foldScalar } from "./scalar-calls.ts";

/**
 * The source of functions `visit0`, … that visit the objects of `objectClasses` and fold them as
 * `compileVisitor` says, text as UTF-16.
 */
export function objectVisitFunctions({ tables }: FlatLayout): string {
  const functions = tables.map(
    ({ fields }, table) => `function visit${table}(t) {
  let h = 0, x;
${fields.map(visitField).join("")}  return h;
}
`,
  );
  return functions.join("");
}

function visitField({ type, presence }: FlatField, id: number): string {
  const read = `  x = t.f${id};`;
  switch (type.kind) {
    case "bytes":
      return `${read} if (x.length !== 0) h = (h + x.length + x[0]) | 0;\n`;
    case "vector":
      return `${read} h = (h + x.length) | 0; for (const e of x) h = (h + ${fold(type.element, "e")}) | 0;\n`;
    default: {
      const add = `h = (h + ${fold(type, "x")}) | 0;`;
      const isThere = type.kind === "scalar" && presence !== "optional";
      return `${read} ${isThere ? add : `if (x !== null) ${add}`}\n`;
    }
  }
}

function fold(type: FlatElement, value: string): string {
  if (type.kind === "scalar") return foldScalar(type.scalar, value);
  if (type.kind === "table") return `visit${type.table}(${value})`;
  return `(${value}.length === 0 ? 0 : ${value}.length + ${value}.charCodeAt(0))`;
}
