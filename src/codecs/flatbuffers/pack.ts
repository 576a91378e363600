import { UnsupportedError } from "../../model/errors.ts";
import { fieldOf } from "../../model/generated-code.ts";
import type { Int64Mode } from "../../model/schema.ts";
import {
  entryTable,
  type FlatField,
  type FlatLayout,
  type FlatTable,
  type FlatType,
  MAX_NESTING,
} from "../../schema/layout/flatbuffers.ts";
import { addElement, addField, inlineSize, keyToLibrary, toLibrary, vtableOffset } from "./scalar-calls.ts";

/**
 * The source of a function `pack0(b, value)` that adds a plain value to a builder and gives the offset of its
 * root table, by the calls that a program makes through the code of flatc. What a table refers to comes before
 * it, depth first and in the order of its fields; then come its own fields, the largest first and those of one
 * size in reverse, as flatc's C++ code does to save padding. It needs `refuseDepth` in scope.
 */
export function packFunctions(layout: FlatLayout, int64: Int64Mode): string {
  return new PackCode(layout, int64).functions();
}

class PackCode {
  readonly #tables: readonly FlatTable[];
  readonly #int64: Int64Mode;
  readonly #depth: DepthCode;

  constructor(layout: FlatLayout, int64: Int64Mode) {
    this.#tables = layout.tables;
    this.#int64 = int64;
    this.#depth = depthCode(layout);
  }

  functions(): string {
    return this.#tables.map((table, index) => this.#table(table, index)).join("\n");
  }

  #table({ form, fields }: FlatTable, table: number): string {
    const parameters = { message: "m", entry: "key, value", bytes: "value" }[form];
    const coded = fields.map((field, id) => ({
      ...field,
      id,
      value: form === "message" ? fieldOf("m", field.name) : field.name,
      // The key of a map is converted where it is taken from the map.
      int64: form === "entry" && id === 0 ? ("bigint" as const) : this.#int64,
    }));
    const vectors = coded.map((field) => this.#vector(field, table));
    const children = coded.map((field) => this.#child(field, table));
    const added = coded.toSorted((a, b) => inlineSize(b.type) - inlineSize(a.type) || b.id - a.id).map(add);
    const required = coded.filter(({ type, presence }) => type.kind !== "scalar" && presence === "required");
    return `${vectors.join("")}function pack${table}(b, ${parameters}${this.#depth.parameter}) {
  ${this.#depth.check}
  let x;
${children.join("")}  b.startObject(${fields.length});
${added.join("")}  const end = b.endObject();
${required.map(({ id }) => `  b.requiredField(end, ${vtableOffset(id)});\n`).join("")}  return end;
}
`;
  }

  /** Adds what a field refers to: `o2` is then the offset for field 2, or 0 where nothing is written. */
  #child({ id, type, presence, value }: CodedField, table: number): string {
    if (type.kind === "scalar") return "";
    if (type.kind === "vector") {
      return `  const o${id} = vector${table}_${id}(b, ${value}${this.#depth.same});\n`;
    }
    const absent = { optional: "x === undefined", implicit: "x.length === 0", required: "", always: "" }[
      presence
    ];
    if (absent === "") return `  const o${id} = ${this.#item(type, value)};\n`;
    return `  x = ${value}; const o${id} = ${absent} ? 0 : ${this.#item(type, "x")};\n`;
  }

  #item(type: FlatType, value: string): string {
    if (type.kind === "string") return `b.createString(${value})`;
    if (type.kind === "bytes") return `b.createByteVector(${value})`;
    return type.kind === "table" ? `pack${type.table}(b, ${value}${this.#depth.deeper})` : value;
  }

  #vector({ id, type, int64 }: CodedField, table: number): string {
    if (type.kind !== "vector") return "";
    const { element } = type;
    const size = inlineSize(element);
    const tail = (each: string): string => `  b.startVector(${size}, n, ${size});
  for (let i = n - 1; i >= 0; i--) ${each};
  return b.endVector();
}
`;
    const open = `function vector${table}_${id}(b, x${this.#depth.parameter}) {`;
    if (element.kind === "scalar") {
      return `${open}
  const n = x.length;
  if (n === 0) return 0;
${tail(addElement(element.scalar, toLibrary(element.scalar, "x[i]", int64)))}`;
    }
    const key = entryTable(this.#tables, element)?.fields[0];
    const each = key === undefined ? "e" : `${keyToLibrary(key.type)}, x[k]`;
    return `${open}
  const offsets = [];
  for (const ${key === undefined ? "e of x" : "k of Object.keys(x)"}) offsets.push(${this.#item(element, each)});
  const n = offsets.length;
  if (n === 0) return 0;
${tail("b.addOffset(offsets[i])")}`;
  }
}

/** A field with its id and the expression of its value. */
interface CodedField extends FlatField {
  readonly id: number;
  readonly value: string;
  readonly int64: Int64Mode;
}

/** Adds a field to the table that is open. */
function add(field: CodedField): string {
  const { id, type, presence, value, int64 } = field;
  if (type.kind !== "scalar") return `  b.addFieldOffset(${id}, o${id}, 0);\n`;
  const { scalar } = type;
  const added = addField(field, scalar, id, toLibrary(scalar, "x", int64));
  return `  x = ${value}; ${presence === "optional" ? `if (x !== undefined) { ${added} }` : added}\n`;
}

/** Parts of generated functions that count how deep tables are nested. All are empty where no value is too deep. */
export interface DepthCode {
  /** Last parameter of a function. */
  readonly parameter: string;
  /** Last argument of a call that stays in the same table. */
  readonly same: string;
  /** Last argument of a call for a table within. */
  readonly deeper: string;
  /** First statement of a function that adds a table; calls {@link refuseDepth}. */
  readonly check: string;
}

/** Counts only where a schema lets values nest deeper than verifiers go. */
export function depthCode({ deep }: FlatLayout): DepthCode {
  if (!deep) return { parameter: "", same: "", deeper: "", check: "" };
  return {
    parameter: ", depth = 1",
    same: ", depth",
    deeper: ", depth + 1",
    check: `if (depth > ${MAX_NESTING}) refuseDepth();`,
  };
}

/** Refuses to add a table that no verifier would accept. */
export function refuseDepth(): never {
  throw new UnsupportedError(
    `the value is nested too deeply for FlatBuffers, expected at most ${MAX_NESTING} tables, which is where verifiers stop`,
  );
}
