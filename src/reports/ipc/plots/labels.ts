/** What all plots between processes say alike: what was measured, the axis of latencies, and numbers in words. */
import type { AxisParts } from "../../chart/figure.ts";
import { plainLabel, type Scale, valueScale } from "../../chart/scale.ts";
import { drawable } from "../../chart/svg.ts";
import { formatCount } from "../../units.ts";
import { nearestRank } from "./decimate.ts";

/** What was measured. */
export interface Subject {
  readonly test: string;
  readonly dataset: string;
  readonly transport: string;
}

/** It in one line, with as much of each name as fits. */
export function subjectLine({ test, dataset, transport }: Subject): string {
  return `test ${drawable(test, 44)} · dataset ${drawable(dataset, 24)} · transport ${drawable(transport, 32)}`;
}

/** A scale for latencies of all these series, from the bottom up: see {@link valueScale}. The lowest median is the usual one. */
export function latencyScale(series: readonly ArrayLike<number>[], height: number): Scale {
  const sorted = series.filter(({ length }) => length > 0).map((ms) => Float64Array.from(ms).sort());
  const least = (of: (ms: Float64Array) => number): number => Math.min(...sorted.map(of));
  const all = {
    lowest: least((ms) => ms[0]!),
    usual: least((ms) => nearestRank(ms, 0.5)),
    highest: Math.max(...sorted.map((ms) => ms.at(-1)!)),
  };
  return valueScale(all, [height, 0]);
}

/** The axis of such a scale, without a title of its own. */
export function latencyTicks(scale: Scale, height: number): AxisParts {
  return { scale, ticks: scale.ticks(Math.max(3, Math.floor(height / 40))), label: plainLabel };
}

/** The axis of such a scale. */
export function latencyAxis(scale: Scale, height: number): AxisParts {
  const title = `end-to-end latency (ms${scale.kind === "log" ? ", log scale" : ""})`;
  return { ...latencyTicks(scale, height), title };
}

/** The axis of message indices below a plot. */
export function indexAxis(scale: Scale): AxisParts {
  const ticks = scale.ticks(10).filter(({ value }) => Number.isInteger(value));
  return { scale, ticks, label: formatCount, title: "message index", grid: false };
}

/** `0.0123`, `1.23`, `248`, `12,345`: milliseconds in three digits. */
export function formatMs(ms: number): string {
  const size = Math.abs(ms);
  return size < 99.95 ? String(Number(ms.toPrecision(3))) : formatCount(Math.round(ms));
}
