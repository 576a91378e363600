import { UnsupportedError } from "../../model/errors.ts";
import { fieldOf } from "../../model/generated-code.ts";
import type { Int64Mode } from "../../model/schema.ts";
import {
  entryTable,
  extentOf,
  type FlatElement,
  type FlatField,
  type FlatLayout,
  type FlatTable,
  type FlatType,
  MAX_NESTING,
} from "../../schema/layout/flatbuffers.ts";
import { addElement, addField, keyToLibrary, toLibrary, vtableOffset, writeMember } from "./scalar-calls.ts";

/**
 * The source of a function `pack0(b, value)` that adds a plain value to a builder and gives the offset of its
 * root table, by the calls that a program makes through the code of flatc. What a table refers to comes before
 * it, depth first and in the order of its fields; then come its own fields, the largest first and those of one
 * size in reverse, as flatc's C++ code does to save padding; a struct counts as 4 bytes there. Structs are added where
 * they lie. It needs `refuseDepth` in scope.
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

  #table({ form, fields, size, align }: FlatTable, table: number): string {
    if (form === "struct") return this.#struct(fields, size, align, table);
    const parameters = { message: "m", entry: "key, value", bytes: "value" }[form];
    const coded = fields.map((field, index) => ({
      ...field,
      index,
      value: form === "message" ? fieldOf("m", field.name) : field.name,
      // The key of a map is converted where it is taken from the map.
      int64: form === "entry" && index === 0 ? ("bigint" as const) : this.#int64,
    }));
    const vectors = coded.map((field) => this.#vector(field, table));
    const children = coded.map((field) => this.#child(field, table));
    const added = coded
      .flatMap(additions)
      .toSorted((a, b) => b.size - a.size || b.id - a.id)
      .map(({ statement }) => statement);
    const required = coded.filter(({ type, presence }) => type.kind !== "scalar" && presence === "required");
    return `${vectors.join("")}function pack${table}(b, ${parameters}${this.#depth.parameter}) {
  ${this.#depth.check}
  let x;
${children.join("")}  b.startObject(${size});
${added.join("")}  const end = b.endObject();
${required.map(({ id }) => `  b.requiredField(end, ${vtableOffset(id)});\n`).join("")}  return end;
}
`;
  }

  /** Functions that add a struct where the builder stands, and that write it where room was made; from its end. */
  #struct(fields: readonly FlatField[], size: number, align: number, table: number): string {
    let end = size;
    const lines = fields.toReversed().map(({ name, id, type }) => {
      const padding = end - id - extentOf(type).size;
      end = id;
      const value = fieldOf("m", name);
      const write =
        type.kind === "vector"
          ? `x = ${value}; for (let i = ${type.length! - 1}; i >= 0; i--) ${this.#member(type.element, "x[i]")}`
          : this.#member(type, value);
      return `  ${padding === 0 ? "" : `b.pad(${padding}); `}${write}\n`;
    });
    return `function write${table}(b, m) {
  let x;
${lines.join("")}}
function pack${table}(b, m) {
  b.prep(${align}, ${size});
  write${table}(b, m);
  return b.offset();
}
`;
  }

  #member(type: FlatType, value: string): string {
    if (type.kind === "scalar")
      return `${writeMember(type.scalar, toLibrary(type.scalar, value, this.#int64))};`;
    if (type.kind === "struct") return `write${type.table}(b, ${value});`;
    throw new Error("a struct holds scalars and structs");
  }

  /** Adds what a field refers to: `o2` is then the offset for field 2, or 0 where nothing is written. */
  #child({ index, type, presence, value }: CodedField, table: number): string {
    if (type.kind === "scalar" || type.kind === "struct") return "";
    if (type.kind === "vector") {
      return `  const o${index} = vector${table}_${index}(b, ${value}${this.#depth.same});\n`;
    }
    const absent = { optional: "x === undefined", implicit: "x.length === 0", required: "", always: "" }[
      presence
    ];
    if (absent === "") return `  const o${index} = ${this.#item(type, value)};\n`;
    return `  x = ${value}; const o${index} = ${absent} ? 0 : ${this.#item(type, "x")};\n`;
  }

  #item(type: FlatType, value: string): string {
    if (type.kind === "string") return `b.createString(${value})`;
    if (type.kind === "bytes") return `b.createByteVector(${value})`;
    return type.kind === "table" ? `pack${type.table}(b, ${value}${this.#depth.deeper})` : value;
  }

  #vector({ index, type, presence, int64 }: CodedField, table: number): string {
    if (type.kind !== "vector") return "";
    const { element } = type;
    const { size, align } = extentOf(element);
    const none = presence === "required" ? "" : "\n  if (n === 0) return 0;";
    const tail = (each: string): string => `  b.startVector(${size}, n, ${align});
  for (let i = n - 1; i >= 0; i--) ${each};
  return b.endVector();
}
`;
    const open = `function vector${table}_${index}(b, x${this.#depth.parameter}) {`;
    if (element.kind === "scalar" || element.kind === "struct") {
      return `${open}
  const n = x.length;${none}
${tail(elementAdded(element, int64))}`;
    }
    const key = entryTable(this.#tables, element)?.fields[0];
    const each = key === undefined ? "e" : `${keyToLibrary(key.type)}, x[k]`;
    return `${open}
  const offsets = [];
  for (const ${key === undefined ? "e of x" : "k of Object.keys(x)"}) offsets.push(${this.#item(element, each)});
  const n = offsets.length;${none}
${tail("b.addOffset(offsets[i])")}`;
  }
}

function elementAdded(element: FlatElement, int64: Int64Mode): string {
  if (element.kind === "struct") return `pack${element.table}(b, x[i])`;
  return element.kind === "scalar"
    ? addElement(element.scalar, toLibrary(element.scalar, "x[i]", int64))
    : "";
}

/** A field with its place among the fields and the expression of its value. */
interface CodedField extends FlatField {
  readonly index: number;
  readonly value: string;
  readonly int64: Int64Mode;
}

/** A statement that adds something to the table that is open, and what its place there depends on. */
interface Addition {
  readonly size: number;
  readonly id: number;
  readonly statement: string;
}

/** What adds a field, and for a member of a union the number that says so. */
function additions(field: CodedField): Addition[] {
  const { id, index, type, presence, value, int64, union } = field;
  if (type.kind === "scalar") {
    const added = addField(field, type.scalar, toLibrary(type.scalar, "x", int64));
    const statement = `  x = ${value}; ${presence === "optional" ? `if (x !== undefined) { ${added} }` : added}\n`;
    return [{ size: extentOf(type).size, id, statement }];
  }
  if (type.kind === "struct") {
    const added = `b.addFieldStruct(${id}, pack${type.table}(b, x), 0);`;
    const statement = `  x = ${value}; ${presence === "optional" ? `if (x !== undefined) ${added}` : added}\n`;
    return [{ size: 4, id, statement }];
  }
  const own = { size: 4, id, statement: `  b.addFieldOffset(${id}, o${index}, 0);\n` };
  if (union === undefined) return [own];
  const statement = `  if (o${index} !== 0) b.addFieldInt8(${id - 1}, ${union.tag}, 0);\n`;
  return [own, { size: 1, id: id - 1, statement }];
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
