import type {
  ElementShape,
  FieldShape,
  TableShape,
  TypeShape,
} from "../../formats/flatbuffers-verifier/index.ts";

/** Shapes of what the library reads of a message's metadata (format/Message.fbs and Schema.fbs, version 1.5). */

const int: TypeShape = { kind: "scalar", scalar: "int" };
const long: ElementShape = { kind: "scalar", scalar: "long" };
const bool: TypeShape = { kind: "scalar", scalar: "bool" };
const byte: TypeShape = { kind: "scalar", scalar: "byte" };
const text: TypeShape = { kind: "string" };

/** FieldNode and Buffer: two longs. */
const pair: ElementShape = { kind: "struct", size: 16, align: 8, scalars: [] };

/** Numbers of members of `Type`. */
const TYPES: ReadonlyMap<number, readonly [string, Readonly<Record<string, TypeShape>>]> = new Map([
  [2, ["Int", { bitWidth: int, is_signed: bool }]],
  [3, ["FloatingPoint", { precision: { kind: "scalar", scalar: "short" } }]],
  [4, ["Binary", {}]],
  [5, ["Utf8", {}]],
  [6, ["Bool", {}]],
  [12, ["List", {}]],
  [13, ["Struct_", {}]],
  [17, ["Map", { keysSorted: bool }]],
]);

function table(fields: Readonly<Record<string, TypeShape>>, required: readonly string[] = []): TableShape {
  return {
    fields: Object.entries(fields).map(([name, type]) => ({ name, type, required: required.includes(name) })),
  };
}

function vector(element: ElementShape): TypeShape {
  return { kind: "vector", element };
}

function union(members: ReadonlyMap<number, readonly [string, TableShape]>): TypeShape {
  return {
    kind: "union",
    members: new Map(
      [...members].map(([number, [name, shape]]) => [
        number,
        { name, type: { kind: "table", table: shape } },
      ]),
    ),
  };
}

const metadata = vector({ kind: "table", table: table({ key: text, value: text }) });

const dictionary = table({
  id: long,
  indexType: { kind: "table", table: table({ bitWidth: int, is_signed: bool }) },
  isOrdered: bool,
});

const fields: FieldShape[] = [];
const field: TableShape = { fields };
fields.push(
  ...table(
    {
      name: text,
      nullable: bool,
      type_type: { kind: "scalar", scalar: "ubyte" },
      type: union(new Map([...TYPES].map(([number, [name, shape]]) => [number, [name, table(shape)]]))),
      dictionary: { kind: "table", table: dictionary },
      children: vector({ kind: "table", table: field }),
      custom_metadata: metadata,
    },
    ["name"],
  ).fields,
);

const schema = table(
  {
    // Little: the library reads numbers as they lie in memory.
    endianness: { kind: "scalar", scalar: "short", values: new Set([0]) },
    fields: vector({ kind: "table", table: field }),
    custom_metadata: metadata,
  },
  ["fields"],
);

const recordBatch = table(
  {
    length: long,
    nodes: vector(pair),
    buffers: vector(pair),
    compression: { kind: "table", table: table({ codec: byte, method: byte }) },
    variadicBufferCounts: vector(long),
  },
  ["nodes", "buffers"],
);

/** A message of a stream: a schema, or a record batch, of version 4 or 5 of the metadata. */
export const messageShape: TableShape = table(
  {
    version: { kind: "scalar", scalar: "short", values: new Set([3, 4]) },
    header_type: { kind: "scalar", scalar: "ubyte", values: new Set([1, 3]) },
    header: union(
      new Map([
        [1, ["Schema", schema]],
        [3, ["RecordBatch", recordBatch]],
      ]),
    ),
    bodyLength: long,
    custom_metadata: metadata,
  },
  ["header"],
);
