import type { Data, Mark } from "vega";
import { type Chart, draw } from "./draw.ts";
import { frame, plotOf, type Subject } from "./frame.ts";
import { lookOf } from "./palette.ts";
import { formatCount } from "./text.ts";
import { valueAxis, valueScale } from "./value-axis.ts";

/** The latencies of one codec, in any order. */
export interface PercentileSeries {
  /** The codec. */
  readonly name: string;
  readonly ms: ArrayLike<number>;
}

/** Latency over the share of messages that were at least as quick, stretched towards the slowest. */
export function drawPercentileCurve(subject: Subject, series: readonly PercentileSeries[]): Promise<string> {
  return draw(percentileCurve(subject, series));
}

/** A point of a curve: all but one in `oneIn` messages took no longer than `ms`. */
export interface CurvePoint {
  readonly oneIn: number;
  readonly ms: number;
}

/** As few messages above a percentile make it an accident. */
const ENOUGH_ABOVE = 10;

/** Points of a curve from one power of ten to the next. */
const STEPS = 100;

/** The one of them that stands for a half, at 2. */
const HALF = Math.round(Math.log10(2) * STEPS);

/** Nearest-rank percentiles as far as at least ten messages lie above; none below ten messages. */
export function curveOf(ms: ArrayLike<number>): CurvePoint[] {
  const sorted = Float64Array.from(ms).sort();
  const n = sorted.length;
  const points: CurvePoint[] = [];
  for (let step = 0; ; step++) {
    const power = 10 ** Math.floor(step / STEPS);
    const oneIn = step % STEPS === HALF ? 2 * power : power * 10 ** ((step % STEPS) / STEPS);
    if (oneIn * ENOUGH_ABOVE > n) return points;
    points.push({ oneIn, ms: sorted[Math.max(0, Math.ceil(n - n / oneIn) - 1)]! });
  }
}

/** The chart that {@link drawPercentileCurve} draws. */
export function percentileCurve(subject: Subject, series: readonly PercentileSeries[]): Chart {
  const plot = plotOf({ entries: series.length });
  const counts = series.map(({ ms }) => ms.length);
  const most = Math.max(10, ...counts);
  const y = valueScale(series.map(({ ms }) => ms));
  return frame({
    title: "End-to-end latency by percentile",
    subject,
    reading: `Curves end where fewer than ${ENOUGH_ABOVE} messages lie above; a diamond is the slowest of all messages`,
    notice: noticeOf(counts),
    legend: series.map(({ name }, n) => ({ label: name, ...lookOf(n), shape: "stroke" })),
    plot,
    data: series.flatMap(({ ms }, n): Data[] => [
      { name: `curve${n}`, values: curveOf(ms) },
      { name: `slowest${n}`, values: slowestOf(ms) },
    ]),
    scales: [{ name: "x", type: "log", domain: [1, most * 1.15], range: "width" }, y],
    axes: [
      {
        scale: "x",
        orient: "bottom",
        title: "messages that took no longer (percentile)",
        values: ticksUpTo(most),
        grid: true,
        encode: {
          labels: { update: { text: { signal: "format(100 - 100 / datum.value, '.9~r') + ' %'" } } },
        },
      },
      valueAxis(y),
    ],
    marks: series.flatMap((_, n) => [curve(n), slowest(n)]),
  });
}

function slowestOf(ms: ArrayLike<number>): CurvePoint[] {
  if (ms.length === 0) return [];
  let highest = ms[0]!;
  for (let at = 1; at < ms.length; at++) highest = Math.max(highest, ms[at]!);
  return [{ oneIn: ms.length, ms: highest }];
}

function noticeOf(counts: readonly number[]): string | undefined {
  const most = Math.max(0, ...counts);
  if (most === 0) return "no message was received";
  if (most >= 2 * ENOUGH_ABOVE) return undefined;
  const messages = most === 1 ? "only one message was" : `at most ${formatCount(most)} messages were`;
  return `${messages} received: too few to tell a percentile`;
}

function ticksUpTo(most: number): number[] {
  const ticks = [1, 2];
  for (let tick = 10; tick <= most; tick *= 10) ticks.push(tick);
  return ticks;
}

const AT = { x: { scale: "x", field: "oneIn" }, y: { scale: "y", field: "ms" } } as const;

function curve(n: number): Mark {
  const { colour, dash } = lookOf(n);
  const look = { stroke: { value: colour }, strokeWidth: { value: 2 }, strokeDash: { value: dash } };
  return { type: "line", from: { data: `curve${n}` }, encode: { enter: { ...AT, ...look } } };
}

function slowest(n: number): Mark {
  const look = {
    shape: { value: "diamond" },
    size: { value: 70 },
    fill: { value: lookOf(n).colour },
  } as const;
  return { type: "symbol", from: { data: `slowest${n}` }, encode: { enter: { ...AT, ...look } } };
}
