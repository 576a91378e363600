/** A message as one page: its bytes, and what they are. To point at one shows the other. */

import type { Region, RegionRole } from "../../model/region.ts";
import type { Inspected } from "../../model/region-table.ts";
import { htmlPage, scrolled, tableElement } from "../page/document.ts";
import { type Html, h, raw } from "../page/html.ts";
import { counted, formatBytes } from "../units.ts";
import { type DumpRow, damageWord, dumpRows } from "./rows.ts";
import { totalTables } from "./totals.ts";
import { hexText, offsetText, regionText } from "./values.ts";

/** Bytes of a region that the page shows. */
const MOST_BYTES = 256;
const MOST_VALUE = 120;

/** Colours of the palette by role; payload has the page's ink. */
const COLOURS: Partial<Record<RegionRole, string>> = {
  key: "--blue",
  tag: "--orange",
  length: "--purple",
  offset: "--sky",
  vtable: "--sky",
  presence: "--orange",
  header: "--green",
  terminator: "--faint-ink",
  checksum: "--green",
  padding: "--faint-ink",
  unknown: "--vermilion",
};

const STYLE = `.panes{display:grid;grid-template-columns:minmax(18em,2fr) 3fr;gap:1em;align-items:start}
.pane{max-height:80vh;overflow:auto;border:1px solid var(--grid);border-radius:6px;padding:.5em;font:13px/1.6 ui-monospace,Consolas,monospace}
.bytes span{cursor:default;border-radius:2px}.bytes span+span::before{content:" "}
.tree div{white-space:pre;padding:0 .3em}.tree h3{margin:.6em 0 .1em;font:600 1em ui-monospace,monospace}
.on{background:color-mix(in srgb,var(--blue) 25%,var(--paper));outline:1px solid var(--blue)}
.bad{text-decoration:underline wavy var(--vermilion)}
${Object.entries(COLOURS)
  .map(([role, colour]) => `.${role}{color:var(${colour})}`)
  .join("\n")}
@media (max-width:640px){.panes{grid-template-columns:1fr}}`;

/** Marks a region in both panes while the pointer or the focus is on it in one. */
const SCRIPT = `
const mark = (event) => {
  const from = event.target.closest?.("[data-region]");
  for (const one of document.querySelectorAll(".on")) one.classList.remove("on");
  if (!from) return;
  for (const one of document.querySelectorAll('[data-region="' + from.dataset.region + '"]')) {
    one.classList.add("on");
    if (one.parentElement.parentElement !== from.parentElement.parentElement || one.closest(".pane") !== from.closest(".pane"))
      one.scrollIntoView({ block: "nearest" });
  }
};
document.addEventListener("mouseover", mark);
document.addEventListener("focusin", mark);
`;

/** @param all shows every element of every list */
export function inspectedHtml(message: Inspected, all = false): string {
  const { codec, dataset, bytes, damage } = message;
  const rows = dumpRows(message, all);
  const title = `${dataset} in ${codec}: ${counted(bytes.length, "byte")}`;
  return htmlPage({ title, style: STYLE, script: SCRIPT }, [
    h("h1", {}, title),
    damage === undefined ? [] : h("p", { class: "warning" }, `${damageWord(damage)}: ${damage.reason}`),
    h(
      "div",
      { class: "panes" },
      pane(
        "bytes",
        "bytes",
        rows.map((row, i) => bytesOf(row, i, bytes)),
      ),
      pane(
        "tree",
        "what they are",
        rows.map((row, i) => lineOf(row, i)),
      ),
    ),
    defaultsOf(message),
    totalTables(message).map((table) => scrolled("where the bytes go", tableElement(table))),
  ]);
}

function pane(name: string, label: string, content: readonly Html[]): Html {
  return h("div", { class: `pane ${name}`, tabindex: 0, role: "region", "aria-label": label }, content);
}

function bytesOf(row: DumpRow, index: number, bytes: Uint8Array): Html {
  if (row.kind === "section") return raw("");
  if (row.kind === "elided") return h("span", { class: "faint" }, ` … ${counted(row.bytes, "byte")} `);
  const { offset, length } = row.region;
  return h("span", linked(row.region, index), hexText(bytes.subarray(offset, offset + length), MOST_BYTES));
}

function lineOf(row: DumpRow, index: number): Html {
  if (row.kind === "section") return h("h3", {}, row.path || "(message)");
  if (row.kind === "elided")
    return h(
      "div",
      { class: "faint" },
      `… ${formatBytes(row.count)} more of ${row.field}, ${counted(row.bytes, "byte")}`,
    );
  const { region } = row;
  const { offset, type, place, role, leaf, problem } = region;
  const what = leaf === true && role === "payload" ? place.path : `${place.path} (${role})`.trim();
  const text = [offsetText(offset), type, regionText(region, MOST_VALUE), what]
    .filter((part) => part !== "")
    .join("  ");
  return h(
    "div",
    { ...linked(region, index), tabindex: 0 },
    text,
    problem === undefined ? [] : h("strong", {}, `  ${problem}`),
  );
}

function linked({ role, problem }: Region, index: number): Record<string, string | number> {
  return { class: problem === undefined ? role : `${role} bad`, "data-region": index };
}

function defaultsOf({ defaults }: Inspected): Html[] {
  if (defaults.length === 0) return [];
  const fields = [...new Set(defaults.map(({ place }) => place.schemaPath))].map((path) => path.text);
  return [h("p", {}, `Not written, as they are the default: ${fields.join(", ")}`)];
}
