import { readFileSync } from "node:fs";
import {
  type CEnum,
  type CHeader,
  type CStruct,
  type CType,
  type FieldShape,
  parseHeader,
} from "../../formats/c-struct/index.ts";
import { describeStruct } from "../../formats/c-struct/shape.ts";
import { fileProblem, SchemaError, UsageError } from "../../model/errors.ts";
import { nearNames } from "../../model/near-names.ts";
import type {
  EnumType,
  Field,
  FieldType,
  MessageType,
  Repetition,
  Scalar,
  Schema,
} from "../../model/schema.ts";

/**
 * Reads a struct of a C header as a schema. A struct is a message and a member a field, by the conventions of
 * `formats/c-struct`: present unless a `has_` flag says otherwise. An array of arrays is one list.
 * @param message name or tag of the struct; may be left out where the file has only one that is in no other
 */
export function readHeader(file: string, message?: string): Schema {
  const text = readText(file);
  const header = parseHeader(text, file);
  const root = message === undefined ? onlyRoot(file, header) : findStruct(file, header, message);
  const converter = new Converter();
  converter.message(root);
  return { package: "", root: root.name, messages: converter.messages, enums: converter.enums, header: text };
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new SchemaError(file, fileProblem(error));
  }
}

function findStruct(file: string, { names }: CHeader, wanted: string): CStruct {
  const found = names.get(wanted.replace(/^struct /, ""));
  if (found !== undefined) return found;
  throw new UsageError(`${file}: struct "${wanted}" is not in it${nearNames(wanted, [...names.keys()])}`);
}

function onlyRoot(file: string, { structs }: CHeader): CStruct {
  const contained = new Set(
    structs.flatMap(({ members }) =>
      members.flatMap(({ type }) => (type.kind === "struct" ? [type.struct] : [])),
    ),
  );
  const roots = structs.filter((struct) => !contained.has(struct));
  if (roots.length === 1 && roots[0] !== undefined) return roots[0];
  if (roots.length === 0) throw new SchemaError(file, "declares no struct");
  const choices = roots.map(({ name }) => name).join(", ");
  throw new UsageError(`${file}: which struct is it? give --message, one of ${choices}`);
}

/** Turns structs into messages, each as it is met. */
class Converter {
  readonly messages = new Map<string, MessageType>();
  readonly enums = new Map<string, EnumType>();

  message(struct: CStruct): void {
    if (this.messages.has(struct.name)) return;
    const fields: Field[] = [];
    // Entered before the structs in it are, so that the root comes first.
    this.messages.set(struct.name, { name: struct.name, fields });
    for (const [i, field] of describeStruct(struct).fields.entries()) fields.push(this.#field(field, i + 1));
  }

  #field(shape: FieldShape, number: number): Field {
    const { element } = shape;
    const capacity =
      element.kind === "text" || element.kind === "bytes" ? { capacity: element.capacity } : {};
    return { name: shape.key, number, type: this.#type(shape), repetition: repetitionOf(shape), ...capacity };
  }

  #type({ element, repeat, member }: FieldShape): FieldType {
    if (element.kind === "text") return { kind: "scalar", scalar: "string" };
    const isBytes = element.kind === "bytes" || (repeat.kind === "counted" && repeat.as === "bytes");
    if (isBytes) return { kind: "scalar", scalar: "bytes" };
    return this.#plainType(member.type);
  }

  #plainType(type: CType): FieldType {
    switch (type.kind) {
      case "struct":
        this.message(type.struct);
        return { kind: "message", name: type.struct.name };
      case "enum":
        this.#enum(type.enum);
        return { kind: "enum", name: type.enum.name };
      case "scalar":
        return { kind: "scalar", scalar: (type.scalar === "char" ? "int8" : type.scalar) satisfies Scalar };
    }
  }

  /** C keeps any `int` in an enum, named or not. */
  #enum({ name, values }: CEnum): void {
    this.enums.set(name, { name, values, bits: 32, closed: false });
  }
}

function repetitionOf({ repeat, element }: FieldShape): Repetition {
  // C has no opinion on protobuf's encoding; packed is what proto3 does with numbers.
  const packed = element.kind === "integer" || element.kind === "float" || element.kind === "bool";
  switch (repeat.kind) {
    case "one":
      return { kind: "one", presence: repeat.flag === undefined ? "always" : "optional" };
    case "fixed":
      return { kind: "list", packed, length: repeat.length };
    case "counted":
      return repeat.as === "bytes" ? { kind: "one", presence: "always" } : { kind: "list", packed };
  }
}
