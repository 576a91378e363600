/** What a dataset's message costs on a wire. */
import {
  choiceName,
  choicesOf,
  compressionName,
  gateOf,
  type LinkChoice,
} from "../../../analysis/link/choices.ts";
import {
  type CompressionSpeed,
  compressionSpeeds,
  type LinkCosts,
  linkCosts,
} from "../../../analysis/link/costs.ts";
import {
  bandwidthLegs,
  type Crossover,
  type CrossoverOutcome,
  compressionCrossovers,
  crossovers,
  type Leg,
  paretoFront,
} from "../../../analysis/link/crossovers.ts";
import { DEFAULT_BANDWIDTHS } from "../../../model/bandwidth.ts";
import type { RunRecord } from "../../../model/records/run.ts";
import { formatShare } from "../../../model/share.ts";
import { oneLine } from "../../escape.ts";
import { left, markdownTable, right, type Table, tableOf, tableOfAny, textTable } from "../../table.ts";
import { formatBandwidth, formatBandwidths, formatBytes, formatNanos, formatRate } from "../../units.ts";
import type { DatasetView } from "../../view.ts";

/**
 * What a dataset's message costs on a wire, as the blocks of a section of Markdown with its heading. Empty where no
 * codec has a measured encode, a measured decode and a payload.
 */
