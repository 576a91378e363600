import type {
  BlobShape,
  DataShape,
  ElementShape,
  FieldsShape,
  ListShape,
  PointerShape,
  StructShape,
  UnionShape,
  ValueShape,
} from "../../formats/capnp-verifier/index.ts";
import { enumOf, type Field, hasPresence, type Int64Mode, type Schema } from "../../model/schema.ts";
import type { CapnpElement, CapnpLayout, CapnpList, CapnpMember, CapnpStruct } from "../layout/capnp.ts";
import { type DataType, isData, isLong } from "./calls.ts";

/** What the bytes of a schema's root may hold, so that they are read without loss. */
export function rootShape(schema: Schema, layout: CapnpLayout, int64: Int64Mode): StructShape {
  return new ShapeMaker(schema, layout, int64).root();
}

/** {@link FieldsShape} while it is made. */
interface Draft extends FieldsShape {
  readonly data: DataShape[];
  readonly pointers: PointerShape[];
  readonly unions: UnionShape[];
}

const emptyDraft = (): Draft => ({ data: [], pointers: [], unions: [] });

class ShapeMaker {
  readonly #schema: Schema;
  readonly #layout: CapnpLayout;
  readonly #int64: Int64Mode;
  readonly #shapes: readonly (Draft & StructShape)[];

  constructor(schema: Schema, layout: CapnpLayout, int64: Int64Mode) {
    this.#schema = schema;
    this.#layout = layout;
    this.#int64 = int64;
    this.#shapes = layout.structs.map(({ dataWords, pointers }) => ({
      ...emptyDraft(),
      dataWords,
      pointerCount: pointers,
    }));
  }

  root(): StructShape {
    // Shapes refer to each other, so they are there before they are filled.
    for (const [index, struct] of this.#layout.structs.entries()) this.#members(struct, this.#shapes[index]!);
    return this.#shapes[0]!;
  }

  /** Adds the members of a struct or group to what is there together with them. */
  #members({ form, members, discriminant }: CapnpStruct, draft: Draft): void {
    const tagged = new Map<number, Draft>();
    for (const member of members) {
      const { tag } = member;
      const own = tag === undefined ? draft : emptyDraft();
      if (tag !== undefined) tagged.set(tag, own);
      this.#member(member, own, form === "entry" && member === members[0]);
    }
    if (discriminant !== undefined) draft.unions.push({ discriminant, members: tagged });
  }

  #member({ field, slot, flag, tag }: CapnpMember, draft: Draft, isKey: boolean): void {
    const { name } = field;
    const { type, offset, zero } = slot;
    if (type.kind === "void") return;
    if (type.kind === "group") this.#members(this.#layout.structs[type.struct]!, draft);
    else if (isData(type)) {
      const presence = flag === undefined ? {} : { flag: flag.offset };
      // A key is a string in a plain value, however large its number.
      const value = isKey ? { bits: type.bits } : this.#value(field, type);
      const difference = isLong(type) && zero !== undefined ? { zero: BigInt(zero) } : {};
      draft.data.push({ name, offset, ...value, ...presence, ...difference });
    } else {
      // Null stands for empty text, but for no struct that would fit the schema.
      const required = type.kind === "struct" && !hasPresence(field) && tag === undefined;
      draft.pointers.push({ name, index: offset, target: this.#element(field, type), required });
    }
  }

  #element(field: Field, type: CapnpElement): ElementShape;
  #element(field: Field, type: CapnpElement | CapnpList): ElementShape | ListShape;
  #element(field: Field, type: CapnpElement | CapnpList): ElementShape | ListShape {
    if (type.kind === "list") return { kind: "list", element: this.#element(field, type.element) };
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
