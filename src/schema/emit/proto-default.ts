import type { Field } from "../../model/schema.ts";
import type { ProtoEnum } from "./proto-tree.ts";

/**
 * The declared default of a field as a .proto file writes it; undefined where there is none, or none of its type.
 * @param valuesOf the values of an enum by its name; undefined for one that is printed as an integer
 */
export function protoDefault(
  field: Field,
  valuesOf: (name: string) => ProtoEnum["values"] | undefined,
): string | undefined {
  const { type, default: declared } = field;
  if (declared === undefined || type.kind === "message") return undefined;
  if (type.kind === "enum") {
    if (typeof declared !== "number") return undefined;
    const values = valuesOf(type.name);
    return values === undefined ? String(declared) : values.find(({ number }) => number === declared)?.name;
  }
  switch (type.scalar) {
    case "bool":
      return typeof declared === "boolean" ? String(declared) : undefined;
    case "string":
      return typeof declared === "string" ? `"${escaped(declared)}"` : undefined;
    case "bytes":
      return typeof declared === "string" ? `"${escapedBytes(declared)}"` : undefined;
    case "float":
    case "double":
      return typeof declared === "number" ? floatText(declared) : undefined;
    default:
      return typeof declared === "bigint" || Number.isSafeInteger(declared) ? String(declared) : undefined;
  }
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  return Object.is(value, -0) ? "-0" : String(value);
}

function escaped(text: string): string {
  return Array.from(text, (one) => {
    if (one === '"' || one === "\\") return `\\${one}`;
    return one < " " || one === "\u007f" ? octal(one.charCodeAt(0)) : one;
  }).join("");
}

/** A default of bytes comes as text with a character for each byte; one that is no byte stands for its UTF-8. */
function escapedBytes(text: string): string {
  return Array.from(text, (one) => {
    const code = one.codePointAt(0) ?? 0;
    if (code < 0x80) return escaped(one);
    return code < 0x100 ? octal(code) : Array.from(Buffer.from(one), octal).join("");
  }).join("");
}

/** Always of three digits, so that a digit may follow. */
function octal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, "0")}`;
}
