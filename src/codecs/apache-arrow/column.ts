import type { Data, DataType, Field, Float, Int } from "apache-arrow";
import { DecodeError } from "../../model/errors.ts";
import { assignField, compile, literalKey, setOwn } from "../../model/generated-code.ts";
import type { Int64Mode } from "../../model/schema.ts";
import { type RecordValue, show } from "../../model/value.ts";
import type { ArrowField, ArrowNumber, ArrowType } from "../../schema/layout/arrow.ts";

export type Library = typeof import("apache-arrow");

/** One column of a table, or of what is nested in one. An absent value is undefined, and null in Arrow. */
export interface Column {
  readonly type: DataType;
  build(values: readonly unknown[]): Data;
  /** Reads the value of a row. */
  reader(data: Data): (row: number) => unknown;
}

/** What a column is made for. */
export interface ColumnContext {
  readonly library: Library;
  readonly int64: Int64Mode;
}

/** Columns as a struct of Arrow. */
export function structColumn(context: ColumnContext, fields: readonly ArrowField[]): Column {
  const { library } = context;
  const columns = fields.map(({ name, type, nullable }) => {
    const column = columnOf(context, type, name);
    return nullable ? withAbsent(context, column) : column;
  });
  const type = new library.Struct(
    fields.map(({ name, nullable }, index) => new library.Field(name, columns[index]!.type, nullable)),
  );
  const bind = compileRow(fields);
  return {
    type,
    build(values) {
      const children = fields.map((field, index) =>
        // A message may be absent, and a field called constructor is only what the message has itself.
        columns[index]!.build(
          values.map((value) =>
            value !== undefined && Object.hasOwn(value as object, field.name)
              ? (value as RecordValue)[field.name]
              : undefined,
          ),
        ),
      );
      return library.makeData({ type, length: values.length, nullCount: 0, children });
    },
    // By name, as the library gives rows: a writer may have other columns, or the same in another order.
    reader: ({ type: { children: written }, children }) => {
      let isWhole = true;
      const readers = fields.map(({ name, type }, index) => {
        const isThere = written[index]?.name === name;
        const data = children[isThere ? index : written.findIndex((other) => other.name === name)];
        if (data !== undefined) return readerOf(context, columns[index]!, data);
        isWhole = false;
        return missing(type);
      });
      return isWhole ? bind(readers) : withoutMissing(fields, readers);
    },
  };
}

/** What rows have of a column that the writer did not have: a list or a map is empty. */
function missing({ kind }: ArrowType): () => unknown {
  return kind === "List" ? () => [] : kind === "Map" ? () => ({}) : () => undefined;
}

/** Rows without the fields that nobody wrote. */
function withoutMissing(
  fields: readonly ArrowField[],
  readers: readonly ((row: number) => unknown)[],
): (row: number) => unknown {
  return (row) => {
    const read: Record<string, unknown> = {};
    for (const [index, { name }] of fields.entries()) {
      const value = readers[index]!(row);
      if (value !== undefined) setOwn(read, name, value);
    }
    return read;
  };
}

/** Reads a column as it was written: of another type than this one, or with gaps that this one does not have, it gives what the library does. */
function readerOf(context: ColumnContext, column: Column, data: Data): (row: number) => unknown {
  const read = isOfType(column.type, data.type) ? column.reader(data) : foreignReader(context, data);
  return data.nullCount === 0 ? read : (row) => (data.getValid(row) ? read(row) : undefined);
}

/** What tells types of one id apart, but for what is nested in them: that is asked of each column. */
type Width = Partial<Pick<Int, "bitWidth" | "isSigned"> & Pick<Float, "precision">>;

/** Whether a reader of one type reads the other. It is asked for each message: to make their texts would be timed. */
function isOfType(expected: DataType & Width, actual: DataType & Width): boolean {
  return (
    expected.typeId === actual.typeId &&
    expected.bitWidth === actual.bitWidth &&
    expected.isSigned === actual.isSigned &&
    expected.precision === actual.precision
  );
}

/** Plain data of what the library gives of a column. */
function foreignReader({ library, int64 }: ColumnContext, data: Data): (row: number) => unknown {
  const vector = new library.Vector([data]);
  const plain = (value: unknown): unknown => {
    if (typeof value === "bigint") return int64 === "bigint" ? value : Number(value);
    if (value instanceof library.Vector) return Array.from(value, plain);
    if (value instanceof library.StructRow || value instanceof library.MapRow) {
      const object: Record<string, unknown> = {};
      for (const [key, item] of Object.entries(value.toJSON())) setOwn(object, key, plain(item));
      return object;
    }
    return value;
  };
  return (row) => plain(vector.get(row));
}

