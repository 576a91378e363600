import { oneLine } from "./escape.ts";
import { type Heading, type Measured, measured, partsOf, type Table } from "./text-layout.ts";

export { fittedText, type Table, textTable } from "./text-layout.ts";

/** A column: what stands above it, and what it says of a row. What has nothing to say is empty. */
export interface Column<Row> extends Heading {
  of(row: Row): string | undefined;
}

/** A table, and what stands above it. */
export interface TitledTable {
  readonly title: string;
  readonly table: Table;
}

/** A column of names. */
export function left<Row>(heading: string, of: Column<Row>["of"]): Column<Row> {
  return { heading, align: "left", of };
}

/** A column of figures. */
export function right<Row>(heading: string, of: Column<Row>["of"]): Column<Row> {
  return { heading, align: "right", of };
}

/** What the columns say of the rows. */
export function tableOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Table {
  return {
    columns: columns.map(({ heading, align, starts = false }) => ({ heading, align, starts })),
    rows: rows.map((row) => columns.map((column) => column.of(row) ?? "")),
  };
}

/** {@link tableOf}, or undefined where there are no rows. */
export function tableOfAny<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Table | undefined {
  return rows.length === 0 ? undefined : tableOf(rows, columns);
}

/** Characters of a table, with its bars, for which a page of GitHub has room. */
const PAGE = 110;

/** Fewest characters of a column in Markdown: those of its rule. */
const LEAST_WIDTH = 3;

/**
 * As a Markdown table, with the columns lined up so that it reads well as text too. Figures and their units do not break, and what is
 * too wide for a page is parted between its groups of columns, if it has some.
 */
export function markdownTable(table: Table): string {
  const cellText = (cell: string): string => oneLine(cell).replaceAll("|", "\\|");
  const escaped = measured({
    columns: table.columns.map((column) => ({ ...column, heading: cellText(column.heading) })),
    rows: table.rows.map((row) =>
      row.map((cell, i) =>
        table.columns[i]?.align === "right" ? cellText(cell).replaceAll(" ", "\u00a0") : cellText(cell),
      ),
    ),
  });
  const widths = escaped.widths.map((width) => Math.max(width, LEAST_WIDTH));
  const whole = { ...escaped, widths };
  const widthOf = (part: Measured): number => part.widths.reduce((sum, width) => sum + width + 3, 1);
  const isGrouped = table.columns.some(({ starts }) => starts === true);
  const parts = isGrouped ? partsOf(whole, PAGE, widthOf) : [whole];
  return parts.map(markdownPart).join("\n\n");
}

function markdownPart({ columns, rows, widths }: Measured): string {
  const rule = columns.map(({ align }, i) =>
    align === "right" ? `${"-".repeat(widths[i]! - 1)}:` : "-".repeat(widths[i]!),
  );
  const padded = (row: readonly string[]): string[] =>
    columns.map(({ align }, i) => {
      const cell = row[i] ?? "";
      return align === "right" ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!);
    });
  return [padded(columns.map(({ heading }) => heading)), rule, ...rows.map(padded)]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}
