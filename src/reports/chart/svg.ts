/** SVG as text. Names come from users and files: whatever is drawn of them is escaped here, and nowhere else. */
import { type Colour, fill, INK, PAPER, STYLE, stroke } from "./palette.ts";

/** A piece of a picture, whose texts are escaped. Only {@link element} makes one. */
class Piece {
  readonly xml: string;

  constructor(xml: string) {
    this.xml = xml;
  }
}

export type Svg = Piece;

/** Attributes of an element; one that is undefined is left out. Numbers are pixels, to a hundredth. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element. The names are the program's own; values of attributes and texts may be anybody's. */
export function element(name: string, attributes: Attributes, ...children: readonly (Svg | string)[]): Svg {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(
      ([key, value]) => ` ${key}="${typeof value === "number" ? pixels(value) : escapeXml(String(value))}"`,
    )
    .join("");
  const inner = children.map((child) => (typeof child === "string" ? escapeXml(child) : child.xml)).join("");
  return new Piece(inner === "" ? `<${name}${written}/>` : `<${name}${written}>${inner}</${name}>`);
}

/** Pieces of a picture so many pixels to the right and down. */
export function group(x: number, y: number, children: readonly Svg[]): Svg {
  return element("g", { transform: `translate(${pixels(x)},${pixels(y)})` }, ...children);
}

/** How text is set. */
export interface TextStyle {
  readonly size?: number;
  readonly bold?: boolean;
  readonly colour?: Colour;
  /** Which point of the text is at its place; the left end by default. */
  readonly anchor?: "start" | "middle" | "end";
  /** Degrees, clockwise around its place. */
  readonly angle?: number;
  /** Whether a rim in the colour of the background sets it apart from what it covers. */
  readonly rim?: boolean;
}

/** A line of text. Its place is on the base line, in the middle of the letters' height. */
export function text(line: string, x: number, y: number, style: TextStyle = {}): Svg {
  const { size = 12, bold = false, colour = INK, anchor = "start", angle, rim = false } = style;
  // A third of the size below the middle: `dominant-baseline` is not known everywhere.
  const base = angle === undefined ? y + size * 0.35 : y;
  return element(
    "text",
    {
      x,
      y: base,
      ...fill(colour),
      ...(rim ? rimOf(colour) : {}),
      "font-size": size,
      "font-weight": bold ? "bold" : undefined,
      "text-anchor": anchor === "start" ? undefined : anchor,
      transform: angle === undefined ? undefined : `rotate(${angle},${pixels(x)},${pixels(y)})`,
    },
    line,
  );
}

function rimOf(colour: Colour): Attributes {
  const { class: rim, stroke: paper } = stroke(PAPER);
  const look = { stroke: paper, "stroke-width": 3, "stroke-linejoin": "round", "paint-order": "stroke" };
  return { class: `${fill(colour).class} ${rim}`, ...look };
}

/** What every picture has. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Its name, and what it shows, for those who do not see it. */
  readonly title: string;
  readonly description: string;
  readonly content: readonly Svg[];
}

/** The text of an SVG file. It holds no scripts, and asks for nothing from outside. */
export function picture({ width, height, title, description, content }: Picture): string {
  const { xml } = element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      width,
      height,
      viewBox: `0 0 ${pixels(width)} ${pixels(height)}`,
      role: "img",
      "font-family": "system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif",
    },
    element("title", {}, drawable(title, 400)),
    element("desc", {}, drawable(description, 4000)),
    element("style", {}, STYLE),
    element("rect", { width, height, ...fill(PAPER) }),
    ...content,
  );
  return xml;
}

/** A picture as it stands in a page, which has its style sheet once for all of them. */
export function withoutStyle(svg: string): string {
  return svg.replace(element("style", {}, STYLE).xml, "").replace(' xmlns="http://www.w3.org/2000/svg"', "");
}

/** A number as SVG has it. */
export function pixels(value: number): string {
  return String(Math.round(value * 100) / 100 || 0);
}

/** Not allowed in XML, or able to turn the line around them: controls, lone surrogates, non-characters, bidi controls. */
const UNDRAWABLE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u202A-\u202E\u2066-\u2069]/gu;

/** Text as a chart shows it: one line, without what cannot be drawn, at most so many characters. */
export function drawable(line: string, most = 48): string {
  const characters = [...line.replace(/\s+/g, " ").trim().replace(UNDRAWABLE, "\uFFFD")];
  return characters.length <= most ? characters.join("") : `${characters.slice(0, most - 1).join("")}…`;
}

/** Pixels that text takes at most, whichever of the fonts it is set in. */
export function widthOf(line: string, size = 12): number {
  return [...line].reduce((sum, character) => sum + emOf(character), 0) * size;
}

function emOf(character: string): number {
  if (/[ijlI.,:;'|!]/.test(character)) return 0.36;
  if (/[mwMW%@…]/.test(character)) return 0.95;
  if (/[A-Z→±×~]/.test(character)) return 0.75;
  return character.codePointAt(0)! < 0x1100 ? 0.62 : 1.05;
}

function escapeXml(line: string): string {
  return line
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