/** Makes what turns readers of columns into one of rows, fields in declaration order. */
function compileRow(
  fields: readonly ArrowField[],
): (readers: readonly ((row: number) => unknown)[]) => (row: number) => unknown {
  const gap = fields.findIndex(({ nullable }) => nullable);
  const first = gap < 0 ? fields : fields.slice(0, gap);
  const rest = gap < 0 ? [] : fields.slice(gap);
  const members = first.map((field, index) => `${literalKey(field.name)}: r${index}(i)`);
  const assignments = rest.map(
    (field, index) =>
      `x = r${first.length + index}(i); if (x !== undefined) { ${assignField("o", field.name, "x")} }`,
  );
  return compile(
    `return (readers) => {
  const [${fields.map((_, index) => `r${index}`).join(", ")}] = readers;
  return (i) => { const o = { ${members.join(", ")} }; let x; ${assignments.join(" ")} return o; };
};`,
  );
}

/** @param name of the field that it is a column of, or is within one of */
function columnOf(context: ColumnContext, type: ArrowType, name: string): Column {
  const { library } = context;
  switch (type.kind) {
    case "Struct":
      return structColumn(context, type.fields);
    case "List": {
      const one = columnOf(context, type.item, name);
      return listColumn(context, new library.List(new library.Field("item", one.type, false)), one, {
        items: (value) => value as readonly unknown[],
        read: (next, from, to) => {
          const items: unknown[] = [];
          for (let row = from; row < to; row++) items.push(next(row));
          return items;
        },
      });
    }
    case "Map": {
      const keyOf = keyReader(type.key);
      const key = columnOf({ ...context, int64: "bigint" }, type.key, name);
      const entry = entryColumn(context, key, columnOf(context, type.value, name));
      const entries = new library.Field("entries", entry.type, false);
      return listColumn(context, new library.Map_(entries as never), entry, {
        items: (value) => Object.entries(value as object).map(([text, item]) => [keyOf(text), item]),
        read: (next, from, to) => {
          const map: Record<string, unknown> = {};
          for (let row = from; row < to; row++) {
            const [read, value] = next(row) as [unknown, unknown];
            const text = String(read);
            if (Object.hasOwn(map, text))
              throw new DecodeError("arrow", `the key ${show(text)} stands twice`, { path: name });
            setOwn(map, text, value);
          }
          return map;
        },
      });
    }
    case "Utf8":
      return builtColumn(library, new library.Utf8(), "");
    case "Binary":
      return builtColumn(library, new library.Binary(), new Uint8Array(0));
    case "Bool":
      return boolColumn(library);
    case "Int64":
    case "Uint64":
      return longColumn(library, type.kind, context.int64);
    default:
      return numberColumn(library, type.kind);
  }
}

/** What a key of a map is as text in a plain value becomes what its column takes. */
function keyReader({ kind }: ArrowType): (text: string) => unknown {
  if (kind === "Utf8") return (text) => text;
  if (kind === "Bool") return (text) => text === "true";
  return kind === "Int64" || kind === "Uint64" ? BigInt : Number;
}

/** The entries of a map, as pairs. */
function entryColumn(context: ColumnContext, key: Column, value: Column): Column {
  const { library } = context;
  const type = new library.Struct([
    new library.Field("key", key.type, false),
    new library.Field("value", value.type, false),
  ]);
  return {
    type,
    build: (entries) =>
      library.makeData({
        type,
        length: entries.length,
        nullCount: 0,
        children: [key, value].map((column, place) =>
          column.build(entries.map((entry) => (entry as readonly unknown[])[place])),
        ),
      }),
    reader: ({ children: [keys, values] }) => {
      const readKey = readerOf(context, key, keys!);
      const readValue = readerOf(context, value, values!);
      return (row) => [readKey(row), readValue(row)];
    },
  };
}

/** A column of lists: the items of all of them in one column, and where each list begins. */
function listColumn(
  context: ColumnContext,
  type: DataType,
  item: Column,
  {
    items,
    read,
  }: {
    items(value: unknown): readonly unknown[];
    read(next: (row: number) => unknown, from: number, to: number): unknown;
  },
): Column {
  const { library } = context;
  return {
    type,
    build(values) {
      const all: unknown[] = [];
      const valueOffsets = new Int32Array(values.length + 1);
      for (const [index, value] of values.entries()) {
        if (value !== undefined) for (const one of items(value)) all.push(one);
        valueOffsets[index + 1] = all.length;
      }
      const child = item.build(all);
      return library.makeData({ type, length: values.length, nullCount: 0, valueOffsets, child } as never);
    },
    reader({ valueOffsets, children }) {
      const next = readerOf(context, item, children[0]!);
      return (row) => read(next, valueOffsets[row]!, valueOffsets[row + 1]!);
    },
  };
}

