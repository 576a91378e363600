import { compileStruct } from "../../formats/c-struct/index.ts";
import type { Shape, StructShape } from "../../formats/c-struct/shape.ts";
import { type Binding, bytesOf, defineCodec } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { compile } from "../../model/generated-code.ts";
import type { Int64Mode } from "../../model/schema.ts";
import type { NumberPlace, NumberWriter } from "../../model/selection.ts";
import type { Value } from "../../model/value.ts";
import { absentPlace, type NarrowedVisit, narrowedVisits, visitsTo } from "../../schema/generate/narrowed.ts";
import { cStruct } from "../../schema/layout/c.ts";
import { deciding } from "../../schema/values/transcode.ts";
import { compileAccess, countOf } from "./access.ts";

/**
 * The bytes that a C program for x86-64 Linux keeps in memory, by the struct of the dataset's header or one
 * that holds all its values. Throws UnsupportedError as {@link cStruct} does.
 */
function bind(dataset: Dataset, into = false): Binding<Value, Value> {
  const { schema, int64 } = dataset;
  const struct = compileStruct(cStruct(dataset), { int64 });
  const access = compileAccess(struct.shape);
  return deciding<Value, Value>("c-struct", dataset, {
    build: (value) => value,
    write: struct.pack,
    ...(into && { into: struct.packInto }),
    read: (encoded) => struct.unpack(bytesOf(encoded, "c-struct")) as Value,
    plain: (value) => value,
    access: (encoded) => access(bytesOf(encoded, "c-struct")),
    reader: (selection) => {
      const accessPart = compileAccess(struct.shape, narrowedVisits(schema, selection));
      return (encoded) => accessPart(bytesOf(encoded, "c-struct"));
    },
    writer: (place) => compileOverwrite(struct.shape, visitsTo(schema, place), place, int64),
    text: "utf8",
    direct: { build: true, plain: true },
    verify: (encoded) => struct.verify(bytesOf(encoded, "c-struct")),
  });
}

/**
 * Generates the function that overwrites one number of a struct, whose place is known but for whether it is there.
 * @param visits those that lead to the place
 */
function compileOverwrite(
  root: StructShape,
  visits: readonly NarrowedVisit[],
  place: NumberPlace,
  int64: Int64Mode,
): NumberWriter {
  let struct = root;
  let at = 0;
  const body = visits.map(({ fields }) => {
    const field = struct.fields.find(({ key }) => fields.has(key))!;
    const { offset, stride, element, repeat } = field;
    const start = at;
    at += offset + (repeat.kind === "one" ? 0 : place.record * stride);
    if (element.kind === "struct") struct = element.struct;
    const write = element.kind === "struct" ? "" : `${writeNumber(element, at, int64)};`;
    if (repeat.kind !== "one")
      return `if (${place.record} >= ${countOf(repeat, `${start}`)}) absent(); ${write}`;
    return repeat.flag === undefined
      ? write
      : `if (v.getUint8(${start + repeat.flag}) === 0) absent(); ${write}`;
  });
  return compile(
    `return function overwrite(b, value) {
  const v = new DataView(b.buffer, b.byteOffset, b.byteLength);
  ${body.join("\n  ")}
};`,
    { absent: absentPlace("c-struct", place) },
  );
}

function writeNumber(shape: Shape, at: number, int64: Int64Mode): string {
  if (shape.kind === "float") return `v.setFloat${shape.bits}(${at}, value, true)`;
  if (shape.kind !== "integer") throw new Error(`a number is no ${shape.kind}`);
  const { bits, signed } = shape;
  const name = `${bits === 64 ? "Big" : ""}${signed ? "Int" : "Uint"}${bits}`;
  const value = bits === 64 && int64 === "number" ? "BigInt(value)" : "value";
  return `v.set${name}(${at}, ${value}, true)`;
}

export default defineCodec({
  format: "c-struct",
  world: "C",
  traits: ["binary", "zero-copy", "bounded"],
  summary: "DataView at the offsets of a C struct, in code generated from its layout",
  bind: (dataset) => bind(dataset),
  variants: {
    into: {
      traits: ["binary", "zero-copy", "bounded"],
      summary: "the same, and encode writes into memory of the caller's, which the next call overwrites",
      bind: (dataset) => bind(dataset, true),
    },
  },
});
