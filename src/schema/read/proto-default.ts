import protobuf from "protobufjs";
import { type Field, integerOf, type Scalar } from "../../model/schema.ts";

/** A default that is one, or why it is none. */
export type ReadDefault = { readonly value: Field["default"] } | { readonly problem: string };

/**
 * The default that a .proto declares for a field, checked as protoc does; protobufjs takes anything.
 * @param exact finds an integer as it stands in the source: protobufjs rounds one beyond 2^53
 */
export function readDefault(field: protobuf.Field, exact: () => bigint | undefined): ReadDefault {
  const declared: unknown = field.options?.["default"];
  if (declared === undefined) return { value: undefined };
  if (field.repeated || field.map || field.resolvedType instanceof protobuf.Type) {
    return { problem: "only a single scalar or enum has a default" };
  }
  if (!field.hasPresence || field.options?.["proto3_optional"] === true) {
    return { problem: "a default, and the file's syntax has none" };
  }
  if (field.resolvedType instanceof protobuf.Enum) {
    const { name, values } = field.resolvedType;
    const value = typeof declared === "string" ? values[declared] : undefined;
    return value === undefined ? { problem: `enum ${name} has no value ${declared}` } : { value };
  }
  return scalarDefault(field.type as Scalar, declared, exact);
}

function scalarDefault(scalar: Scalar, declared: unknown, exact: () => bigint | undefined): ReadDefault {
  switch (scalar) {
    case "bool":
      return typeof declared === "boolean" ? { value: declared } : mismatch(scalar, declared);
    case "string":
      return typeof declared === "string" ? { value: fromEscapes(declared) } : mismatch(scalar, declared);
    case "bytes":
      return typeof declared === "string" ? { value: declared } : mismatch(scalar, declared);
    case "float":
    case "double":
      return typeof declared === "number" ? { value: declared } : mismatch(scalar, declared);
    default:
      return typeof declared === "number"
        ? integerDefault(scalar, declared, exact)
        : mismatch(scalar, declared);
  }
}

function integerDefault(scalar: Scalar, declared: number, exact: () => bigint | undefined): ReadDefault {
  if (!Number.isInteger(declared)) return mismatch(scalar, declared);
  const { bits, signed } = integerOf(scalar) ?? { bits: 64, signed: true };
  const value = Number.isSafeInteger(declared) ? BigInt(declared) : exact();
  // Where the source does not tell, as under a name that stands twice, it is left out: it is only ever printed.
  if (value === undefined) return { value: undefined };
  const fits = signed ? BigInt.asIntN(bits, value) === value : BigInt.asUintN(bits, value) === value;
  if (!fits) return { problem: `the default ${value} is outside ${scalar}` };
  return { value: Number.isSafeInteger(declared) ? declared : value };
}

function mismatch(scalar: Scalar, declared: unknown): ReadDefault {
  return { problem: `expected a default of type ${scalar}, got ${JSON.stringify(declared)}` };
}

/** Escapes such as \303\251 are bytes of UTF-8, of which protobufjs makes a character each. */
function fromEscapes(text: string): string {
  if (!/[\x80-\xff]/.test(text) || /[^\0-\xff]/.test(text)) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "latin1"));
  } catch {
    return text;
  }
}
