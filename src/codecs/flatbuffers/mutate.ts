import type { Int64Mode } from "../../model/schema.ts";
import type { NumberPlace } from "../../model/selection.ts";
import type { NarrowedVisit } from "../../schema/generate/narrowed.ts";
import type { FlatLayout } from "../../schema/layout/flatbuffers.ts";
import { toLibrary, vtableOffset, writeScalar } from "./scalar-calls.ts";

/**
 * The source of a function `mutate(bb, value)` that overwrites one scalar with the calls that a program makes
 * through the classes of `readerClasses` and the method `mutate_x` that flatc writes with `--gen-mutable`. That
 * method tells a field that is not in the buffer by its result; here it ends in `absent()`, which is needed in scope.
 * @param visits those that lead to the place
 */
export function mutateFunction(
  { tables }: FlatLayout,
  visits: readonly NarrowedVisit[],
  { record }: NumberPlace,
  int64: Int64Mode,
): string {
  const lines = visits.map(({ message, fields, records }, depth) => {
    const table = tables.find(({ name }) => name === message.name);
    const id = table?.fields.findIndex(({ name }) => fields.has(name)) ?? -1;
    const [t, next] = [`t${depth}`, `t${depth + 1}`];
    const type = table?.fields[id]?.type;
    if (type?.kind === "scalar") {
      const value = toLibrary(type.scalar, "value", int64);
      return `  const offset = bb.__offset(${t}.bb_pos, ${vtableOffset(id)}); if (offset === 0) absent();
  ${writeScalar(type.scalar, `${t}.bb_pos + offset`, value)};`;
    }
    if (records === undefined) return `  const ${next} = ${t}.f${id}(); if (${next} === null) absent();`;
    return `  if (${t}.f${id}Length() <= ${record}) absent();\n  const ${next} = ${t}.f${id}(${record});`;
  });
  return `function mutate(bb, value) {
  const t0 = T0.getRoot(bb);
${lines.join("\n")}
}`;
}
