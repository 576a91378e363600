import { slotOf, type ValuePlan } from "./plan.ts";
import { readInteger } from "./scalars.ts";

/**
 * The first of a vector's tables whose field 0 equals that of one before it. The tables were found right.
 * @param first place of the offset that leads to the first table
 */
export function repeatedKey(
  view: DataView,
  first: number,
  count: number,
  plan: ValuePlan,
): { readonly index: number; readonly key: string } | undefined {
  const keys = new Set<string>();
  for (let index = 0; index < count; index++) {
    const place = first + 4 * index;
    const key = keyOf(view, place + view.getUint32(place, true), plan);
    if (keys.has(key)) return { index, key };
    keys.add(key);
  }
  return undefined;
}

/** As text, so that a 0 that is there equals one that was left out. */
function keyOf(view: DataView, table: number, { kind, scalar }: ValuePlan): string {
  const vtable = table - view.getInt32(table, true);
  const slot = slotOf(0);
  const inTable = view.getUint16(vtable, true) > slot ? view.getUint16(vtable + slot, true) : 0;
  if (inTable === 0) return kind === "string" ? "" : "0";
  const place = table + inTable;
  if (scalar !== undefined) return String(readInteger(view, place, scalar));
  const start = place + view.getUint32(place, true) + 4;
  const length = view.getUint32(start - 4, true);
  return Buffer.from(view.buffer, view.byteOffset + start, length).toString("utf8");
}
