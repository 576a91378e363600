import {
  bottomAxis,
  drawFigure,
  type LegendEntry,
  leftAxis,
  type PlotArea,
  plotArea,
} from "../../chart/figure.ts";
import { band, curve, disc } from "../../chart/marks.ts";
import { BLUE, SKY, VERMILION } from "../../chart/palette.ts";
import { linearScale, type Scale } from "../../chart/scale.ts";
import { drawable, group, type Svg, text } from "../../chart/svg.ts";
import { lastIndex, type Points, type Window, windowsOf } from "./decimate.ts";
import { formatMs, indexAxis, latencyScale, latencyTicks, type Subject, subjectLine } from "./labels.ts";

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

/** Pixels of the lowest panel that an axis fits. */
const LEAST_HEIGHT = 72;
/** Pixels between panels, where the name of the lower one stands. */
const GAP = 26;
/** Windows across a panel: narrow enough for a trend, wide enough for the envelope to be seen. */
const WINDOWS = 160;

const MEDIAN = { colour: BLUE };
const TREND = { colour: VERMILION, dash: "6,3" };

const LEGEND: readonly LegendEntry[] = [
  { label: "running median", ...MEDIAN, shape: "stroke" },
  { label: "lowest to highest", colour: SKY, shape: "square" },
  { label: "Theil-Sen line", ...TREND, shape: "stroke" },
];

/** Draws the running median, envelope and trend of end-to-end latency over the index, a panel per codec. */
export function drawDrift(subject: Subject, series: readonly DriftSeries[]): string {
  const panels = Math.max(1, series.length);
  const area = plotArea({ top: 72 + GAP, content: panels * (LEAST_HEIGHT + GAP) - GAP });
  const height = (area.height + GAP) / panels - GAP;
  const x = linearScale([0, lastIndex(series.map(({ index }) => index))], [0, area.width]);
  const nothing = series.every(({ ms }) => ms.length === 0);
  const title = "end-to-end latency (ms)";
  return drawFigure({
    title: "Drift of end-to-end latency",
    subject: subjectLine(subject),
    reading: series.length > 1 ? "Every codec has a scale of its own" : "",
    notice: nothing ? "no message was received" : undefined,
    legend: LEGEND,
    area,
    marks: [
      ...series.map((one, n) => group(0, n * (height + GAP), drawPanel(one, x, { ...area, height }))),
      bottomAxis(indexAxis(x), area),
      text(title, 20 - area.left, area.height / 2, { anchor: "middle", angle: -90 }),
    ],
  });
}

/** One codec's part of the chart. */
function drawPanel(one: DriftSeries, x: Scale, area: PlotArea): Svg[] {
  const y = latencyScale([one.ms], area.height);
  const windows = windowsOf(one, WINDOWS);
  const medians = windows.map(({ index, median }) => ({ x: x.at(index), y: y.at(median) }));
  const envelope = windows.map(({ index, lowest, highest }) => ({
    x: x.at(index),
    low: y.at(lowest),
    high: y.at(highest),
  }));
  const trend = trendOf(one, windows, y).map(({ index, ms }) => ({ x: x.at(index), y: y.at(ms) }));
  return [
    leftAxis(latencyTicks(y, area.height), area),
    bottomAxis({ scale: x, ticks: [], label: String }, area),
    band(envelope, SKY),
    // A line needs two windows: the only one is a point.
    ...(medians.length === 1 ? [disc(medians[0]!, BLUE)] : [curve(medians, MEDIAN)]),
    curve(trend, TREND),
    text(captionOf(one, y), 0, -10),
  ];
}

/** The trend at every window, which bends it rightly on a logarithmic axis, as far as it stays on the axis. */
function trendOf(
  { trend }: DriftSeries,
  windows: readonly Window[],
  { domain: [bottom, top] }: Scale,
): { index: number; ms: number }[] {
  if (trend === undefined) return [];
  return windows
    .map(({ index }) => ({ index, ms: trend.interceptMs + (trend.slopeMsPer1000 * index) / 1000 }))
    .filter(({ ms }) => ms >= bottom && ms <= top);
}

function captionOf({ name, ms, trend }: DriftSeries, { kind }: Scale): string {
  const codec = drawable(name);
  if (ms.length === 0) return `${codec}: no message was received`;
  if (ms.length === 1) return `${codec}: only one message was received`;
  const log = kind === "log" ? " (log scale)" : "";
  if (trend === undefined) return `${codec}: no trend${log}`;
  const sign = trend.slopeMsPer1000 < 0 ? "−" : "+";
  return `${codec}: ${sign}${formatMs(Math.abs(trend.slopeMsPer1000))} ms per 1,000 messages${log}`;
}
