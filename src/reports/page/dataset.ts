/** A dataset of a run in a page: its table, its pictures, its link and what is missing. */
import { choicesOf } from "../../analysis/link/choices.ts";
import { DEFAULT_BANDWIDTH } from "../../analysis/link/costs.ts";
import { TRAITS, type Trait } from "../../model/traits.ts";
import type { RunPicture } from "../picture.ts";
import { countersTable } from "../sections/counters.ts";
import { fileLines, memoryFindings, memoryTable, sizeTable } from "../sections/run/bytes.ts";
import { clockNotes, clocksTable } from "../sections/run/clocks.ts";
import { linkTables } from "../sections/run/link.ts";
import { machinesKey, machinesTable } from "../sections/run/machines.ts";
import { partsTable, sharedRefusals, sharedTable, startTable } from "../sections/run/timing.ts";
import { usesLines, usesTable } from "../sections/run/uses.ts";
import type { Table } from "../table.ts";
import { formatBandwidth } from "../units.ts";
import type { DatasetView } from "../view.ts";
import { type ColumnGroup, columnGroups, type PageColumn } from "./columns.ts";
import { fold, list, scrolled, tableElement } from "./document.ts";
import { type Content, type Html, h } from "./html.ts";
import { usesBars } from "./uses.ts";

/**
 * @param number of the dataset in the record
 * @param tables whether the further tables are there
 */
export function datasetSection(
  data: DatasetView,
  number: number,
  drawn: (dataset: string, section: RunPicture["section"]) => readonly Html[],
  tables: boolean,
): Html {
  const { about, name } = data;
  const notes = [
    ...fileLines(about),
    ...data.withoutBaseline(),
    ...data.otherProcesses(),
    ...clockNotes(data),
    ...machinesKey(data.run.record),
  ];
  const holes = [...data.refusals(), ...sharedRefusals(data), ...memoryFindings(data)];
  return h(
    "section",
    { "data-dataset": number, "aria-labelledby": `dataset${number}` },
    h("h2", { id: `dataset${number}` }, name),
    h("p", {}, about.story),
    choosers(data, number),
    codecTable(data, columnGroups(data)),
    h(
      "p",
      { class: "tools" },
      h("button", { type: "button", "data-copy": "markdown" }, "Copy as Markdown"),
      h("button", { type: "button", "data-copy": "csv" }, "Copy as CSV"),
      h("span", { "data-status": true, role: "status" }),
    ),
    list(notes),
    holes.length === 0 ? [] : [h("h3", {}, "Holes and findings"), list(holes)],
    linkChooser(data, number),
    titled("Time", drawn(name, "time")),
    titled("Size against time", drawn(name, "size")),
    titled("Where the bytes go", usesBars(data)),
    list(usesLines(data)),
    tables ? moreTables(data) : [],
  );
}

function choosers(data: DatasetView, number: number): Html[] {
  const traits = (Object.keys(TRAITS) as Trait[]).filter((trait) => {
    const having = data.codecs.filter((codec) => traitsOf(data, codec).includes(trait)).length;
    return having > 0 && having < data.codecs.length;
  });
  return [
    h(
      "fieldset",
      {},
      h("legend", {}, "Codecs that are"),
      h(
        "div",
        { class: "chips" },
        ["node", ...traits].map((trait) =>
          h(
            "label",
            { title: trait === "node" ? "of no other language's world" : TRAITS[trait as Trait] },
            h("input", { type: "checkbox", "data-trait": trait }),
            ` ${trait === "node" ? "of Node's world" : trait}`,
          ),
        ),
        h("input", {
          type: "search",
          placeholder: "name",
          "aria-label": `codecs of table ${number + 1} by name`,
        }),
        h("span", { "data-count": true, class: "faint", role: "status" }),
      ),
    ),
  ];
}

function traitsOf(data: DatasetView, codec: string): string[] {
  const { traits = [], world } = data.cells.find((cell) => cell.codec === codec) ?? {};
  return [...traits, ...(world === undefined ? ["node"] : [])];
}

