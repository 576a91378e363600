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

/** An Avro schema: a name, a definition, or a union of them. */
type Avro = string | { readonly [key: string]: unknown } | readonly Avro[];

/**
 * A schema in Avro's own language (specification 1.11), as JSON. What may be absent is a union with null; a message in place
 * is what it holds; an integer of 64 bits without a sign, which Avro lacks, is a decimal; keys of maps are text.
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
    if (type.inPlace === true) return this.#held(type, isAbsent);
    const record = this.#record(type);
    return isAbsent ? ["null", record] : record;
  }

  /** A union of what the fields hold, in which nothing is twice: unions hold no unions. */
  #held({ fields }: MessageType, isAbsent: boolean): Avro {
    const branches = fields.flatMap((field) => {
      const one = this.#content(field);
      return Array.isArray(one) ? (one as readonly Avro[]).filter((branch) => branch !== "null") : [one];
    });
    const isList = fields.length === 1 && fields[0]?.repetition.kind !== "one";
    if (isList && !isAbsent) return branches[0]!;
    return [
      "null",
      ...branches.filter(
        (branch, index) => branches.findIndex((other) => kindOf(other) === kindOf(branch)) === index,
      ),
    ];
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
    const content = this.#content(field);
    const { repetition, comment, jsonName } = field;
    const isAbsent = repetition.kind === "one" && repetition.presence === "optional";
    const union = Array.isArray(content) ? content : ["null", content];
    const key = jsonName ?? field.name;
    const named = key === name ? [] : [`JSON key ${JSON.stringify(key)}`];
    const doc = comment === undefined ? named : [...named, comment];
    return {
      name,
      type: isAbsent ? union : content,
      ...(isAbsent ? { default: null } : {}),
      ...(doc.length === 0 ? {} : { doc: doc.join("; ") }),
    };
  }

  #content({ type, repetition }: Field): Avro {
    const one = this.#one(type, repetition.kind === "one" && repetition.presence === "optional");
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

/** What a union may hold once only: a named type by its name, each other by its kind. */
function kindOf(branch: Avro): string {
  if (typeof branch === "string") return branch;
  const { type, name } = branch as { readonly type?: unknown; readonly name?: unknown };
  return String(name ?? type);
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
      if (bits === 64)
        return signed ? "long" : { type: "bytes", logicalType: "decimal", precision: 20, scale: 0 };
      return bits === 32 && !signed ? "long" : "int";
    }
  }
}

const PRIMITIVES: ReadonlySet<string> = new Set(
  "null boolean int long float double bytes string record enum array map fixed union".split(" "),
);
