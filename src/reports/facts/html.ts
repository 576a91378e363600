import type { FactCell, FactsRecord, FactTable } from "../../model/records/facts.ts";
import { defineReport } from "../../model/report.ts";
import { htmlPage, list, scrolled, tableElement } from "../page/document.ts";
import { type Html, h } from "../page/html.ts";
import { incompleteLines } from "../provenance.ts";
import { FACT_TITLES, factText, outcomeLine, refusedLines, versionsLine } from "../sections/facts.ts";
import { librariesTable, libraryNotes } from "../sections/libraries.ts";

export default defineReport({
  of: "facts",
  summary: "the tables as a page: a cell says its case where the pointer rests",
  render: renderFactsHtml,
});

/** Tables of facts as a page of its own. Like that of history it runs no script. */
export function renderFactsHtml(record: FactsRecord): string {
  return htmlPage({ title: "wirebench facts", style: STYLE }, [
    h("h1", {}, "wirebench facts"),
    list([...incompleteLines(record), versionsLine(record), record.command]),
    record.tables.map((facts) => [
      h("h2", {}, `${facts.table} of ${facts.dataset}: ${FACT_TITLES[facts.table]}`),
      scrolled(facts.table, factsTable(facts)),
      list(refusedLines(facts)),
    ]),
    record.libraryTables.map((facts) => [
      h("h2", {}, `libraries on ${facts.dataset}`),
      scrolled("libraries", tableElement(librariesTable(facts))),
      list(libraryNotes(facts)),
    ]),
  ]);
}

/** The worse an outcome, the more it stands out; the text says it too. */
const STYLE = [
  ".other,.lost,.stumbles,.slow,.memory,.died,.hung{font-weight:600}",
  ".died,.hung,.memory,.slow{text-decoration:underline}",
  ".same{opacity:.6}th,td{text-align:left}",
].join("");

function factsTable({ table, codecs, rows }: FactTable): Html {
  const heading = (codec: string): Html => h("th", { scope: "col" }, codec);
  const cellElement = (cell: FactCell | undefined): Html =>
    h(
      "td",
      cell === undefined ? {} : { class: classOf(cell), title: outcomeLine(cell) },
      factText(table, cell),
    );
  return h(
    "table",
    {},
    h("thead", {}, h("tr", {}, ["", ...codecs].map(heading))),
    h(
      "tbody",
      {},
      rows.map(({ name, given, path, cells }) =>
        h(
          "tr",
          {},
          h("th", { scope: "row", title: `${path}: ${given}` }, name),
          codecs.map((codec) => cellElement(cells[codec])),
        ),
      ),
    ),
  );
}

function classOf({ outcome, stumbles }: FactCell): string {
  return stumbles === true ? "stumbles" : outcome;
}
