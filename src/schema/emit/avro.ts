import {
  type EnumType,
  enumOf,
  type Field,
  type FieldType,
  integerOf,
  type MessageType,
  messageOf,
  type Scalar,
  type Schema,
} from "../../model/schema.ts";
import { identifiers } from "../identifiers.ts";
import { jsonNameOf } from "../values/field-keys.ts";

/** An Avro schema: a name, a definition, or a union of them. */
type Avro = string | { readonly [key: string]: unknown } | readonly Avro[];

/**
 * A schema in Avro's own language (specification 1.11), as JSON: what the bytes of `avsc` are read by. What may be absent is a
 * union with null; a message in place of one field is what that holds, another a record; an integer of 64 bits without a
 * sign, which Avro lacks, is a long; keys of maps are text.
 */
export function emitAvro(schema: Schema): string {
  return `${JSON.stringify(new AvroPrinter(schema).root(), null, 2)}\n`;
}

class AvroPrinter {
  readonly #schema: Schema;
  readonly #names: ReadonlyMap<string, string>;
  readonly #defined = new Set<string>();

  constructor(schema: Schema) {
    this.#schema = schema;
    this.#names = identifiers([...schema.messages.keys(), ...schema.enums.keys()], {
      reserved: PRIMITIVES,
      style: (name) => name.replace(/^_+(?=[A-Za-z])/, ""),
    });
  }

  root(): Avro {
    return this.#message(messageOf(this.#schema, this.#schema.root), false);
  }

  /** @param isAbsent whether null may stand in its place */
  #message(type: MessageType, isAbsent: boolean): Avro {
    const held = this.#heldField(type);
    const isHeld = held !== undefined && !(isAbsent && this.#isUnion(held));
    const one = isHeld ? this.#fieldType(held) : this.#record(type);
    return isAbsent ? ["null", one] : one;
  }

  /**
   * The one field of a message in place, which stands for it: a record of one field has the bytes of that field. Undefined
   * where it has more, and where it holds itself in place again, which takes a name.
   */
  #heldField(type: MessageType): Field | undefined {
    const chain = new Set<MessageType>();
    for (let at = type; at.inPlace === true && at.fields.length === 1; ) {
      if (chain.has(at)) return undefined;
      chain.add(at);
      const held = at.fields[0]!.type;
      if (held.kind !== "message") break;
      at = messageOf(this.#schema, held.name);
    }
    return chain.size > 0 ? type.fields[0] : undefined;
  }

  #isUnion(field: Field): boolean {
    if (isOptional(field)) return true;
    if (field.repetition.kind !== "one" || field.type.kind !== "message") return false;
    const held = this.#heldField(messageOf(this.#schema, field.type.name));
    return held !== undefined && this.#isUnion(held);
  }

  #record({ name, fields, comment }: MessageType): Avro {
    const known = this.#names.get(name)!;
    if (this.#defined.has(name)) return known;
    this.#defined.add(name);
    const names = identifiers(fields.map((field) => field.name));
    return {
      type: "record",
      name: known,
      ...(comment === undefined ? {} : { doc: comment }),
      fields: fields.map((field) => this.#field(field, names.get(field.name)!)),
    };
  }

  #field(field: Field, name: string): unknown {
    const { comment, jsonName } = field;
    // A key that begins with a digit is its own name in protobuf's JSON, where the underscore is lost.
    const key = jsonName ?? (/^_\d/.test(field.name) ? jsonNameOf(field) : field.name);
    const named = key === name ? [] : [`JSON key ${JSON.stringify(key)}`];
    const doc = comment === undefined ? named : [...named, comment];
    return {
      name,
      type: this.#fieldType(field),
      ...(isOptional(field) ? { default: null } : {}),
      ...(doc.length === 0 ? {} : { doc: doc.join("; ") }),
    };
  }

  #fieldType(field: Field): Avro {
    const { type, repetition } = field;
    const isAbsent = isOptional(field);
    if (isAbsent && type.kind !== "message") return ["null", this.#one(type, false)];
    const one = this.#one(type, isAbsent);
    if (repetition.kind === "list") return { type: "array", items: one };
    return repetition.kind === "map" ? { type: "map", values: one } : one;
  }

  #one(type: FieldType, isAbsent: boolean): Avro {
    if (type.kind === "message") return this.#message(messageOf(this.#schema, type.name), isAbsent);
    return type.kind === "enum" ? this.#enum(enumOf(this.#schema, type.name)) : scalarOf(type.scalar);
  }

  #enum({ name, values }: EnumType): Avro {
    const known = this.#names.get(name)!;
    if (this.#defined.has(name)) return known;
    this.#defined.add(name);
    const symbols = [...identifiers(values.map((value) => value.name)).values()];
    return { type: "enum", name: known, symbols };
  }
}

function isOptional({ repetition }: Field): boolean {
  return repetition.kind === "one" && repetition.presence === "optional";
}

function scalarOf(scalar: Scalar): Avro {
  switch (scalar) {
    case "bool":
      return "boolean";
    case "string":
    case "bytes":
    case "float":
    case "double":
      return scalar;
    default: {
      const { bits, signed } = integerOf(scalar)!;
      return bits === 64 || (bits === 32 && !signed) ? "long" : "int";
    }
  }
}

const PRIMITIVES: ReadonlySet<string> = new Set(
  "null boolean int long float double bytes string record enum array map fixed union".split(" "),
);
