/** Small schemas for the tests of the derived C struct. */
import type {
  EnumType,
  Field,
  FieldType,
  MessageType,
  Presence,
  Scalar,
  Schema,
} from "../../src/model/schema.ts";

type Options = Partial<Pick<Field, "repetition" | "capacity">> & { presence?: Presence };

/** A field that is always there, unless the options say otherwise. */
export function field(name: string, type: Scalar | FieldType, options: Options = {}): Field {
  const { presence = "always", repetition = { kind: "one", presence }, ...others } = options;
  const fieldType = typeof type === "string" ? ({ kind: "scalar", scalar: type } as const) : type;
  return { name, number: 1, type: fieldType, repetition, ...others };
}

export const list = { repetition: { kind: "list", packed: false } } as const;
export const optional = { presence: "optional" } as const;
export const message = (name: string): FieldType => ({ kind: "message", name });

/** A schema of messages by name; the first is the root. */
export function schemaOf(messages: Record<string, Field[]>, enums: EnumType[] = [], pkg = ""): Schema {
  const types = Object.entries(messages).map(([name, fields]): MessageType => ({ name, fields }));
  return {
    package: pkg,
    root: types[0]!.name,
    messages: new Map(types.map((type) => [type.name, type])),
    enums: new Map(enums.map((type) => [type.name, type])),
  };
}