/** The same with a bit for each row that says whether it has a value. */
function withAbsent({ library }: ColumnContext, column: Column): Column {
  return {
    ...column,
    build(values) {
      const data = column.build(values);
      const nullBitmap = new Uint8Array(Math.ceil(values.length / 8));
      let nullCount = 0;
      for (const [row, value] of values.entries()) {
        if (value === undefined) nullCount += 1;
        else nullBitmap[row >> 3]! |= 1 << (row & 7);
      }
      return nullCount === 0
        ? data
        : new library.Data(
            data.type,
            0,
            values.length,
            nullCount,
            [data.valueOffsets, data.values, nullBitmap, data.typeIds] as never,
            data.children,
          );
    },
  };
}

/** What the library's own builder makes. @param empty what stands for an absent value */
function builtColumn(library: Library, type: DataType, empty: unknown): Column {
  return {
    type,
    build(values) {
      const builder = library.makeBuilder({ type });
      for (const value of values) builder.append((value ?? empty) as never);
      return builder.finish().flush();
    },
    reader(data) {
      const vector = new library.Vector([data]);
      return (row) => vector.get(row);
    },
  };
}

function boolColumn(library: Library): Column {
  const type = new library.Bool();
  return {
    type,
    build(values) {
      const data = new Uint8Array(Math.ceil(values.length / 8));
      for (const [row, value] of values.entries()) if (value === true) data[row >> 3]! |= 1 << (row & 7);
      return library.makeData({ type, length: values.length, nullCount: 0, data });
    },
    reader:
      ({ values }) =>
      (row) =>
        ((values as Uint8Array)[row >> 3]! & (1 << (row & 7))) !== 0,
  };
}

/** Numbers of at most 32 bits, and floats, in a typed array. */
function numberColumn(library: Library, kind: SmallNumber): Column {
  const TypedArray = ARRAYS[kind];
  const type = new library[kind]();
  return {
    type,
    build(values) {
      const data = new TypedArray(values.length);
      for (let row = 0; row < values.length; row++) data[row] = (values[row] as number | undefined) ?? 0;
      return library.makeData({ type, length: values.length, nullCount: 0, data } as never);
    },
    reader:
      ({ values }) =>
      (row) =>
        (values as Float64Array)[row],
  };
}

function longColumn(library: Library, kind: LongNumber, int64: Int64Mode): Column {
  const type = new library[kind]();
  const TypedArray = kind === "Int64" ? BigInt64Array : BigUint64Array;
  return {
    type,
    build(values) {
      const data = new TypedArray(values.length);
      for (let row = 0; row < values.length; row++)
        data[row] = BigInt((values[row] as number | undefined) ?? 0);
      return library.makeData({ type, length: values.length, nullCount: 0, data } as never);
    },
    reader: ({ values }) => {
      const held = values as BigInt64Array;
      return int64 === "bigint" ? (row) => held[row] : (row) => Number(held[row]);
    },
  };
}

type LongNumber = "Int64" | "Uint64";
type SmallNumber = Exclude<ArrowNumber, LongNumber>;

const ARRAYS: Readonly<Record<SmallNumber, new (length: number) => { [row: number]: number }>> = {
  Int8: Int8Array,
  Uint8: Uint8Array,
  Int16: Int16Array,
  Uint16: Uint16Array,
  Int32: Int32Array,
  Uint32: Uint32Array,
  Float32: Float32Array,
  Float64: Float64Array,
};

/** Whether two fields hold the same: the names of what is in lists and maps are the writer's choice. */
export function sameType(library: Library, expected: DataType, actual: DataType): boolean {
  const { DataType } = library;
  const within = (fields: readonly Field[], others: readonly Field[], named: boolean): boolean =>
    fields.length === others.length &&
    fields.every(
      (field, index) =>
        (!named || field.name === others[index]!.name) && sameType(library, field.type, others[index]!.type),
    );
  if (DataType.isStruct(expected) && DataType.isStruct(actual))
    return within(expected.children, actual.children, true);
  if (DataType.isList(expected) && DataType.isList(actual))
    return within(expected.children, actual.children, false);
  if (DataType.isMap(expected) && DataType.isMap(actual))
    return within(expected.children[0]!.type.children, actual.children[0]!.type.children, false);
  // Not by their classes: the type that is read of a Uint32 is an Int of its own.
  return String(expected) === String(actual);
}
