import type { Mark } from "vega";
import type { Points } from "./decimate.ts";
import type { LegendEntry } from "./frame.ts";
import { INK } from "./furniture.ts";
import { drawable, formatMs } from "./text.ts";
import { type ValueScale, valueScale } from "./value-axis.ts";
import { type Window, windowsOf } from "./windows.ts";

/** How one codec's latencies moved over a test. */
export interface DriftSeries extends Points {
  /** The codec. */
  readonly name: string;
  /** Theil and Sen's line; absent where there are too few messages for one. */
  readonly trend?: Trend | undefined;
}

/** The line `interceptMs + slopeMsPer1000 * index / 1000`. */
export interface Trend {
  readonly slopeMsPer1000: number;
  readonly interceptMs: number;
}

/** Windows across a panel: narrow enough for a trend, wide enough for the envelope to be seen. */
const WINDOWS = 160;

const ENVELOPE = "#56B4E9";
const MEDIAN = { colour: "#0072B2", dash: null };
const TREND = { colour: "#D55E00", dash: [6, 3] };

/** What is in every panel. */
export const DRIFT_LEGEND: readonly LegendEntry[] = [
  { label: "running median", ...MEDIAN, shape: "stroke" },
  { label: "lowest to highest", colour: ENVELOPE, shape: "square" },
  { label: "Theil-Sen line", ...TREND, shape: "stroke" },
];

/** One codec's part of the chart, so many pixels below its top. */
export function driftPanel(one: DriftSeries, box: { top: number; width: number; height: number }): Mark {
  const { top, width, height } = box;
  const y = valueScale([one.ms]);
  const windows = windowsOf(one, WINDOWS);
  return {
    type: "group",
    encode: { enter: { y: { value: top }, width: { value: width }, height: { value: height } } },
    data: [
      { name: "windows", values: windows },
      { name: "alone", values: windows.length === 1 ? windows : [] },
      { name: "trend", values: trendOf(one, windows, y) },
      { name: "caption", values: [{ text: captionOf(one, y) }] },
    ],
    scales: [{ ...y, range: [height, 0] }],
    axes: [
      { scale: "y", orient: "left", format: ",~r", grid: true, tickCount: height < 120 ? 3 : 6 },
      { scale: "x", orient: "bottom", labels: false, ticks: false },
    ],
    marks: [ENVELOPES, line("windows", "median", MEDIAN), ALONE, line("trend", "ms", TREND), CAPTION],
  };
}

/** The trend at every window, which bends it rightly on a logarithmic axis, as far as it stays on the axis. */
function trendOf(
  { trend }: DriftSeries,
  windows: readonly Window[],
  y: ValueScale,
): { index: number; ms: number }[] {
  if (trend === undefined) return [];
  const [bottom, top] = y.domain;
  return windows
    .map(({ index }) => ({ index, ms: trend.interceptMs + (trend.slopeMsPer1000 * index) / 1000 }))
    .filter(({ ms }) => ms >= bottom && ms <= top);
}

function captionOf({ name, ms, trend }: DriftSeries, { type }: ValueScale): string {
  const codec = drawable(name);
  if (ms.length === 0) return `${codec}: no message was received`;
  if (ms.length === 1) return `${codec}: only one message was received`;
  const log = type === "log" ? " (log scale)" : "";
  if (trend === undefined) return `${codec}: no trend${log}`;
  const sign = trend.slopeMsPer1000 < 0 ? "−" : "+";
  return `${codec}: ${sign}${formatMs(Math.abs(trend.slopeMsPer1000))} ms per 1,000 messages${log}`;
}

const X = { scale: "x", field: "index" };

const ENVELOPES: Mark = {
  type: "area",
  from: { data: "windows" },
  encode: {
    enter: {
      x: X,
      y: { scale: "y", field: "lowest" },
      y2: { scale: "y", field: "highest" },
      fill: { value: ENVELOPE },
      fillOpacity: { value: 0.45 },
      stroke: { value: ENVELOPE },
      strokeWidth: { value: 1 },
    },
  },
};

/** A line needs two windows: the only one is a point. */
const ALONE: Mark = {
  type: "symbol",
  from: { data: "alone" },
  encode: {
    enter: { x: X, y: { scale: "y", field: "median" }, size: { value: 40 }, fill: { value: MEDIAN.colour } },
  },
};

const CAPTION: Mark = {
  type: "text",
  from: { data: "caption" },
  encode: {
    enter: { text: { field: "text" }, y: { value: -7 }, fill: { value: INK }, fontSize: { value: 12 } },
  },
};

function line(
  data: string,
  field: string,
  { colour, dash }: { colour: string; dash: number[] | null },
): Mark {
  return {
    type: "line",
    from: { data },
    encode: {
      enter: {
        x: X,
        y: { scale: "y", field },
        stroke: { value: colour },
        strokeWidth: { value: 2 },
        strokeDash: { value: dash },
      },
    },
  };
}
