/** Builds messages of any schema through the TypeScript that flatc generates for it. */
import { Builder } from "flatbuffers";
import type { FlatcClass, FlatcModule } from "../../benchmarks/plugins/flatc-code.js";
import type { Schema } from "../../src/model/schema.ts";
import type { Value } from "../../src/model/value.ts";
import { fbsNames } from "../../src/schema/emit/fbs.ts";
import {
  type FlatField,
  type FlatScalar,
  type FlatTable,
  type FlatType,
  flatLayout,
} from "../../src/schema/layout/flatbuffers.ts";

type Call = (builder: Builder, ...rest: unknown[]) => number;
type Fields = Readonly<Record<string, unknown>>;

const SIZES: Partial<Record<FlatScalar, number>> = { bool: 1, byte: 1, ubyte: 1, short: 2, ushort: 2 };

function sizeOf(type: FlatType): number {
  if (type.kind !== "scalar") return 4;
  return SIZES[type.scalar] ?? (/long|double/.test(type.scalar) ? 8 : 4);
}

/** The code that flatc made of one schema. Its members are found by their order, which is that of the fields. */
export class FlatcPacker {
  readonly #tables: readonly FlatTable[];
  readonly #classes: readonly FlatcClass[];
  readonly #objects: readonly FlatcClass[];

  constructor(schema: Schema, code: FlatcModule) {
    const { tables } = fbsNames(schema);
    this.#tables = flatLayout(schema).tables;
    this.#classes = tables.map((name) => code[name]!);
    this.#objects = tables.map((name) => code[`${name}T`]!);
  }

  /** With the functions that add one field each: children first, then fields from the largest to the smallest. */
  pack(value: Value): Uint8Array {
    const builder = new Builder(16);
    builder.finish(this.#table(builder, 0, value as Fields));
    return builder.asUint8Array();
  }

  /** With the object API. */
  packObject(value: Value): Uint8Array {
    const builder = new Builder(16);
    builder.finish((this.#object(0, value as Fields) as { pack: Call }).pack(builder));
    return builder.asUint8Array();
  }

  #table(builder: Builder, table: number, value: Fields): number {
    const methods = this.#classes[table] as unknown as Record<string, Call>;
    const names = Object.getOwnPropertyNames(methods);
    const adders = names.filter((name) => /^add[A-Z0-9_]/.test(name));
    const { fields } = this.#tables[table]!;
    const added = fields.map(({ name, type, presence }, id) => {
      const own = Object.hasOwn(value, name) ? value[name] : undefined;
      const isEmpty = presence === "implicit" && type.kind !== "scalar" && sizeOfValue(own) === 0;
      if (own === undefined || isEmpty) return undefined;
      // Where there is one, it stands behind the function that adds the field.
      const createVector = methods[names[names.indexOf(adders[id]!) + 1]!]!;
      return this.#value(builder, type, own, createVector);
    });
    const order = fields
      .map((_, id) => id)
      .sort((a, b) => sizeOf(fields[b]!.type) - sizeOf(fields[a]!.type) || b - a);
    methods[names.find((name) => name.startsWith("start"))!]!(builder);
    for (const id of order) if (added[id] !== undefined) methods[adders[id]!]!(builder, added[id]);
    return methods[names.find((name) => name.startsWith("end"))!]!(builder);
  }

  /** A scalar as flatc's code takes it, or the offset of what was added. */
  #value(builder: Builder, type: FlatType, value: unknown, createVector: Call): unknown {
    switch (type.kind) {
      case "scalar":
        return scalar(type.scalar, value);
      case "string":
        return builder.createString(value as string);
      case "bytes":
        return createVector(builder, value);
      case "struct":
        throw new Error("no schema here has structs");
      case "table":
        return this.#table(builder, type.table, this.#fieldsOf(type.table, value));
      case "vector": {
        const { element } = type;
        const items = this.#items(element, value);
        return createVector(
          builder,
          items.map((item) => this.#value(builder, element, item, createVector)),
        );
      }
    }
  }

  #object(table: number, value: Fields): object {
    const make = this.#objects[table] as new (...fields: unknown[]) => object;
    return new make(...this.#tables[table]!.fields.map((field) => this.#objectField(field, value)));
  }

  #objectField({ name, type }: FlatField, value: Fields): unknown {
    const own = Object.hasOwn(value, name) ? value[name] : undefined;
    if (type.kind === "vector")
      return this.#items(type.element, own).map((item) => this.#objectItem(type.element, item));
    if (type.kind === "bytes") return Array.from((own as Uint8Array | undefined) ?? []);
    return own === undefined ? null : this.#objectItem(type, own);
  }

  #objectItem(type: FlatType, value: unknown): unknown {
    if (type.kind === "scalar") return scalar(type.scalar, value);
    return type.kind === "table" ? this.#object(type.table, this.#fieldsOf(type.table, value)) : value;
  }

  /** Elements of a list, or the entries of a map with their keys as what they stand for. */
  #items(element: FlatType, value: unknown): readonly unknown[] {
    const entry = element.kind === "table" ? this.#tables[element.table] : undefined;
    if (entry?.form !== "entry") return value as unknown[];
    const [key] = entry.fields;
    return Object.entries(value as Fields).map(([name, item]) => ({
      key: keyOf(key!.type, name),
      value: item,
    }));
  }

  #fieldsOf(table: number, value: unknown): Fields {
    return this.#tables[table]?.form === "bytes" ? { value } : (value as Fields);
  }
}

function scalar(type: FlatScalar, value: unknown): unknown {
  return type === "long" || type === "ulong" ? BigInt(value as number) : value;
}

/** The key of a plain map, a string, as its own type. */
export function keyOf(type: FlatType, key: string): string | number | bigint | boolean {
  if (type.kind !== "scalar") return key;
  if (type.scalar === "bool") return key === "true";
  return type.scalar === "long" || type.scalar === "ulong" ? BigInt(key) : Number(key);
}

function sizeOfValue(value: unknown): number {
  return Object.keys(value as object).length;
}
