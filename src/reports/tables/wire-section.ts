import { type WireCosts, wireCosts } from "../../analysis/link/costs.ts";
import { paretoFront } from "../../analysis/link/front.ts";
import { gateOf, type Way, waysOf } from "../../analysis/link/ways.ts";
import { DEFAULT_BANDWIDTHS } from "../../model/bandwidth.ts";
import type { RunRecord } from "../../model/records/run.ts";
import { oneLine } from "../escape.ts";
import { markdownTable, type Table, textTable } from "../table.ts";
import { formatBandwidth, formatBytes, formatNanos } from "../units.ts";
import { wayName } from "./wire-names.ts";
import {
  compressionSpeedTable,
  compressionTable,
  costTable,
  crossoverTable,
  frontTable,
} from "./wire-tables.ts";

/**
 * What a dataset's message costs on a wire, as the blocks of a section of Markdown with its heading. Empty where no
 * codec has a measured encode, a measured decode and a payload.
 */
export function wireSection(record: RunRecord, dataset: string): string[] {
  const ways = waysOf(record, dataset);
  if (ways.length === 0) return [];
  const gate = gateOf(record);
  return [
    "### On a wire",
    `Encode, compress, transfer, inflate and decode one message, one after the other; latency and framing are left out.
Each codec is as it is or with the compression that takes the least time on that link. \`*\` is the least of all; what
has \`~\` cannot be told from it.${scaledText(record, dataset, ways)}`,
    markdownTable(costTable(linksOf(record, dataset))),
    `Ways that no other beats on both size and time. Noise could take those with \`~\` off the
list${nearText(ways, gate)}.`,
    markdownTable(frontTable(ways, gate)),
    ...explained(
      `Without compression, the codec of a row takes less time than that of a column below this bandwidth, and more time
above it (95 % interval). \`≥\`: it does up to there at least, and above it cannot be told. \`~\`: noise could change
it.`,
      crossoverTable(ways, gate),
    ),
    ...explained(
      "Compressing a codec's message takes less time than sending it as it is below this bandwidth:",
      compressionTable(ways, gate),
    ),
    ...explained(
      "The compressors on this machine, over the messages of all codecs, each in a single process:",
      compressionSpeedTable(record, dataset),
    ),
  ];
}

/** The same in a few lines of text: the winner on each link and the Pareto front. Empty where there is nothing. */
export function wireSummary(record: RunRecord, dataset: string): string[] {
  const links = linksOf(record, dataset);
  if (links.length === 0) return [];
  const front = paretoFront(waysOf(record, dataset), gateOf(record)).ways;
  const names = front.map(({ way, certain }) => `${wayName(way)}${certain ? "" : " ~"}`);
  return [
    "",
    "on a wire: both ends and transfer, without latency and framing",
    textTable(winnerTable(links)),
    oneLine(`smallest to fastest: ${names.join(", ")}`),
  ];
}

function scaledText({ payloads }: RunRecord, dataset: string, ways: readonly Way[]): string {
  const differs = payloads.some(
    (payload) =>
      payload.dataset === dataset &&
      ways.some(
        (way) => way.codec === payload.codec && way.compression === null && way.bytes !== payload.bytes,
      ),
  );
  return differs
    ? "\nThe values' sizes differ: these are of the mean size, with the first value's compression scaled to it."
    : "";
}

function nearText(ways: readonly Way[], gate: number): string {
  const names = paretoFront(ways, gate).near.map(wayName);
  if (names.length === 0) return "";
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return oneLine(`, and put on it: ${names.slice(0, MOST_NAMES).join(", ")}${more}`);
}

/** More would be a wall of names. */
const MOST_NAMES = 4;

function winnerTable(links: readonly WireCosts[]): Table {
  return {
    columns: [
      { heading: "link", align: "right" },
      { heading: "least time", align: "left" },
      { heading: "bytes", align: "right" },
      { heading: "time", align: "right" },
      { heading: "cannot be told from it", align: "left" },
    ],
    rows: links.map(({ bitsPerSecond, winner, level }) => [
      formatBandwidth(bitsPerSecond),
      wayName(winner.way),
      formatBytes(winner.way.bytes),
      formatNanos(winner.nanos),
      level.join(", "),
    ]),
  };
}

function linksOf(record: RunRecord, dataset: string): WireCosts[] {
  const { bandwidths = [] } = record.options;
  return wireCosts(record, dataset, bandwidths.length === 0 ? DEFAULT_BANDWIDTHS : bandwidths);
}

function explained(text: string, table: Table | undefined): string[] {
  return table === undefined ? [] : [text, markdownTable(table)];
}
