/** Names and reasons come from files and libraries: none may break out of its place in a document. */

/** Text without line breaks and other control characters. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

/** Text between backticks, of which it may hold some itself (CommonMark, "Code spans"). */
export function inlineCode(text: string): string {
  const line = oneLine(text);
  const runs = [...line.matchAll(/`+/g)].map(([run]) => run.length);
  if (runs.length === 0) return `\`${line}\``;
  const fence = "`".repeat(Math.max(...runs) + 1);
  return `${fence} ${line} ${fence}`;
}

/** A field of CSV (RFC 4180, section 2); empty for what is not there. */
export function csvField(field: string | number | undefined): string {
  const text = String(field ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
