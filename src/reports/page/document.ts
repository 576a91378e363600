/** Pages: each one file that asks for nothing from outside; and what several of them hold. */
import { createHash } from "node:crypto";
import type { Drawing } from "../chart/figure.ts";
import { withoutStyle } from "../chart/svg.ts";
import type { Table } from "../table.ts";
import { type Content, type Html, h, raw } from "./html.ts";
import { PAGE_STYLE } from "./style.ts";

/** What a page has beside its content. */
export interface PageParts {
  readonly title: string;
  /** Rules beside those that all pages have. */
  readonly style?: string;
  /** The only script that runs in it; none where it is absent. */
  readonly script?: string;
  /** Data for the script, each a script that does not run, on a line of its own. */
  readonly data?: readonly Html[];
}

/** The text of a page. */
export function htmlPage({ title, style = "", script, data = [] }: PageParts, main: Content): string {
  const hash = script === undefined ? undefined : createHash("sha256").update(script).digest("base64");
  const policy = [
    "default-src 'none'; style-src 'unsafe-inline'",
    ...(hash === undefined ? [] : [`script-src 'sha256-${hash}'`]),
    "base-uri 'none'; form-action 'none'",
  ].join("; ");
  const page = h(
    "html",
    { lang: "en" },
    h(
      "head",
      {},
      h("meta", { charset: "utf-8" }),
      h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
      h("meta", { name: "color-scheme", content: "light dark" }),
      h("meta", { "http-equiv": "Content-Security-Policy", content: policy }),
      h("title", {}, title),
      h("style", {}, raw(PAGE_STYLE + style)),
    ),
    h(
      "body",
      {},
      h("main", {}, main),
      data.map((one) => [raw("\n"), one, raw("\n")]),
      script === undefined ? [] : h("script", {}, raw(script)),
    ),
  );
  return `<!doctype html>\n${page.html}\n`;
}

/** What is wider than the window is scrolled, by the keyboard too. */
export function scrolled(label: string, content: Content): Html {
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, content);
}

/** A picture. */
export function figure({ svg }: Drawing): Html {
  return h("figure", { tabindex: 0, role: "group", "aria-label": "picture" }, raw(withoutStyle(svg)));
}

/** Lines as a list; nothing where there are none. */
export function list(lines: readonly string[]): Content {
  return lines.length === 0
    ? []
    : h(
        "ul",
        {},
        lines.map((line) => h("li", {}, line)),
      );
}

/** What is shown when it is asked for; nothing where there is nothing. */
export function fold(title: string, content: Content): Content {
  return isEmpty(content) ? [] : h("details", {}, h("summary", {}, title), content);
}

function isEmpty(content: Content): boolean {
  return Array.isArray(content) && content.every(isEmpty);
}

/** A table of a report. */
export function tableElement({ columns, rows }: Table): Html {
  const isText = (at: number): boolean => columns[at]?.align === "left";
  return h(
    "table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        columns.map(({ heading }, i) => h("th", { scope: "col", class: isText(i) && "l" }, heading)),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map((row) =>
        h(
          "tr",
          {},
          row.map((text, i) =>
            i === 0 ? h("th", { scope: "row" }, text) : h("td", { class: isText(i) && "l" }, text),
          ),
        ),
      ),
    ),
  );
}
