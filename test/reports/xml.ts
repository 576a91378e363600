/** As much of an XML parser as SVG text needs: it throws where a browser's would. */

/** An element; texts are among its children. */
export interface Xml {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Xml | string)[];
}

const TOKEN = /<(\/?)([A-Za-z][\w:-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;
const ATTRIBUTE = /([\w:-]+)="([^"]*)"/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The root of a well-formed document. */
export function parseXml(document: string): Xml {
  const wrong = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.exec(document);
  if (wrong !== null) throw new Error(`character not allowed in XML at ${wrong.index}`);
  const root: Xml = { name: "", attributes: {}, children: [] };
  const open = [root];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < document.length; ) {
    const at = TOKEN.lastIndex;
    const [, closing, name = "", attributes = "", empty, text] = TOKEN.exec(document) ?? [];
    const parent = open.at(-1)!;
    if (text !== undefined) parent.children.push(unescaped(text));
    else if (name === "") throw new Error(`malformed at ${at}: ${document.slice(at, at + 40)}`);
    else if (closing === "/") {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes <${parent.name}>`);
    } else {
      const pairs = [...attributes.matchAll(ATTRIBUTE)].map(([, key = "", value = ""]) => [
        key,
        unescaped(value),
      ]);
      if (new Set(pairs.map(([key]) => key)).size < pairs.length) throw new Error(`attribute twice at ${at}`);
      const element: Xml = { name, attributes: Object.fromEntries(pairs), children: [] };
      parent.children.push(element);
      if (empty !== "/") open.push(element);
    }
  }
  const [top, ...more] = root.children;
  if (open.length !== 1 || typeof top !== "object" || more.length > 0)
    throw new Error("not one whole element");
  return top;
}

/** All elements of that name, in the order of the document. */
export function elements(xml: Xml, name: string): Xml[] {
  const below = xml.children.flatMap((child) => (typeof child === "string" ? [] : elements(child, name)));
  return xml.name === name ? [xml, ...below] : below;
}

/** What the `<text>` elements show. */
export function texts(xml: Xml): string[] {
  return elements(xml, "text").map((element) => textOf(element));
}

function textOf({ children }: Xml): string {
  return children.map((child) => (typeof child === "string" ? child : textOf(child))).join("");
}

function unescaped(text: string): string {
  return text.replace(/&([^;\s]*);?/g, (entity, name: string) => {
    const character = ENTITIES[name];
    if (character === undefined || !entity.endsWith(";")) throw new Error(`bad entity ${entity}`);
    return character;
  });
}
