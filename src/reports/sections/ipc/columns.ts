import type { Table } from "../../table.ts";

/** A column of a table. */
export type Column = Table["columns"][number];

/** Columns of names. */
export function left(...headings: readonly string[]): Column[] {
  return headings.map((heading) => ({ heading, align: "left" }));
}

/** Columns of figures. */
export function right(...headings: readonly string[]): Column[] {
  return headings.map((heading) => ({ heading, align: "right" }));
}
