import type { Int64Mode } from "../../model/schema.ts";
import type { NumberPlace } from "../../model/selection.ts";
import type { NarrowedVisit } from "../../schema/generate/narrowed.ts";
import type { CapnpLayout } from "../../schema/layout/capnp.ts";
import { setData, toLibrary } from "./calls.ts";
import { isData, SectionReads } from "./sections.ts";
import { structOf } from "./visit.ts";

/**
 * The source of a function `overwrite(s0, value)` that sets one number below the root struct `s0`, through the
 * library's setter, which changes the segment that the struct lies in. A message without the field, also one whose
 * writer had a shorter schema, ends in `absent()`, which is needed in scope. Fields have no defaults here, so what
 * stands in the bytes is the number itself.
 * @param visits those that lead to the place
 */
export function overwriteFunction(
  layout: CapnpLayout,
  visits: readonly NarrowedVisit[],
  { record }: NumberPlace,
  int64: Int64Mode,
): string {
  const reads = new SectionReads(true);
  let struct = layout.structs[0];
  const lines = visits.map(({ fields }, depth) => {
    const member = struct?.members.find(({ field }) => fields.has(field.name));
    if (member === undefined) throw new Error("a place is a field of the layout");
    const { slot, flag } = member;
    const { type, offset } = slot;
    const next = `s${depth + 1}`;
    const nested = structOf(type);
    struct = layout.structs[nested ?? -1];
    const open = `  { const s = s${depth}; ${reads.size}`;
    if (nested !== undefined) {
      const [get, element] =
        type.kind === "list"
          ? [`Struct.getList(${offset}, R${nested}List, s)`, ` if (l.getLength() <= ${record}) absent();`]
          : [`Struct.getStruct(${offset}, R${nested}, s)`, ""];
      const found =
        type.kind === "list"
          ? `const l = ${get};${element} ${next} = l.get(${record});`
          : `${next} = ${get};`;
      return `  let ${next};\n${open}if (!${reads.isPresent(slot)}) absent(); ${found} }`;
    }
    if (!isData(type)) throw new Error("a number is in the data section");
    const isThere = flag !== undefined && isData(flag.type) ? ` || !${reads.data(flag, flag.type)}` : "";
    const end = Math.ceil((offset + type.bits) / 8);
    const set = setData(type, offset, toLibrary(type, "value", int64), "s");
    return `${open}if (${end} > z.dataByteLength${isThere}) absent(); ${set}; }`;
  });
  return `function overwrite(s0, value) {\n${lines.join("\n")}\n}`;
}
