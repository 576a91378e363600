import { assignField, literalKey, setOwn } from "../../model/generated-code.ts";
import type { Int64Mode } from "../../model/schema.ts";
import {
  entryTable,
  type FlatElement,
  type FlatField,
  type FlatLayout,
  type FlatTable,
  type FlatType,
} from "../../schema/layout/flatbuffers.ts";
import { fromLibrary } from "./scalar-calls.ts";

/**
 * The source of a function `plain0` that gives the plain value of a reader of the root table. It uses the
 * classes of `readerClasses`, and needs {@link plainScope} in scope. Bytes are views of the buffer, which is
 * how the library gives them.
 */
export function plainFunctions({ tables }: FlatLayout, int64: Int64Mode): string {
  return new PlainCode(tables, int64).functions();
}

/** What the walk calls. One array stands for all bytes that are absent, because each would take 184 bytes. */
export const plainScope = { setOwn, EMPTY: new Uint8Array(0) };

class PlainCode {
  readonly #tables: readonly FlatTable[];
  readonly #int64: Int64Mode;

  constructor(tables: readonly FlatTable[], int64: Int64Mode) {
    this.#tables = tables;
    this.#int64 = int64;
  }

  functions(): string {
    const functions = this.#tables.flatMap(({ form, fields }, table) => {
      if (form !== "message" && form !== "struct") return [];
      const lists = fields.map(({ type }, index) =>
        type.kind === "vector" ? this.#list(type.element, table, index) : "",
      );
      const record = recordFunction(
        `plain${table}`,
        fields.map((field, index) => this.#field(field, table, index)),
      );
      return [...lists, record];
    });
    return functions.join("");
  }

  #field({ name, type, presence }: FlatField, table: number, index: number): RecordField {
    if (type.kind === "vector") {
      return { name, read: `list${table}_${index}(t)`, value: (read) => read, optional: false };
    }
    const absent = presence === "implicit" ? emptyValue(type) : undefined;
    return {
      name,
      read: readField(type, "t", index),
      value: (read) => (absent === undefined ? this.#item(type, read) : `(${read} ?? ${absent})`),
      optional: presence === "optional",
    };
  }

  /** What a plain value holds for a field or an element that the library gave. */
  #item(type: FlatType, read: string): string {
    if (type.kind === "scalar") return fromLibrary(type.scalar, read, this.#int64);
    if (type.kind !== "table" && type.kind !== "struct") return read;
    return this.#tables[type.table]?.form === "bytes" ? `${read}.f0Array()` : `plain${type.table}(${read})`;
  }

  /** One reader serves all elements that are tables. */
  #list(element: FlatElement, table: number, index: number): string {
    const list = (made: string, reader: string, add: string): string => `function list${table}_${index}(t) {
  const n = t.f${index}Length(), c = ${made}${reader};
  for (let i = 0; i < n; i++) ${add}
  return c;
}
`;
    const read = `t.f${index}(i, e)`;
    if (element.kind !== "table" && element.kind !== "struct") {
      return list("[]", "", `c.push(${this.#item(element, `t.f${index}(i)`)});`);
    }
    const reader = `, e = new T${element.table}()`;
    const entry = entryTable(this.#tables, element);
    if (entry === undefined) return list("[]", reader, `c.push(${this.#item(element, read)});`);
    const { type } = entry.fields[1]!;
    const value = this.#item(type, readField(type, "e", 1));
    return list("{}", reader, `{ ${read}; setOwn(c, String(e.f0()), ${value}); }`);
  }
}

/** What an absent string or absent bytes stand for, where a plain value has them all the same. */
function emptyValue({ kind }: FlatType): string | undefined {
  if (kind === "string") return '""';
  return kind === "bytes" ? "EMPTY" : undefined;
}

function readField(type: FlatType, reader: string, index: number): string {
  return `${reader}.f${index}${type.kind === "bytes" ? "Array" : ""}()`;
}

/** How one field of a plain object is made from what the library holds in parameter `t`. */
export interface RecordField {
  /** The schema's name. */
  readonly name: string;
  /** Expression that reads it; null where the field is absent. */
  readonly read: string;
  /** The plain value of that expression, or of a variable that holds its value. */
  value(read: string): string;
  /** Whether it may be absent from the plain object too. */
  readonly optional: boolean;
}

/** The source of a function that makes a plain object. Fields before the first optional one form a literal. */
export function recordFunction(name: string, fields: readonly RecordField[]): string {
  const first = fields.findIndex(({ optional }) => optional);
  const leading = first < 0 ? fields : fields.slice(0, first);
  const entries = leading.map((field) => `    ${literalKey(field.name)}: ${field.value(field.read)},\n`);
  const assignments = fields
    .slice(leading.length)
    .map((field) =>
      field.optional
        ? `  x = ${field.read}; if (x !== null) { ${assignField("o", field.name, field.value("x"))} }\n`
        : `  ${assignField("o", field.name, field.value(field.read))}\n`,
    );
  return `function ${name}(t) {
  let x;
  const o = {\n${entries.join("")}  };
${assignments.join("")}  return o;
}
`;
}
