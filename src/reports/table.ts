import { oneLine } from "./escape.ts";

/** A column: what stands above it, and what it says of a row. What has nothing to say is empty. */
export interface Column<Row> {
  readonly heading: string;
  readonly align: "left" | "right";
  of(row: Row): string | undefined;
}

/** A table as text: a heading and an alignment per column, and a cell per column and row. */
export interface Table {
  readonly columns: readonly { readonly heading: string; readonly align: "left" | "right" }[];
  readonly rows: readonly (readonly string[])[];
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
    columns: columns.map(({ heading, align }) => ({ heading, align })),
    rows: rows.map((row) => columns.map((column) => column.of(row) ?? "")),
  };
}

/** {@link tableOf}, or undefined where there are no rows. */
export function tableOfAny<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Table | undefined {
  return rows.length === 0 ? undefined : tableOf(rows, columns);
}

/** As a Markdown table, with the columns lined up so that it reads well as text too. */
export function markdownTable(table: Table): string {
  const cellText = (cell: string): string => oneLine(cell).replaceAll("|", "\\|");
  const escaped: Table = {
    columns: table.columns.map(({ heading, align }) => ({ heading: cellText(heading), align })),
    rows: table.rows.map((row) => row.map(cellText)),
  };
  const widths = widthsOf(escaped, 3);
  const rule = escaped.columns.map(({ align }, i) =>
    align === "right" ? `${"-".repeat(widths[i]! - 1)}:` : "-".repeat(widths[i]!),
  );
  const lines = [headings(escaped, widths), rule, ...escaped.rows.map((row) => padded(escaped, row, widths))];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** As lines of text, for a terminal. */
export function textTable(table: Table): string {
  const widths = widthsOf(table, 0);
  const lines = [headings(table, widths), ...table.rows.map((row) => padded(table, row, widths))];
  return lines.map((cells) => cells.join("  ").trimEnd()).join("\n");
}

function headings(table: Table, widths: readonly number[]): string[] {
  return padded(
    table,
    table.columns.map(({ heading }) => heading),
    widths,
  );
}

function padded({ columns }: Table, row: readonly string[], widths: readonly number[]): string[] {
  return columns.map(({ align }, i) => {
    const cell = row[i] ?? "";
    return align === "right" ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!);
  });
}

function widthsOf(table: Table, least: number): number[] {
  return table.columns.map(({ heading }, i) =>
    Math.max(least, heading.length, ...table.rows.map((row) => row[i]?.length ?? 0)),
  );
}
