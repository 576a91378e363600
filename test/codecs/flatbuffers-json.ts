/** Values as the JSON that flatc prints and reads, by the names of the printed schema. */
import { enumOf, type Field, messageOf, type Schema } from "../../src/model/schema.ts";
import { isRecord, type RecordValue, type Value } from "../../src/model/value.ts";
import { type FbsNames, fbsNames } from "../../src/schema/emit/fbs.ts";
import {
  type FlatField,
  type FlatScalarType,
  type FlatTable,
  type FlatType,
  flatLayout,
} from "../../src/schema/layout/flatbuffers.ts";
import { keyOf } from "./flatbuffers-packer.ts";

/** 64-bit integers that JSON.parse would round are strings in what {@link flatcJson} and {@link parseFlatcJson} give. */
type Json = string | number | boolean | Json[] | { [name: string]: Json };

/** The value with every float a small quarter: decimal digits carry them whoever prints them, and NaN is none. */
export function withQuarters(schema: Schema, value: Value, message = schema.root): Value {
  const one = ({ type }: Field, item: Value): Value => {
    if (type.kind === "message") return withQuarters(schema, item, type.name);
    if (type.kind === "enum" || (type.scalar !== "float" && type.scalar !== "double")) return item;
    return Number.isFinite(item) ? Math.round((item as number) % 1000) / 4 + 0 : 0;
  };
  const fields = messageOf(schema, message).fields.flatMap((field): [string, Value][] => {
    if (!Object.hasOwn(value as RecordValue, field.name)) return [];
    const own = (value as RecordValue)[field.name]!;
    if (field.repetition.kind === "list")
      return [[field.name, (own as Value[]).map((item) => one(field, item))]];
    if (field.repetition.kind === "one") return [[field.name, one(field, own)]];
    const entries = Object.entries(own as RecordValue).map(([key, item]) => [key, one(field, item)]);
    return [[field.name, Object.fromEntries(entries)]];
  });
  return Object.fromEntries(fields);
}

/** What flatc prints for a message of the value: the fields that are in the buffer. */
export function flatcJson(schema: Schema, value: Value): Json {
  return new JsonMaker(schema).table(0, value as RecordValue);
}

/** JSON that flatc printed. */
export function parseFlatcJson(text: string): Json {
  const quoted = text.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
  return JSON.parse(quoted) as Json;
}

class JsonMaker {
  readonly #schema: Schema;
  readonly #tables: readonly FlatTable[];
  readonly #names: FbsNames;

  constructor(schema: Schema) {
    this.#schema = schema;
    this.#tables = flatLayout(schema).tables;
    this.#names = fbsNames(schema);
  }

  table(index: number, value: RecordValue): Json {
    const { name, fields } = this.#tables[index]!;
    const names = this.#names.fields.get(name)!;
    const entries = fields.flatMap((field) => {
      const own = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
      return own === undefined || isLeftOut(field, own)
        ? []
        : [[names.get(field.name), this.#json(field.type, own)]];
    });
    return Object.fromEntries(entries) as Json;
  }

  #json(type: FlatType, value: Value): Json {
    switch (type.kind) {
      case "scalar":
        return this.#scalar(type, value);
      case "string":
        return value as string;
      case "bytes":
        return [...(value as Uint8Array)];
      case "struct":
        throw new Error("no schema here has structs");
      case "table": {
        const { form } = this.#tables[type.table]!;
        return this.table(type.table, form === "bytes" ? { value } : (value as RecordValue));
      }
      case "vector": {
        const entry = type.element.kind === "table" ? this.#tables[type.element.table] : undefined;
        const items =
          entry?.form === "entry"
            ? Object.entries(value as RecordValue).map(([key, item]) => ({
                key: keyOf(entry.fields[0]!.type, key),
                value: item,
              }))
            : (value as Value[]);
        return items.map((item) => this.#json(type.element, item));
      }
    }
  }

  #scalar({ enumName }: FlatScalarType, value: Value): Json {
    if (enumName !== undefined) {
      const named = enumOf(this.#schema, enumName).values.find(({ number }) => number === value);
      return named?.name ?? (value as number);
    }
    const digits = String(value);
    return /^-?\d{16,}$/.test(digits)
      ? digits
      : typeof value === "bigint"
        ? Number(value)
        : (value as number);
  }
}

/** What is not written: a scalar that equals its default, and what is empty where empty is as good as absent. */
function isLeftOut({ type, presence, zero }: FlatField, value: Value): boolean {
  if (type.kind === "scalar") return presence !== "optional" && Number(value) === zero;
  if (presence !== "implicit") return false;
  return isRecord(value) || typeof value === "string"
    ? Object.keys(value).length === 0
    : (value as Value[]).length === 0;
}
