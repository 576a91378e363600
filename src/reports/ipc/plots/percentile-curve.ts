import { format } from "d3-format";
import { bottomAxis, drawFigure, leftAxis, plotArea } from "../../chart/figure.ts";
import { curve, diamond, type Point } from "../../chart/marks.ts";
import { lookOf } from "../../chart/palette.ts";
import { logScale } from "../../chart/scale.ts";
import { formatCount } from "../../units.ts";
import { latencyAxis, latencyScale, type Subject, subjectLine } from "./labels.ts";

/** The latencies of one codec, in any order. */
export interface PercentileSeries {
  /** The codec. */
  readonly name: string;
  readonly ms: ArrayLike<number>;
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

/** Draws latency over the share of messages that were at least as quick, stretched towards the slowest. */
export function drawPercentileCurve(subject: Subject, series: readonly PercentileSeries[]): string {
  const area = plotArea({ entries: series.length });
  const counts = series.map(({ ms }) => ms.length);
  const most = Math.max(10, ...counts);
  const x = logScale([1, most * 1.15], [0, area.width]);
  const y = latencyScale(
    series.map(({ ms }) => ms),
    area.height,
  );
  const place = ({ oneIn, ms }: CurvePoint): Point => ({ x: x.at(oneIn), y: y.at(ms) });
  const ticks = ticksUpTo(most).map((value) => ({ value, labelled: true }));
  const title = "messages that took no longer (percentile)";
  return drawFigure({
    title: "End-to-end latency by percentile",
    subject: subjectLine(subject),
    reading: `Curves end where fewer than ${ENOUGH_ABOVE} messages lie above; a diamond is the slowest of all messages`,
    notice: noticeOf(counts),
    legend: series.map(({ name }, n) => ({ label: name, ...lookOf(n), shape: "stroke" })),
    area,
    marks: [
      leftAxis(latencyAxis(y, area.height), area),
      bottomAxis({ scale: x, ticks, label: percentLabel, title }, area),
      ...series.map(({ ms }, n) => curve(curveOf(ms).map(place), lookOf(n))),
      ...series.flatMap(({ ms }, n) => slowestOf(ms).map((one) => diamond(place(one), lookOf(n).colour))),
    ],
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

const nineDigits = format(".9~r");

/** `99.9 %`, for one message in 1,000. */
function percentLabel(oneIn: number): string {
  return `${nineDigits(100 - 100 / oneIn)} %`;
}
