/** How a table, and the prose around it, become lines of text: as wide as they are, or within the columns of a terminal. */
import { oneLine } from "./escape.ts";

/** What stands above a column, and how it is aligned. */
export interface Heading {
  readonly heading: string;
  readonly align: "left" | "right";
  /** Set where a group of columns begins that belong together: those of an operation. */
  readonly starts?: boolean;
}

/** A table as text: a heading and an alignment per column, and a cell per column and row. */
export interface Table {
  readonly columns: readonly Heading[];
  readonly rows: readonly (readonly string[])[];
}

/** Fewest columns that are kept to: what is narrower is no place to read a table. */
const LEAST_COLUMNS = 40;

/** Fewest columns in which prose of a cell is broken into lines. */
const LEAST_PROSE = 24;

/** Spaces between columns, and between those of one group where there is no room for more. */
const GAP = 2;
const NARROW_GAP = 1;

/** A table whose cells are lines, with the width of each column. */
export interface Measured extends Table {
  readonly widths: readonly number[];
}

/**
 * A table as lines of text. Within a terminal's columns there is no column without figures, prose at the ends of rows is broken into
 * lines, and what is still too wide is parted between groups of columns: each part begins with the names of its rows.
 * @param columns of a terminal; absent where the text goes elsewhere, and has a line for each row
 */
export function textTable(table: Table, columns?: number): string {
  const whole = measured({
    columns: table.columns.map((column) => ({ ...column, heading: oneLine(column.heading) })),
    rows: table.rows.map((row) => row.map(cellText)),
  });
  if (columns === undefined) return lines(whole, GAP);
  const most = Math.max(columns, LEAST_COLUMNS);
  const fitted = withProse(withFigures(whole), most);
  const gap = widthOf(fitted, GAP) <= most ? GAP : NARROW_GAP;
  return partsOf(fitted, most, (part) => widthOf(part, gap))
    .map((part) => lines(withProse(part, most), gap))
    .join("\n\n");
}

/** Text whose lines are broken between words where they are longer than a terminal's columns. Tables are laid out before. */
export function fittedText(text: string, columns?: number): string {
  if (columns === undefined) return text;
  const most = Math.max(columns, LEAST_COLUMNS);
  return text
    .split("\n")
    .flatMap((line) => (line.length <= most ? [line] : broken(line, most)))
    .join("\n");
}

/** Leading spaces of a name in a list stay. */
function cellText(cell: string): string {
  const [indent = ""] = /^ */.exec(cell) ?? [];
  return indent + oneLine(cell);
}

/** A table, and how wide its columns are. */
export function measured(table: Table): Measured {
  const widths = table.columns.map(({ heading }, i) =>
    Math.max(heading.length, ...table.rows.map((row) => row[i]?.length ?? 0)),
  );
  return { ...table, widths };
}

/** Columns before each of which there is a gap: a narrow one within a group. */
function gapsOf({ columns }: Table, narrow: number): number[] {
  return columns.map(({ starts, align }, i) => {
    if (i === 0) return 0;
    const isWithin =
      narrow < GAP && starts !== true && align === "right" && columns[i - 1]?.align === "right";
    return isWithin ? narrow : GAP;
  });
}

function widthOf(table: Measured, gap: number): number {
  const gaps = gapsOf(table, gap);
  return table.widths.reduce((sum, width, i) => sum + width + gaps[i]!, 0);
}

function lines(table: Measured, gap: number): string {
  const gaps = gapsOf(table, gap);
  const { columns, rows, widths } = table;
  return [columns.map(({ heading }) => heading), ...rows]
    .map((row) =>
      columns
        .map(({ align }, i) => {
          const cell = row[i] ?? "";
          const padded = align === "right" ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!);
          return " ".repeat(gaps[i]!) + padded;
        })
        .join("")
        .trimEnd(),
    )
    .join("\n");
}

/** The table without columns of figures in which there is none: few messages have no percentiles. */
function withFigures(table: Measured): Measured {
  const indexes = table.columns.flatMap(({ align }, i) =>
    align === "left" || table.rows.some((row) => (row[i] ?? "") !== "") ? [i] : [],
  );
  return chosen(table, indexes);
}

/** The table with prose in its last and its first column broken into lines, where it is too wide. */
function withProse(table: Measured, most: number): Measured {
  const last = table.columns.length - 1;
  const room = most - (widthOf(table, GAP) - (table.widths[last] ?? 0));
  const ended = last > 0 && room >= LEAST_PROSE ? brokenAt(table, last, room) : table;
  return widthOf(ended, GAP) <= most
    ? ended
    : brokenAt(ended, 0, Math.max(LEAST_PROSE, Math.floor(most / 3)));
}

/** The table with the cells of a column of text in lines of so many columns. The other cells stand beside the first line. */
function brokenAt(table: Measured, column: number, most: number): Measured {
  if (table.columns[column]?.align !== "left" || (table.widths[column] ?? 0) <= most) return table;
  const rows = table.rows.flatMap((row) =>
    broken(row[column] ?? "", most).map((line, i) =>
      row.map((cell, at) => (at === column ? line : i === 0 ? cell : "")),
    ),
  );
  return measured({ ...table, rows });
}

/**
 * A table in parts that are no wider than is given: groups of columns, as many in each as there is room for, beside those that name the
 * rows.
 */
export function partsOf(table: Measured, most: number, widthOf: (part: Measured) => number): Measured[] {
  if (widthOf(table) <= most) return [table];
  const { columns } = table;
  const others = columns.findIndex(({ align }) => align === "right");
  const names = others < 1 ? 1 : others;
  const isGrouped = columns.some(({ starts }) => starts === true);
  const groups: number[][] = [];
  for (let i = names; i < columns.length; i++) {
    const group = groups.at(-1);
    if (group === undefined || !isGrouped || columns[i]?.starts === true) groups.push([i]);
    else group.push(i);
  }
  const keys = Array.from({ length: names }, (_, i) => i);
  const made: number[][] = [];
  for (const group of groups) {
    const part = made.at(-1);
    if (part !== undefined && widthOf(chosen(table, [...part, ...group])) <= most) part.push(...group);
    else made.push([...keys, ...group]);
  }
  return made.map((part) => chosen(table, part));
}

function chosen({ columns, rows, widths }: Measured, indexes: readonly number[]): Measured {
  return {
    columns: indexes.map((i) => columns[i]!),
    rows: rows.map((row) => indexes.map((i) => row[i] ?? "")),
    widths: indexes.map((i) => widths[i]!),
  };
}

/** Text in lines of so many columns; a word that is longer has a line of its own. */
function broken(text: string, most: number): string[] {
  const made: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (longer.length > most && line.trim() !== "") {
      made.push(line);
      line = word;
    } else line = longer;
  }
  return [...made, line];
}
