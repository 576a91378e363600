import { defined } from "../../model/defined.ts";
import type { InspectedCodec } from "../../model/region-table.ts";
import { totalsOf } from "./totals.ts";
import { jsonValue, symbolOf } from "./values.ts";

/**
 * Messages for programs, as one JSON text in parts: a list with an object for each codec.
 * @param totals leaves the regions out
 */
export function* inspectedJson(codecs: readonly InspectedCodec[], totals: boolean): Generator<string> {
  yield "[";
  for (const [index, one] of codecs.entries()) {
    if (index > 0) yield ",";
    if ("reason" in one) {
      yield `\n${JSON.stringify(one)}`;
      continue;
    }
    const { codec, library, version, dataset, bytes, damage, regions, defaults } = one;
    const { roles, fields } = totalsOf(one);
    const summary = { roles: Object.fromEntries(roles), fields: pairs(fields) };
    const named = { codec, ...defined({ library, version }), dataset };
    const head = JSON.stringify({ ...named, bytes: bytes.length, ...defined({ damage }), ...summary });
    yield `\n${head.slice(0, -1)}`;
    if (!totals) {
      yield ',\n"regions":[';
      let separator = "";
      for (const { place, value, bits, ...region } of regions) {
        const { path, field } = place;
        const held = value === undefined ? {} : { value: jsonValue(value) };
        const each = bits?.map(({ place: at, ...bit }) => ({ ...bit, path: at.path, field: at.field }));
        yield `${separator}\n${JSON.stringify({ ...region, path, field, ...held, ...defined({ symbol: region.leaf && symbolOf(value, place.schemaPath), bits: each }) })}`;
        separator = ",";
      }
      yield '],\n"defaults":[';
      for (const [i, { place, value }] of defaults.entries())
        yield `${i > 0 ? "," : ""}\n${JSON.stringify({ path: place.path, field: place.field, value: jsonValue(value) })}`;
      yield "]";
    }
    yield "}";
  }
  yield "\n]\n";
}

/** As a list: a field may be called `__proto__`. */
function pairs(fields: ReadonlyMap<string, number>): { field: string; bytes: number }[] {
  return Array.from(fields, ([field, bytes]) => ({ field, bytes }));
}
