import { choicesOf, gateOf, type LinkChoice } from "../../../analysis/link/choices.ts";
import { type LinkCosts, linkCosts } from "../../../analysis/link/costs.ts";
import { paretoFront } from "../../../analysis/link/crossovers.ts";
import { DEFAULT_BANDWIDTHS } from "../../../model/bandwidth.ts";
import { oneLine } from "../../escape.ts";
import { left, markdownTable, right, type Table, tableOf, textTable } from "../../table.ts";
import { formatBandwidth, formatBytes, formatNanos } from "../../units.ts";
import type { DatasetView } from "../../view.ts";
import {
  choiceName,
  compressionSpeedTable,
  compressionTable,
  costTable,
  crossoverTable,
  frontTable,
} from "./link-tables.ts";

/**
 * What a dataset's message costs on a wire, as the blocks of a section of Markdown with its heading. Empty where no
 * codec has a measured encode, a measured decode and a payload.
 */
export function linkSection(data: DatasetView): string[] {
  const { record } = data.run;
  const choices = choicesOf(record, data.name);
  if (choices.length === 0) return [];
  const gate = gateOf(record);
  return [
    "### On a wire",
    `Encode, compress, transfer, inflate and decode one message, one after the other; latency and framing are left out.
Each codec is as it is or with the compression that takes the least time on that link. \`*\` is the least of all; what
has \`~\` cannot be told from it.${scaledText(data, choices)}`,
    markdownTable(costTable(linksOf(data))),
    `Ways that no other beats on both size and time. Noise could take those with \`~\` off the
list${nearText(choices, gate)}.`,
    markdownTable(frontTable(choices, gate)),
    ...explained(
      `Without compression, the codec of a row takes less time than that of a column below this bandwidth, and more time
above it (95 % interval). \`≥\`: it does up to there at least, and above it cannot be told. \`~\`: noise could change
it.`,
      crossoverTable(choices, gate),
    ),
    ...explained(
      "Compressing a codec's message takes less time than sending it as it is below this bandwidth:",
      compressionTable(choices, gate),
    ),
    ...explained(
      "The compressors on this machine, over the messages of all codecs, each in a single process:",
      compressionSpeedTable(record, data.name),
    ),
  ];
}

/** The same in a few lines of text: the winner on each link and the Pareto front. Empty where there is nothing. */
export function linkSummary(data: DatasetView): string[] {
  const { record } = data.run;
  const links = linksOf(data);
  if (links.length === 0) return [];
  const front = paretoFront(choicesOf(record, data.name), gateOf(record)).choices;
  const names = front.map(({ choice, certain }) => `${choiceName(choice)}${certain ? "" : " ~"}`);
  return [
    "",
    "on a wire: both ends and transfer, without latency and framing",
    textTable(winnerTable(links)),
    oneLine(`smallest to fastest: ${names.join(", ")}`),
  ];
}

function scaledText({ payloads }: DatasetView, choices: readonly LinkChoice[]): string {
  const differs = payloads.some((payload) =>
    choices.some(
      (choice) =>
        choice.codec === payload.codec && choice.compression === null && choice.bytes !== payload.bytes,
    ),
  );
  return differs
    ? "\nThe values' sizes differ: these are of the mean size, with the first value's compression scaled to it."
    : "";
}

function nearText(choices: readonly LinkChoice[], gate: number): string {
  const names = paretoFront(choices, gate).near.map(choiceName);
  if (names.length === 0) return "";
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return oneLine(`, and put on it: ${names.slice(0, MOST_NAMES).join(", ")}${more}`);
}

/** More would be a wall of names. */
const MOST_NAMES = 4;

function winnerTable(links: readonly LinkCosts[]): Table {
  return tableOf(links, [
    right("link", ({ bitsPerSecond }) => formatBandwidth(bitsPerSecond)),
    left("least time", ({ winner }) => choiceName(winner.choice)),
    right("bytes", ({ winner }) => formatBytes(winner.choice.bytes)),
    right("time", ({ winner }) => formatNanos(winner.nanos)),
    left("cannot be told from it", ({ level }) => level.join(", ")),
  ]);
}

function linksOf({ run, name }: DatasetView): LinkCosts[] {
  const { bandwidths = [] } = run.record.options;
  return linkCosts(run.record, name, bandwidths.length === 0 ? DEFAULT_BANDWIDTHS : bandwidths);
}

function explained(text: string, table: Table | undefined): string[] {
  return table === undefined ? [] : [text, markdownTable(table)];
}
