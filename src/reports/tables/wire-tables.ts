import { compressionSpeeds, type WireCosts } from "../../analysis/link/costs.ts";
import {
  type Comparison,
  compressionCrossovers,
  crossovers,
  type Outcome,
} from "../../analysis/link/crossovers.ts";
import { bandwidthLegs, type Leg, paretoFront } from "../../analysis/link/front.ts";
import type { Way } from "../../analysis/link/ways.ts";
import type { RunRecord } from "../../model/records/run.ts";
import type { Table } from "../table.ts";
import { formatBandwidth, formatBandwidths, formatBytes, formatNanos, formatRate } from "../units.ts";
import { compressionName, wayName } from "./wire-names.ts";

/** The time of each codec's best way on each link; `*` marks the least, `~` what cannot be told from it. */
export function costTable(links: readonly WireCosts[]): Table {
  const codecs = [...new Set(links.flatMap(({ best }) => best.map(({ way }) => way.codec)))];
  return {
    columns: [left("codec"), ...links.map(({ bitsPerSecond }) => right(formatBandwidth(bitsPerSecond)))],
    rows: codecs.map((codec) => [
      codec,
      ...links.map(({ best, winner, level }) => {
        const cost = best.find(({ way }) => way.codec === codec);
        if (cost === undefined) return "–";
        const { compression } = cost.way;
        const time =
          formatNanos(cost.nanos) + (compression === null ? "" : `, ${compressionName(compression)}`);
        if (cost === winner) return `* ${time}`;
        return level.includes(codec) ? `~ ${time}` : time;
      }),
    ]),
  };
}

/**
 * The ways that no other beats on both size and time, in order of size, with the links on which each takes the least
 * time of all; `~` marks those that noise could take off it.
 */
export function frontTable(ways: readonly Way[], gate: number): Table {
  const legs = bandwidthLegs(ways);
  return {
    columns: [left("smallest to fastest"), right("bytes"), right("both ends"), left("least time")],
    rows: paretoFront(ways, gate).ways.map(({ way, certain }) => [
      certain ? wayName(way) : `${wayName(way)} ~`,
      formatBytes(way.bytes),
      formatNanos(way.nanos),
      legText(legs.find((leg) => leg.way === way)),
    ]),
  };
}

/**
 * For each pair of codecs, uncompressed, up to which bandwidth the smaller one, which has the row, takes less time
 * than the larger one, which has the column. Undefined for fewer than two codecs.
 */
export function crossoverTable(ways: readonly Way[], gate: number): Table | undefined {
  const pairs = crossovers(
    ways.filter(({ compression }) => compression === null),
    gate,
  );
  const codecs = [...new Set(pairs.flatMap(({ lighter, heavier }) => [lighter.codec, heavier.codec]))];
  if (codecs.length < 2) return undefined;
  return {
    columns: [left("codec"), ...codecs.slice(1).map(right)],
    rows: codecs.slice(0, -1).map((row) => [
      row,
      ...codecs.slice(1).map((column) => {
        const pair = pairs.find(({ lighter, heavier }) => lighter.codec === row && heavier.codec === column);
        return pair === undefined ? "" : crossoverText(pair.outcome);
      }),
    ]),
  };
}

/** Below which bandwidth compressing each codec's message pays. Undefined where nothing was compressed. */
export function compressionTable(ways: readonly Way[], gate: number): Table | undefined {
  const pairs = compressionCrossovers(ways, gate).flatMap((pair) => {
    const { codec, compression } = pair.lighter.compression === null ? pair.heavier : pair.lighter;
    return compression === null ? [] : [{ pair, codec, name: compressionName(compression) }];
  });
  const names = [...new Set(pairs.map(({ name }) => name))];
  if (names.length === 0) return undefined;
  return {
    columns: [left("codec"), ...names.map(right)],
    rows: [...new Set(pairs.map(({ codec }) => codec))].map((codec) => [
      codec,
      ...names.map((name) => {
        const found = pairs.find((one) => one.codec === codec && one.name === name);
        return found === undefined ? "–" : payText(found.pair);
      }),
    ]),
  };
}

/** How fast each compressor was, and how much it left over, with all codecs' messages. Undefined where there is none. */
export function compressionSpeedTable(record: RunRecord, dataset: string): Table | undefined {
  const speeds = compressionSpeeds(record, dataset);
  if (speeds.length === 0) return undefined;
  return {
    columns: [left("compressor"), right("left over"), right("compress MB/s"), right("inflate MB/s")],
    rows: speeds.map(({ bytes, compressedBytes, compressNanos, decompressNanos, ...compression }) => [
      compressionName(compression),
      bytes === 0 ? "–" : `${Math.round((compressedBytes / bytes) * 100)} %`,
      formatRate(bytes, compressNanos),
      formatRate(bytes, decompressNanos),
    ]),
  };
}

function crossoverText(outcome: Outcome): string {
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

/** Where the message as it is is the lighter one, compressing it makes it larger. */
function payText({ lighter, outcome }: Comparison): string {
  if (lighter.compression === null) return "never";
  return crossoverText(outcome);
}

function legText(leg: Leg | undefined): string {
  if (leg === undefined) return "";
  const { from, to } = leg;
  if (to === Number.POSITIVE_INFINITY) return from === 0 ? "always" : `above ${formatBandwidth(from)}`;
  return from === 0 ? `below ${formatBandwidth(to)}` : `${formatBandwidth(from)} to ${formatBandwidth(to)}`;
}

function left(heading: string): Table["columns"][number] {
  return { heading, align: "left" };
}

function right(heading: string): Table["columns"][number] {
  return { heading, align: "right" };
}
