import type { Compression, LinkChoice } from "../../../analysis/link/choices.ts";
import { type CompressionSpeed, compressionSpeeds, type LinkCosts } from "../../../analysis/link/costs.ts";
import {
  bandwidthLegs,
  type Crossover,
  type CrossoverOutcome,
  compressionCrossovers,
  crossovers,
  type Leg,
  paretoFront,
} from "../../../analysis/link/crossovers.ts";
import type { RunRecord } from "../../../model/records/run.ts";
import { formatShare } from "../../../model/share.ts";
import { left, right, type Table, tableOf, tableOfAny } from "../../table.ts";
import { formatBandwidth, formatBandwidths, formatBytes, formatNanos, formatRate } from "../../units.ts";

/** `json`, `json + gzip 6`. */
export function choiceName({ codec, compression }: LinkChoice): string {
  return compression === null ? codec : `${codec} + ${compressionName(compression)}`;
}

/** `brotli 11`: the level is the algorithm's own. */
function compressionName({ algorithm, level }: Compression): string {
  return `${algorithm} ${level}`;
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
