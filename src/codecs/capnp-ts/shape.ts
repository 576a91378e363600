import type {
  BlobShape,
  DataShape,
  ElementShape,
  PointerShape,
  StructShape,
  ValueShape,
} from "../../formats/capnp-verifier/index.ts";
import { enumOf, type Field, hasPresence, type Int64Mode, type Schema } from "../../model/schema.ts";
import type { CapnpElement, CapnpLayout, CapnpMember } from "../../schema/layout/capnp.ts";
import { type DataType, isData, isLong } from "./calls.ts";

/** What the bytes of a schema's root may hold, so that they are read without loss. */
export function rootShape(schema: Schema, layout: CapnpLayout, int64: Int64Mode): StructShape {
  return new ShapeMaker(schema, layout, int64).root();
}

class ShapeMaker {
  readonly #schema: Schema;
  readonly #layout: CapnpLayout;
  readonly #int64: Int64Mode;
  readonly #shapes: { dataWords: number; data: DataShape[]; pointers: PointerShape[] }[];

  constructor(schema: Schema, layout: CapnpLayout, int64: Int64Mode) {
    this.#schema = schema;
    this.#layout = layout;
    this.#int64 = int64;
    this.#shapes = layout.structs.map(({ dataWords }) => ({ dataWords, data: [], pointers: [] }));
  }

  root(): StructShape {
    // Shapes refer to each other, so they are there before they are filled.
    for (const [index, { form, members }] of this.#layout.structs.entries()) {
      for (const member of members) this.#member(member, index, form === "entry" && member === members[0]);
    }
    return this.#shapes[0]!;
  }

  #member({ field, slot, flag }: CapnpMember, index: number, isKey: boolean): void {
    const { name } = field;
    const { type, offset } = slot;
    const shape = this.#shapes[index]!;
    if (isData(type)) {
      const presence = flag === undefined ? {} : { flag: flag.offset };
      // A key is a string in a plain value, however large its number.
      const value = isKey ? { bits: type.bits } : this.#value(field, type);
      shape.data.push({ name, offset, ...value, ...presence });
    } else if (type.kind === "list") {
      const element = this.#element(field, type.element);
      shape.pointers.push({ name, target: { kind: "list", element }, required: false });
    } else {
      // Null stands for empty text, but for no struct that would fit the schema.
      const required = type.kind === "struct" && !hasPresence(field);
      shape.pointers.push({ name, target: this.#element(field, type), required });
    }
  }

  #element(field: Field, type: CapnpElement): ElementShape {
    if (isData(type)) return { kind: "value", ...this.#value(field, type) };
    return type.kind === "struct"
      ? { kind: "struct", shape: this.#shapes[type.struct]! }
      : (type satisfies BlobShape);
  }

  #value(field: Field, type: DataType): ValueShape {
    const { bits } = type;
    if (field.type.kind === "enum") {
      const { closed, values } = enumOf(this.#schema, field.type.name);
      return closed ? { bits, values: new Set(values.map(({ number }) => number)) } : { bits };
    }
    if (this.#int64 === "bigint" || !isLong(type)) return { bits };
    return { bits, safe: type.kind === "primitive" && type.name === "Int64" ? "signed" : "unsigned" };
  }
}
