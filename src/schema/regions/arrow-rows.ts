/** Rows of Arrow's columns, and which places of the message they are the values of. */
import { Place } from "../../model/region.ts";

/** The rows of a column. A place is made when bytes of it are met: a damaged count is not believed. */
export interface Rows {
  readonly count: number;
  /** The same object each time. */
  place(row: number): Place;
  /** Whether the message has a value there; what a column has for an absent one counts for nothing. */
  isThere(row: number): boolean;
}

/** The rows of a record batch. @param first how many rows stand before it */
export function batchRows(table: Place, count: number, first: number): Rows {
  return {
    count,
    place: kept((row) => new Place(table, "element", first + row)),
    isThere: () => true,
  };
}

/** The rows of a field of structs. */
export function fieldRows(structs: Rows, name: string): Rows {
  return {
    count: structs.count,
    place: kept((row) => new Place(structs.place(row), "field", name)),
    isThere: (row) => structs.isThere(row),
  };
}

/** Those of a column that has a bit for each row. */
export function validRows(rows: Rows, isValid: (row: number) => boolean): Rows {
  return {
    count: rows.count,
    place: (row) => rows.place(row),
    isThere: (row) => rows.isThere(row) && isValid(row),
  };
}

/**
 * The items of lists or maps, in one column. Those before the first and behind the last list are in none.
 * @param offset where a list begins, and at their count where the last one ends
 */
export function itemRows(
  lists: Rows,
  kind: "element" | "entry",
  count: number,
  offset: (list: number) => number,
  outside: Place,
): Rows {
  let list = 0;
  /** The list of an item, which is at or shortly behind that of the last one asked for. */
  const listOf = (item: number): number | undefined => {
    if (lists.count === 0 || item < offset(0)) return undefined;
    if (list === lists.count || item < offset(list)) list = 0;
    while (list < lists.count && item >= offset(list + 1)) list++;
    return list < lists.count ? list : undefined;
  };
  return {
    count,
    place: kept((item) => {
      const found = listOf(item);
      if (found === undefined) return outside;
      const ordinal = item - offset(found);
      return new Place(lists.place(found), kind, kind === "entry" ? "" : ordinal, ordinal);
    }),
    isThere: (item) => {
      const found = listOf(item);
      return found !== undefined && lists.isThere(found);
    },
  };
}

function kept(make: (row: number) => Place): (row: number) => Place {
  const places: Place[] = [];
  return (row) => {
    places[row] ??= make(row);
    return places[row]!;
  };
}
