/** HTML as text. Names come from users and files: whatever is shown of them is escaped here, and nowhere else. */

class Piece {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

export type Html = Piece;

/** Attributes of an element: true for one without a value; one that is undefined or false is left out. */
export type HtmlAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** What is in an element: strings are text. */
export type Content = Html | string | readonly Content[];

const WITHOUT_END = new Set(["input", "meta", "br"]);

/** An element. The names are the program's own; values of attributes and texts may be anybody's. */
export function h(name: string, attributes: HtmlAttributes, ...children: readonly Content[]): Html {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([key, value]) => (value === true ? ` ${key}` : ` ${key}="${escapeHtml(String(value))}"`))
    .join("");
  const start = `<${name}${written}>`;
  return new Piece(WITHOUT_END.has(name) ? start : `${start}${children.map(inner).join("")}</${name}>`);
}

/** What is HTML already, made by this program. */
export function raw(html: string): Html {
  return new Piece(html);
}

function inner(content: Content): string {
  if (typeof content === "string") return escapeHtml(content);
  return content instanceof Piece ? content.html : (content as readonly Content[]).map(inner).join("");
}

/** Controls and what turns a line around have no place in a page. */
const UNSHOWN = /[^\P{Cc}\n\t]|[\p{Cs}\u202A-\u202E\u2066-\u2069]/gu;

function escapeHtml(text: string): string {
  return text
    .replace(UNSHOWN, "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** JSON that no name in it can end the script of. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
