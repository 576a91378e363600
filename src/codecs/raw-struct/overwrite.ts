import type { Shape, StructShape } from "../../formats/c-struct/shape.ts";
import { compile } from "../../model/generated-code.ts";
import type { Int64Mode } from "../../model/schema.ts";
import type { NumberPlace, NumberWriter } from "../../model/selection.ts";
import { absentPlace, type NarrowedVisit } from "../../schema/generate/narrowed.ts";
import { countOf } from "./access.ts";

/**
 * Generates the function that overwrites one number of a struct, whose place is known but for whether it is there.
 * @param visits those that lead to the place
 */
export function compileOverwrite(
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
