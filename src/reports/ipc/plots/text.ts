/** Names come from users and files: what is drawn of them is one line of what XML can hold. */

/** Not allowed in XML, or able to turn the line around them: controls, lone surrogates, non-characters, bidi controls. */
const UNDRAWABLE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u202A-\u202E\u2066-\u2069]/gu;

/** Text as a chart shows it: without what cannot be drawn, at most so many characters. */
export function drawable(text: string, most = 48): string {
  const line = text.replace(/\s+/g, " ").trim().replace(UNDRAWABLE, "\uFFFD");
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join("")}…`;
}

/** Text as content of an XML element. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** `20,000`. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** `0.0123`, `1.23`, `248`, `12,345`: milliseconds in three digits. */
export function formatMs(ms: number): string {
  const size = Math.abs(ms);
  return size < 99.95 ? String(Number(ms.toPrecision(3))) : formatCount(Math.round(ms));
}