export function linkSection(data: DatasetView): string[] {
  const { record, hasSeveralMachines } = data.run;
  const choices = choicesOf(record, data.name);
  if (choices.length === 0 || hasSeveralMachines) return [];
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

/** The tables of that section, each with its title. */
export function linkTables(data: DatasetView): (readonly [string, Table | undefined])[] {
  const { record, hasSeveralMachines } = data.run;
  const choices = choicesOf(record, data.name);
  if (choices.length === 0 || hasSeveralMachines) return [];
  const gate = gateOf(record);
  return [
    ["On links: * is the least time, ~ cannot be told from it", costTable(linksOf(data))],
    ["Ways that no other beats on both size and time", frontTable(choices, gate)],
    [
      "Without compression, bandwidth below which a row takes less time than a column",
      crossoverTable(choices, gate),
    ],
    ["Bandwidth below which compressing takes less time", compressionTable(choices, gate)],
    ["Compressors on this machine", compressionSpeedTable(record, data.name)],
  ];
}

/** The same in a few lines of text: the winner on each link and the Pareto front. Empty where there is nothing. */
export function linkSummary(data: DatasetView, columns?: number): string[] {
  const { record } = data.run;
  const links = linksOf(data);
  if (links.length === 0 || data.run.hasSeveralMachines) return [];
  const front = paretoFront(choicesOf(record, data.name), gateOf(record)).choices;
  const names = front.map(({ choice, certain }) => `${choiceName(choice)}${certain ? "" : " ~"}`);
  return [
    "",
    "on a wire: both ends and transfer, without latency and framing",
    textTable(winnerTable(links), columns),
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

/** The time of each codec's best choice on each link; `*` marks the least, `~` what cannot be told from it. */
export function costTable(links: readonly LinkCosts[]): Table {
  const codecs = [...new Set(links.flatMap(({ best }) => best.map(({ choice }) => choice.codec)))];
  return tableOf(codecs, [
    left("codec", (codec) => codec),
    ...links.map(({ bitsPerSecond, best, winner, level }) =>
      right<string>(formatBandwidth(bitsPerSecond), (codec) => {
        const cost = best.find(({ choice }) => choice.codec === codec);
        if (cost === undefined) return "–";
        const { compression } = cost.choice;
        const time =
          formatNanos(cost.nanos) + (compression === null ? "" : `, ${compressionName(compression)}`);
        if (cost === winner) return `* ${time}`;
        return level.includes(codec) ? `~ ${time}` : time;
      }),
    ),
  ]);
}

/**
 * The choices that no other beats on both size and time, in order of size, with the links on which each takes the least
 * time of all; `~` marks those that noise could take off it.
 */
export function frontTable(choices: readonly LinkChoice[], gate: number): Table {
  const legs = bandwidthLegs(choices);
  return tableOf(paretoFront(choices, gate).choices, [
    left("smallest to fastest", ({ choice, certain }) => `${choiceName(choice)}${certain ? "" : " ~"}`),
    right("bytes", ({ choice }) => formatBytes(choice.bytes)),
    right("both ends", ({ choice }) => formatNanos(choice.nanos)),
    left("least time", ({ choice }) => legText(legs.find((leg) => leg.choice === choice))),
  ]);
}

/**
 * For each pair of codecs, uncompressed, up to which bandwidth the smaller one, which has the row, takes less time
 * than the larger one, which has the column. Undefined for fewer than two codecs.
 */
export function crossoverTable(choices: readonly LinkChoice[], gate: number): Table | undefined {
  const pairs = crossovers(
    choices.filter(({ compression }) => compression === null),
    gate,
  );
  const codecs = [...new Set(pairs.flatMap(({ lighter, heavier }) => [lighter.codec, heavier.codec]))];
  if (codecs.length < 2) return undefined;
  return tableOf(codecs.slice(0, -1), [
    left("codec", (codec) => codec),
    ...codecs.slice(1).map((other) =>
      right<string>(other, (codec) => {
        const pair = pairs.find(({ lighter, heavier }) => lighter.codec === codec && heavier.codec === other);
        return pair === undefined ? "" : crossoverText(pair.outcome);
      }),
    ),
  ]);
}

/** Below which bandwidth compressing each codec's message pays. Undefined where nothing was compressed. */
export function compressionTable(choices: readonly LinkChoice[], gate: number): Table | undefined {
  const pairs = compressionCrossovers(choices, gate).flatMap((pair) => {
    const { codec, compression } = pair.lighter.compression === null ? pair.heavier : pair.lighter;
    return compression === null ? [] : [{ pair, codec, name: compressionName(compression) }];
  });
  const names = [...new Set(pairs.map(({ name }) => name))];
  return tableOfAny(
    [...new Set(pairs.map(({ codec }) => codec))],
    [
      left("codec", (codec) => codec),
      ...names.map((name) =>
        right<string>(name, (codec) => {
          const found = pairs.find((one) => one.codec === codec && one.name === name);
          return found === undefined ? "–" : payText(found.pair);
        }),
      ),
    ],
  );
}

/** How fast each compressor was, and how much it left over, with all codecs' messages. Undefined where there is none. */
export function compressionSpeedTable(record: RunRecord, dataset: string): Table | undefined {
  return tableOfAny<CompressionSpeed>(compressionSpeeds(record, dataset), [
    left("compressor", compressionName),
    right("left over", ({ bytes, compressedBytes }) =>
      bytes === 0 ? "–" : formatShare(compressedBytes / bytes, 0),
    ),
    right("compress MB/s", ({ bytes, compressNanos }) => formatRate(bytes, compressNanos)),
    right("inflate MB/s", ({ bytes, decompressNanos }) => formatRate(bytes, decompressNanos)),
  ]);
}

function crossoverText(outcome: CrossoverOutcome): string {
  switch (outcome.kind) {
    case "always":
      return outcome.certain ? "always" : "always ~";
    case "crossover":
      return outcome.ci95 === null
        ? `${formatBandwidth(outcome.bandwidth)} ~`
        : formatBandwidths(outcome.ci95);
    case "undecided":
      return outcome.below === 0 ? "cannot be told" : `≥ ${formatBandwidth(outcome.below)}`;
  }
}

/** Where the plain message is the lighter one, compressing it makes it larger. */
function payText({ lighter, outcome }: Crossover): string {
  if (lighter.compression === null) return "never";
  return crossoverText(outcome);
}

function legText(leg: Leg | undefined): string {
  if (leg === undefined) return "";
  const { from, to } = leg;
  if (to === Number.POSITIVE_INFINITY) return from === 0 ? "always" : `above ${formatBandwidth(from)}`;
  return from === 0 ? `below ${formatBandwidth(to)}` : `${formatBandwidth(from)} to ${formatBandwidth(to)}`;
}
