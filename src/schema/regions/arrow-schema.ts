/** The schema that an Arrow stream begins with, against the one that it is read by. */
import { DecodeError } from "../../model/errors.ts";
import { show } from "../../model/value.ts";
import type { ArrowField, ArrowType } from "../layout/arrow.ts";
import { type Extent, type MetadataTable, refuse } from "./arrow-metadata.ts";

/** Members of the union Type, by their number. */
const TYPES = [
  ...["NONE", "Null", "Int", "FloatingPoint", "Binary", "Utf8", "Bool", "Decimal", "Date", "Time"],
  ...["Timestamp", "Interval", "List", "Struct", "Union", "FixedSizeBinary", "FixedSizeList", "Map"],
  ...["Duration", "LargeBinary", "LargeUtf8", "LargeList", "RunEndEncoded", "BinaryView", "Utf8View"],
  ...["ListView", "LargeListView"],
];

/** By the number of a Precision. */
const FLOAT_BITS = [16, 32, 64];

/**
 * Checks that a schema has these columns. The names in lists and maps are the writer's choice.
 * @param names where the names of columns are, as far as they were met
 */
export function expectColumns(
  schema: MetadataTable,
  expected: readonly ArrowField[],
  names: Extent[],
  bytes: Uint8Array,
): void {
  if (schema.integer(0, 2) !== 0) refuse(schema, "its numbers are big-endian");
  new Comparison(names, bytes).fields(schema, 1, expected, true);
}

class Comparison {
  readonly #names: Extent[];
  readonly #bytes: Uint8Array;

  constructor(names: Extent[], bytes: Uint8Array) {
    this.#names = names;
    this.#bytes = bytes;
  }

  /** @param id of the vector of fields in its table */
  fields(
    table: MetadataTable,
    id: number,
    expected: readonly Pick<ArrowField, "name" | "type">[],
    isNamed: boolean,
  ): void {
    const fields = table.tables(id);
    if (fields.count !== expected.length) fail(table, `${fields.count} columns, expected ${expected.length}`);
    for (const [index, { name, type }] of expected.entries()) {
      const field = fields.get(index);
      const found = this.#name(field);
      if (isNamed && found !== name) fail(field, `a column ${show(found)}, expected ${show(name)}`);
      this.#type(field, type, name);
    }
  }

  #name(field: MetadataTable): string {
    const extent = field.string(0);
    this.#names.push(extent);
    return Buffer.from(this.#bytes.subarray(extent.start, extent.end)).toString("utf8");
  }

  #type(field: MetadataTable, expected: ArrowType, name: string): void {
    if (field.table(4) !== undefined) refuse(field, `${name} has a dictionary`);
    const type = typeOf(field);
    if (type !== expected.kind) fail(field, `${name} is ${type}, expected ${expected.kind}`);
    if (expected.kind === "Struct") this.fields(field, 5, expected.fields, true);
    else if (expected.kind === "List") this.fields(field, 5, [{ name, type: expected.item }], false);
    else if (expected.kind === "Map") {
      const { count, get } = field.tables(5);
      const entries = count === 1 ? get(0) : fail(field, `${count} columns, expected 1`);
      this.#name(entries);
      if (typeOf(entries) !== "Struct") fail(entries, `entries are ${typeOf(entries)}, expected Struct`);
      const pair = [expected.key, expected.value].map((one) => ({ name, type: one }));
      this.fields(entries, 5, pair, false);
    }
  }
}

/** The name of a field's type, as the library has it. */
function typeOf(field: MetadataTable): string {
  const number = field.integer(2, 1);
  const type = TYPES[number] ?? `type ${number}`;
  if (type === "Int") {
    const int = field.required(3, "type");
    return `${int.integer(1, 1) === 0 ? "Uint" : "Int"}${int.integer(0, 4)}`;
  }
  return type === "FloatingPoint"
    ? `Float${FLOAT_BITS[field.required(3, "type").integer(0, 2)] ?? "?"}`
    : type;
}

/** A sound schema of other columns than the codec has. */
function fail(table: MetadataTable, problem: string): never {
  throw new DecodeError("arrow", problem, { offset: table.at, code: "unsupported" });
}
