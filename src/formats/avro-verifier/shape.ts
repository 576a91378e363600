const PRIMITIVES = ["null", "boolean", "int", "long", "float", "double", "string", "bytes"] as const;

/** What the bytes of one Avro value may be. Records may refer to each other in circles. */
export type AvroShape =
  | { readonly kind: (typeof PRIMITIVES)[number] }
  | { readonly kind: "fixed"; readonly size: number }
  /** `size`: how many symbols there are. */
  | { readonly kind: "enum"; readonly size: number }
  | { readonly kind: "array"; readonly items: AvroShape }
  | { readonly kind: "map"; readonly values: AvroShape }
  | { readonly kind: "union"; readonly branches: readonly AvroShape[] }
  | { readonly kind: "record"; readonly name: string; readonly fields: AvroField[] };

/** A field of a record, in the order of the bytes. */
export interface AvroField {
  readonly name: string;
  readonly shape: AvroShape;
}

interface Definition {
  readonly type: unknown;
  readonly name?: string;
  readonly size?: number;
  readonly symbols?: readonly string[];
  readonly items?: unknown;
  readonly values?: unknown;
  readonly fields?: readonly { readonly name: string; readonly type: unknown }[];
}

/**
 * The shape of an Avro schema, as JSON.parse gives it (specification 1.11, "Schema Declaration"). Names are as they are
 * written, without namespaces. Throws Error for a name that is not defined.
 */
export function avroShape(schema: unknown): AvroShape {
  return shapeOf(schema, new Map());
}

function shapeOf(schema: unknown, named: Map<string, AvroShape>): AvroShape {
  if (Array.isArray(schema)) return { kind: "union", branches: schema.map((one) => shapeOf(one, named)) };
  if (typeof schema === "object") return defined(schema as Definition, named);
  const known = named.get(schema as string);
  if (known !== undefined) return known;
  const primitive = PRIMITIVES.find((kind) => kind === schema);
  if (primitive === undefined) throw new Error(`no Avro type is called ${String(schema)}`);
  return { kind: primitive };
}

function defined(schema: Definition, named: Map<string, AvroShape>): AvroShape {
  const { type, name = "", size = 0, symbols = [], items, values, fields = [] } = schema;
  const keep = (shape: AvroShape): AvroShape => {
    named.set(name, shape);
    return shape;
  };
  switch (type) {
    case "fixed":
      return keep({ kind: "fixed", size });
    case "enum":
      return keep({ kind: "enum", size: symbols.length });
    case "array":
      return { kind: "array", items: shapeOf(items, named) };
    case "map":
      return { kind: "map", values: shapeOf(values, named) };
    case "record": {
      const shapes: AvroField[] = [];
      const shape = keep({ kind: "record", name, fields: shapes });
      for (const field of fields) shapes.push({ name: field.name, shape: shapeOf(field.type, named) });
      return shape;
    }
    default:
      return shapeOf(type, named);
  }
}
