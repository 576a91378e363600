import { type Field, integerOf } from "../../../model/schema.ts";
import type { ProtobufScalar } from "../../layout/protobuf.ts";
import type { DefaultText } from "./declarations.ts";
import type { LinkedField } from "./linked.ts";

/** A default that is one, or why it is none. */
export type ReadDefault = { readonly value: Field["default"] } | { readonly problem: string };

/** The default that a field declares, as protoc takes it. */
export function readDefault({
  declaration,
  type,
  key,
  file,
  presence,
}: Pick<LinkedField, "declaration" | "type" | "key" | "file" | "presence">): ReadDefault {
  const { default: declared, label } = declaration;
  if (declared === undefined) return { value: undefined };
  if (label === "repeated" || key !== undefined || type.kind === "message") {
    return { problem: "only a single scalar or enum has a default" };
  }
  if (file.edition === "proto3" || presence === "implicit") {
    return { problem: "a default, and the file's syntax has none" };
  }
  if (type.kind === "scalar") return scalarDefault(type.scalar, declared);
  const found = type.declaration.values.find(
    ({ name }) => declared.kind === "name" && name === declared.text,
  );
  return found === undefined
    ? { problem: `enum ${type.name} has no value ${declared.text}` }
    : { value: found.number };
}

function scalarDefault(scalar: ProtobufScalar, declared: DefaultText): ReadDefault {
  const { kind, text } = declared;
  switch (scalar) {
    case "bool":
      return kind === "name" && (text === "true" || text === "false")
        ? { value: text === "true" }
        : mismatch(scalar, declared);
    case "string":
      return kind === "string" ? { value: fromUtf8(text) } : mismatch(scalar, declared);
    case "bytes":
      return kind === "string" ? { value: text } : mismatch(scalar, declared);
    case "float":
    case "double": {
      const value = kind === "name" ? SPECIAL[text] : kind === "string" ? undefined : Number(text);
      return value === undefined || (Number.isNaN(value) && kind !== "name")
        ? mismatch(scalar, declared)
        : { value: scalar === "float" ? Math.fround(value) : value };
    }
    default:
      return kind === "integer" ? integerDefault(scalar, BigInt(text)) : mismatch(scalar, declared);
  }
}

const SPECIAL: Readonly<Record<string, number>> = {
  inf: Number.POSITIVE_INFINITY,
  "-inf": Number.NEGATIVE_INFINITY,
  nan: Number.NaN,
  "-nan": Number.NaN,
};

function integerDefault(scalar: ProtobufScalar, value: bigint): ReadDefault {
  const { bits, signed } = integerOf(scalar) ?? { bits: 64, signed: true };
  const fits = signed ? BigInt.asIntN(bits, value) === value : BigInt.asUintN(bits, value) === value;
  if (!fits) return { problem: `the default ${value} is outside ${scalar}` };
  return { value: Number.isSafeInteger(Number(value)) ? Number(value) : value };
}

function mismatch(scalar: ProtobufScalar, { kind, text }: DefaultText): ReadDefault {
  const got = kind === "string" ? JSON.stringify(fromUtf8(text)) : text;
  return { problem: `expected a default of type ${scalar}, got ${got}` };
}

/** Text of a character for each byte; where the bytes are no UTF-8, as it is. */
function fromUtf8(text: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(text, "latin1"));
  } catch {
    return text;
  }
}
