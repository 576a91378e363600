/** Facts in words: the tables of a record, their cells, and the case of each cell. */
import type { FactCell, FactsRecord, FactTable, FactTableName } from "../../model/records/facts.ts";
import { left, type Table, tableOf } from "../table.ts";

/** Characters of what came back that a table has room for: the case has all. */
const IN_TABLE = 24;

/** What a table says, as its title. */
export const FACT_TITLES: Readonly<Record<FactTableName, string>> = {
  fidelity: "what comes back of values at the edge of the schema",
  evolution: "what programs of two versions of the schema read of each other's messages",
  hostile: "what becomes of damaged bytes: the worst of each class, and how many of how many",
};

/** A cell in words. */
export function factText(table: FactTableName, cell: FactCell | undefined): string {
  if (cell === undefined) return "";
  const { outcome, got = "", step, stumbles, counts } = cell;
  if (cell.price !== undefined) return priceText(cell.price, cell.priceCi95, 0);
  if (counts !== undefined) return countedText(outcome, stumbles, counts);
  if (outcome === "error") return `${stumbles === true ? "stumbles" : "error"} (${step})`;
  const text = got.length > IN_TABLE ? `${got.slice(0, IN_TABLE)}…` : got;
  if (outcome === "default") return text;
  if (outcome === "other") return table === "fidelity" ? text : `wrong: ${text}`;
  return table === "evolution" && outcome === "lost" ? "dropped" : outcome;
}

/** A price in percent, with the half of its interval that is the longer one; records of earlier versions have none. */
function priceText(price: number, ci95: FactCell["priceCi95"], digits: number): string {
  const text = (100 * price).toFixed(digits);
  const sign = price > 0 && Number(text) !== 0 ? "+" : "";
  const margin = ci95 && Math.max(price - ci95[0], ci95[1] - price);
  return `${sign}${text}${margin === undefined ? "" : ` ±${(100 * margin).toFixed(digits)}`} %`;
}

/** The worst outcome of many cases; how many had it where it is not that of all, or no fault. */
function countedText(
  outcome: FactCell["outcome"],
  stumbles: boolean | undefined,
  counts: NonNullable<FactCell["counts"]>,
): string {
  const word = stumbles === true ? "stumbles" : outcome;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const count = counts[stumbles === true ? "stumble" : outcome] ?? 0;
  // The end of a process is the end of the class.
  const isWhole = ["same", "died", "hung"].includes(outcome) || word === "error";
  return isWhole ? word : `${word} ${count}/${total}`;
}

/** The codec of a column, which may have how it reads in parentheses behind it. */
export function codecOf(column: string): string {
  return column.replace(/ \(.*\)$/, "");
}

/** A table with a row for each codec is too wide: rows are questions, columns codecs, and each codec's column is a group. */
export function factTable({ table, rows, codecs }: FactTable): Table {
  // A question may have sense for no codec of these.
  const asked = rows.filter(({ cells }) => Object.keys(cells).length > 0);
  return tableOf(asked, [
    left("", ({ name }) => name),
    ...codecs.map((codec) => ({
      ...left<FactTable["rows"][number]>(codec, (row) => factText(table, row.cells[codec])),
      starts: true,
    })),
  ]);
}

/** Codecs that a table has no column for, and why. */
export function refusedLines({ refused }: FactTable): string[] {
  return Object.entries(refused).map(([codec, why]) => `${codec}: ${why}`);
}

/**
 * Everything about each cell of a table: what was done, the message, and what came back.
 * @param again what is said of how to have the cell of a codec in a row again
 */
export function caseLines(
  { table, rows, codecs }: FactTable,
  again: (codec: string, table: FactTableName, row: string) => readonly string[],
): string[] {
  return rows.flatMap(({ name, path, given, written, expected, cells }) =>
    codecs.flatMap((codec) => {
      const cell = cells[codec];
      if (cell === undefined) return [];
      return [
        `${codec}, ${name}`,
        `  given at ${path}: ${given}`,
        ...(written === undefined ? [] : [`  written: ${written}`]),
        ...(expected === undefined ? [] : [`  should come back: ${expected}`]),
        ...(cell.message === undefined ? [] : [`  message: ${cell.message}`]),
        ...(cell.counts === undefined ? [] : [`  of all: ${countsText(cell.counts)}`]),
        `  ${outcomeLine(cell)}`,
        ...again(codec, table, name).map((line) => `  ${line}`),
      ];
    }),
  );
}

function countsText(counts: NonNullable<FactCell["counts"]>): string {
  return Object.entries(counts)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(", ");
}

/** What became of it, in a line. */
export function outcomeLine({ outcome, got, step, stumbles, at, price, priceCi95 }: FactCell): string {
  if (price !== undefined) return `${priceText(price, priceCi95, 1)} of the time`;
  const where = at === undefined ? "" : ` at ${at}`;
  if (outcome === "other" || outcome === "lost" || outcome === "default")
    return `${outcome}, came back${where}: ${got}`;
  const on = step === undefined ? "" : ` on ${step}`;
  const by = stumbles === true ? ", of the engine and no check" : "";
  return `${outcome}${on}${by}${got === undefined ? "" : `: ${got}`}`;
}

/** What library a column is of; without it those of all codecs of a record. */
export function versionsLine({ libraries: all, node, wirebench }: FactsRecord, column?: string): string {
  const asked = column === undefined ? undefined : codecOf(column);
  const libraries = Object.fromEntries(
    Object.entries(all).filter(([codec]) => asked === undefined || codec === asked),
  );
  const named = new Map(
    Object.values(libraries)
      .filter(({ library }) => library !== "node" && library !== "wirebench")
      .map(({ library, version }) => [library, version]),
  );
  return [`wirebench ${wirebench}`, `node ${node}`, ...Array.from(named, (one) => one.join(" "))].join(", ");
}