/** A heading for each group, and below it one for each column, which sorts. */
function codecTable(data: DatasetView, groups: readonly ColumnGroup[]): Html {
  const columns = groups.flatMap((group) => group.columns.map((column, i) => ({ group, column, i })));
  const heading = (
    words: string,
    at: number,
    isText: boolean,
    title?: string,
    name?: string,
    more?: string,
    starts?: boolean,
  ): Html =>
    h(
      "th",
      {
        scope: "col",
        class: [isText ? "l" : "", starts ? "s" : ""].join(" ").trim() || undefined,
        "data-column": at,
        "data-name": name,
        "data-more": more,
        title,
      },
      h("button", { type: "button" }, words),
    );
  return scrolled(
    `${data.name}: all codecs`,
    h(
      "table",
      { class: "codecs" },
      h("caption", { hidden: true }, `${data.name}: a row per codec`),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td", {}),
          groups.map(({ name, isFolded, columns: own }) =>
            h(
              "th",
              {
                scope: "colgroup",
                colspan: own.length,
                class: "group s",
                "data-group": name,
                "data-columns": own.length,
                "data-folded": isFolded,
              },
              own.length > 1 ? h("button", { type: "button", "aria-expanded": "true" }, name) : name,
            ),
          ),
        ),
        h(
          "tr",
          {},
          heading("codec", 0, true),
          columns.map(({ group, column, i }, at) =>
            heading(
              column.heading,
              at + 1,
              column.isText === true,
              column.title,
              group.name === column.heading ? group.name : `${group.name} ${column.heading}`,
              i === 0 ? undefined : group.name,
              i === 0,
            ),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        data.codecs.map((codec) =>
          h(
            "tr",
            { "data-codec": codec, "data-traits": traitsOf(data, codec).join(" ") },
            h("th", { scope: "row" }, codec),
            columns.map(({ group, column, i }) => cell(column, codec, i === 0 ? undefined : group.name)),
          ),
        ),
      ),
    ),
  );
}

function cell(column: PageColumn, codec: string, more: string | undefined): Html {
  const said = column.of(codec);
  const value = said?.value;
  return h(
    "td",
    {
      class:
        [column.isText ? "facts l" : "", more === undefined ? "s" : "", said?.verdict ?? ""]
          .filter(Boolean)
          .join(" ") || undefined,
      "data-value": value !== undefined && Number.isFinite(value) ? Number(value.toPrecision(8)) : undefined,
      "data-link": column.isLink,
      "data-more": more,
    },
    said?.text ?? "",
  );
}

/** The link as a slider: without a script it stands for the usual one. */
function linkChooser(data: DatasetView, number: number): Html[] {
  const { record, hasSeveralMachines } = data.run;
  if (hasSeveralMachines || choicesOf(record, data.name).length === 0) return [];
  const usual = Math.log10(DEFAULT_BANDWIDTH);
  return [
    h("h3", {}, "On a link"),
    h(
      "p",
      {},
      "Encode, compress, transfer, inflate and decode one message, one after the other, without latency and framing. Each codec is as it is or with the compressor that takes the least time there. ~ cannot be told from the least.",
    ),
    h(
      "p",
      {},
      h("label", { for: `link${number}` }, "Link: "),
      h("strong", { "data-bandwidth": true }, formatBandwidth(DEFAULT_BANDWIDTH)),
      h("input", {
        type: "range",
        id: `link${number}`,
        min: LINKS.least,
        max: LINKS.most,
        step: 0.05,
        value: usual,
      }),
    ),
    h("p", {}, "Least time: ", h("strong", { "data-winner": true, role: "status" })),
    h("ul", { class: "bars" }),
  ];
}

/** Logarithms of the bandwidths of a slider: 10 kbit/s and 100 Gbit/s. */
const LINKS = { least: 4, most: 11 };

function moreTables(data: DatasetView): Content {
  const tables: readonly (readonly [string, Table | undefined])[] = [
    ...data.run.operations.map((one) => [`${one} on each machine`, machinesTable(data, one)] as const),
    ["On a core, by the clock, and on all threads", clocksTable(data)],
    ["Parts of encode and decode", partsTable(data)],
    ["In a process with all codecs and shapes", sharedTable(data)],
    ["Instructions, per call", countersTable(data)],
    ["Size", sizeTable(data)],
    ["Where the bytes go", usesTable(data)],
    ["Memory, per call", memoryTable(data)],
    ["Cold start", startTable(data)],
    ...linkTables(data),
  ];
  const shown = tables.flatMap(([title, table]) =>
    table === undefined || table.rows.length === 0
      ? []
      : [h("h3", {}, title), scrolled(`${data.name}: ${title}`, tableElement(table))],
  );
  return fold("More tables", shown);
}

function titled(title: string, content: readonly Html[]): Html[] {
  return content.length === 0 ? [] : [h("h3", {}, title), ...content];
}
