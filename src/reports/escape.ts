/** Names and reasons come from files and libraries: none may break out of its place in a document. */
import { oneLine } from "../model/one-line.ts";

export { oneLine };

/** Text between backticks, also where it holds some itself (CommonMark, "Code spans"). */
export function inlineCode(text: string): string {
  const line = oneLine(text);
  const runs = [...line.matchAll(/`+/g)].map(([run]) => run.length);
  if (runs.length === 0) return `\`${line}\``;
  const fence = "`".repeat(Math.max(...runs) + 1);
  return `${fence} ${line} ${fence}`;
}

/** A list of these lines as a block of Markdown; none where there are no lines. */
export function bulletList(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [lines.map((line) => `- ${oneLine(line)}`).join("\n")];
}

/** What a field of CSV holds. */
export type CsvValue = string | number | null | undefined;

/** A field of CSV (RFC 4180, section 2); empty for what is not there. */
export function csvField(field: CsvValue): string {
  const text = String(field ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as CSV, the names of its columns first. */
export function csvText(rows: readonly (readonly CsvValue[])[]): string {
  return rows.map((row) => `${row.map(csvField).join(",")}\r\n`).join("");
}

/** A name as a part of a file's, on every system: datasets are called after files of the user's. */
export function fileNamePart(name: string | number): string {
  return String(name)
    .replace(/[^A-Za-z0-9.]+/g, "-")
    .slice(0, 60);
}
