import type { Place, Region } from "../../model/region.ts";
import type { Damage, Inspected, RegionTable } from "../../model/region-table.ts";

/** Elements of a list or entries of a map that a dump shows. */
const SHOWN = 2;

/** A line of a dump: a region, or elements that are left out, or the message that follows. */
export type DumpRow =
  | { readonly kind: "region"; readonly region: Region }
  | { readonly kind: "section"; readonly path: string }
  | {
      readonly kind: "elided";
      readonly field: string;
      readonly count: number;
      readonly offset: number;
      readonly bytes: number;
    };

/** What a message is that is not read in whole. */
export function damageWord({ isSound }: Damage): string {
  return isSound ? "refused" : "damaged";
}

/**
 * The lines of a dump in the order of the bytes, in sections by message. Of a list a few elements are shown, and what is
 * damaged.
 */
export function dumpRows({ regions }: Pick<Inspected, "regions">, all = false): DumpRow[] {
  const kept = new Set(Array.from(regions.problems, (index) => hiddenElement(regions.placeAt(index))));
  const rows: DumpRow[] = [];
  let section: Place | undefined;
  for (let i = 0; i < regions.length; ) {
    const place = regions.placeAt(i);
    const element = all ? undefined : hiddenElement(place);
    if (element !== undefined && !kept.has(element)) {
      const { row, next } = elided(regions, i, element, kept);
      rows.push(row);
      i = next;
      continue;
    }
    const message = messageAround(place);
    if (message !== section || i === 0) rows.push({ kind: "section", path: message.path });
    section = message;
    rows.push({ kind: "region", region: regions.at(i) });
    i++;
  }
  return rows;
}

/** The outermost element around a place that is too far back in its list to be shown. */
function hiddenElement(place: Place): Place | undefined {
  let found: Place | undefined;
  for (let at: Place | undefined = place; at !== undefined; at = at.parent)
    if (at.ordinal >= SHOWN) found = at;
  return found;
}

function messageAround(place: Place): Place {
  let at = place;
  while (at.parent !== undefined && !at.schemaPath.hasFields) at = at.parent;
  return at;
}

/** Regions from `first` on that belong to hidden elements of one list. */
function elided(
  regions: RegionTable,
  first: number,
  element: Place,
  kept: ReadonlySet<Place | undefined>,
): { readonly row: DumpRow; readonly next: number } {
  const list = element.parent;
  const ordinals = new Set<number>();
  let bytes = 0;
  let next = first;
  let place: Place | undefined;
  let last: Place | undefined;
  for (; next < regions.length; next++) {
    // What holds several regions stands around them in turns.
    if (regions.placeAt(next) !== place) {
      place = regions.placeAt(next);
      const hidden = hiddenElement(place);
      if (hidden === undefined || hidden.parent !== list || kept.has(hidden)) break;
      if (hidden !== last) ordinals.add(hidden.ordinal);
      last = hidden;
    }
    bytes += regions.lengthAt(next);
  }
  const offset = regions.offsetAt(first);
  return { row: { kind: "elided", field: element.field, count: ordinals.size, offset, bytes }, next };
}
