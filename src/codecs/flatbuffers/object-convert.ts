import { UnsupportedError } from "../../model/errors.ts";
import { fieldOf, setOwn } from "../../model/generated-code.ts";
import type { Int64Mode } from "../../model/schema.ts";
import {
  entryTable,
  type FlatElement,
  type FlatField,
  type FlatLayout,
  type FlatTable,
  type FlatType,
} from "../../schema/layout/flatbuffers.ts";
import { type DepthCode, depthCode } from "./pack.ts";
import { type RecordField, recordFunction } from "./plain.ts";
import { fromLibrary, keyToLibrary, toLibrary } from "./scalar-calls.ts";

/**
 * The source of functions `object0`, which makes the objects of `objectClasses` from a plain value, and
 * `plain0`, the other way. A list of scalars or strings is the same array on both sides unless its elements
 * have to be converted. They need {@link conversionScope} and `refuseDepth` in scope.
 */
export function conversionFunctions(layout: FlatLayout, int64: Int64Mode): string {
  return new ConversionCode(layout, int64).functions();
}

const EMPTY = new Uint8Array(0);

/** What conversions call. */
export const conversionScope = {
  /**
   * Optional bytes as an array. The object API writes a vector for every array and makes an array for every
   * absent vector, so that an empty one has to stand for absent.
   */
  optionalBytes(bytes: Uint8Array | undefined): number[] {
    if (bytes?.length === 0) {
      throw new UnsupportedError(
        "FlatBuffers' object API cannot tell optional bytes that are empty from absent ones",
      );
    }
    return bytes === undefined ? [] : Array.from(bytes);
  },
  /** One array stands for all that are empty, because each would take 184 bytes. */
  bytesOf(list: readonly number[]): Uint8Array {
    return list.length === 0 ? EMPTY : new Uint8Array(list);
  },
  /** One element for each entry of a map. */
  entriesOf<T>(map: Readonly<Record<string, unknown>>, make: (key: string, value: unknown) => T): T[] {
    return Object.keys(map).map((key) => make(key, map[key]));
  },
  /** A map of entries, whose keys are in `f0`. */
  mapOf<T extends { readonly f0: unknown }>(entries: readonly T[], value: (entry: T) => unknown): object {
    const map = {};
    for (const entry of entries) setOwn(map, String(entry.f0), value(entry));
    return map;
  },
};

class ConversionCode {
  readonly #tables: readonly FlatTable[];
  readonly #int64: Int64Mode;
  readonly #depth: DepthCode;

  constructor(layout: FlatLayout, int64: Int64Mode) {
    this.#tables = layout.tables;
    this.#int64 = int64;
    this.#depth = depthCode(layout);
  }

  functions(): string {
    const functions = this.#tables.map((table, index) => {
      const fields = table.fields.map((field, id) => this.#recordField(field, id));
      const plain = table.form === "message" ? recordFunction(`plain${index}`, fields) : "";
      return this.#objectFunction(table, index) + plain;
    });
    return functions.join("");
  }

  #objectFunction({ form, fields }: FlatTable, index: number): string {
    const parameters = { message: "m", struct: "m", entry: "key, value", bytes: "value" }[form];
    const values = fields.map((field, id) => {
      const value = form === "message" ? fieldOf("m", field.name) : field.name;
      // The key of a map is converted where it is taken from the map.
      return form === "entry" && id === 0 ? value : this.#toObject(field, value);
    });
    return `function object${index}(${parameters}${this.#depth.parameter}) {
  ${this.#depth.check}
  let x;
  return new X${index}(${values.join(", ")});
}
`;
  }

  #toObject({ type, presence }: FlatField, value: string): string {
    const optional = presence === "optional";
    switch (type.kind) {
      case "string":
        return optional ? `(${value} ?? null)` : value;
      case "bytes":
        return optional ? `optionalBytes(${value})` : `Array.from(${value})`;
      case "vector":
        return this.#toObjects(type.element, value);
      default:
        return optional
          ? `((x = ${value}) === undefined ? null : ${this.#itemToObject(type, "x")})`
          : this.#itemToObject(type, value);
    }
  }

  #itemToObject(type: FlatElement, value: string): string {
    if (type.kind === "scalar") return toLibrary(type.scalar, value, this.#int64);
    return type.kind === "table" ? `object${type.table}(${value}${this.#depth.deeper})` : value;
  }

  #toObjects(element: FlatElement, list: string): string {
    const entry = entryTable(this.#tables, element);
    if (entry === undefined) return mapped(list, (e) => this.#itemToObject(element, e));
    const key = keyToLibrary(entry.fields[0]!.type);
    return `entriesOf(${list}, (k, e) => ${this.#itemToObject(element, `${key}, e`)})`;
  }

  #recordField({ name, type, presence }: FlatField, id: number): RecordField {
    const optional = presence === "optional";
    const own = `t.f${id}`;
    const value = (read: string): string => this.#fromObject(type, read);
    if (type.kind === "bytes" && optional) {
      return { name, read: `(${own}.length === 0 ? null : ${own})`, value, optional };
    }
    const read = type.kind === "string" && presence === "implicit" ? `(${own} ?? "")` : own;
    return { name, read, value, optional };
  }

  #fromObject(type: FlatType, value: string): string {
    switch (type.kind) {
      case "scalar":
        return fromLibrary(type.scalar, value, this.#int64);
      case "string":
      case "struct":
        return value;
      case "bytes":
        return `bytesOf(${value})`;
      case "table": {
        const { form } = this.#tables[type.table]!;
        return form === "bytes" ? `bytesOf(${value}.f0)` : `plain${type.table}(${value})`;
      }
      case "vector": {
        const { element } = type;
        const entry = entryTable(this.#tables, element);
        if (entry === undefined) return mapped(value, (e) => this.#fromObject(element, e));
        return `mapOf(${value}, (e) => ${this.#fromObject(entry.fields[1]!.type, "e.f1")})`;
      }
    }
  }
}

/** A list with each element converted, or the list itself where that changes nothing. */
function mapped(list: string, convert: (element: string) => string): string {
  const converted = convert("e");
  return converted === "e" ? list : `${list}.map((e) => ${converted})`;
}
