import { bottomAxis, drawFigure, leftAxis, plotArea } from "../../chart/figure.ts";
import { dots, type Point, uprights } from "../../chart/marks.ts";
import { lookOf } from "../../chart/palette.ts";
import { linearScale } from "../../chart/scale.ts";
import { drawable, type Svg, text } from "../../chart/svg.ts";
import { formatCount } from "../../units.ts";
import { decimate, lastIndex, type Points, thin } from "./decimate.ts";
import { indexAxis, latencyAxis, latencyScale, type Subject, subjectLine } from "./labels.ts";

/** What became of the messages of one codec. */
export interface LatencySeries extends Points {
  /** The codec. */
  readonly name: string;
  /** Indices of the messages that were dropped. */
  readonly dropped: ArrayLike<number>;
}

/** Pixels that are left of the plot under rows of dropped messages. */
const LEAST_HEIGHT = 240;
/** Pixels of one row of marks for dropped messages. */
const DROPPED_ROW = 12;
/** More columns than this stand closer to each other than their points are wide. */
const SPARSE = 200;

/** Draws the end-to-end latency of every message over its index. */
export function drawLatencyOverIndex(subject: Subject, series: readonly LatencySeries[]): string {
  const lossy = series.flatMap(({ dropped }, n) => (dropped.length > 0 ? [n] : []));
  const area = plotArea({
    top: 84 + lossy.length * DROPPED_ROW,
    entries: series.length,
    content: LEAST_HEIGHT,
  });
  const last = lastIndex(series.flatMap(({ index, dropped }) => [index, dropped]));
  const x = linearScale([0, last], [0, area.width]);
  const y = latencyScale(
    series.map(({ ms }) => ms),
    area.height,
  );
  const columns = series.map((one) => decimate(one, area.width, last));
  // Of no more than three messages all are drawn.
  const crowded = columns.map((some) => some.filter(({ count }) => count > 3));
  const pointsOf = (n: number): Point[] => {
    const { index, ms } = series[n]!;
    return columns[n]!.flatMap(({ lowest, middle, highest }) =>
      [...new Set([lowest, middle, highest])].map((at) => ({ x: x.at(index[at]!), y: y.at(ms[at]!) })),
    );
  };
  return drawFigure({
    title: "End-to-end latency over the message index",
    subject: subjectLine(subject),
    reading: [
      crowded.some((some) => some.length > 0)
        ? "Of every pixel column the highest, a middle and the lowest message of each codec, joined by a line"
        : "Every point is a message",
      ...(lossy.length > 0 ? ["marks above the plot are dropped messages"] : []),
    ].join("; "),
    notice: noticeOf(series),
    legend: series.map(({ name }, n) => ({ label: name, ...lookOf(n) })),
    area,
    marks: [
      leftAxis(latencyAxis(y, area.height), area),
      bottomAxis(indexAxis(x), area),
      ...series.map(({ index, ms }, n) => {
        const spans = crowded[n]!.map(({ lowest, highest }) => ({
          x: x.at(index[lowest]!),
          from: y.at(ms[lowest]!),
          to: y.at(ms[highest]!),
        }));
        return uprights(spans, lookOf(n).colour, 0.3);
      }),
      ...series.map((_, n) => dots(pointsOf(n), lookOf(n), columns[n]!.length > SPARSE ? 3 : 5)),
      ...lossy.flatMap((n, row) => {
        const middle = -6 - (lossy.length - row - 0.5) * DROPPED_ROW;
        const kept = thin(series[n]!.dropped, area.width, last).map((index) => x.at(index));
        return droppedMarks(series[n]!, n, { kept, middle, width: area.width });
      }),
    ],
  });
}

/** Dropped messages of the n-th series in a row of their own above the plot, and their number. */
function droppedMarks(
  { name, dropped }: LatencySeries,
  n: number,
  { kept, middle, width }: { kept: readonly number[]; middle: number; width: number },
): Svg[] {
  const ticks = kept.map((x) => ({ x, from: middle + 4.5, to: middle - 4.5 }));
  const words = `${drawable(name, 14)}: ${formatCount(dropped.length)} dropped`;
  return [uprights(ticks, lookOf(n).colour), text(words, width + 8, middle, { size: 11 })];
}

function noticeOf(series: readonly LatencySeries[]): string | undefined {
  const received = series.reduce((sum, { ms }) => sum + ms.length, 0);
  if (received === 1) return "only one message was received";
  if (received > 1) return undefined;
  const dropped = series.reduce((sum, one) => sum + one.dropped.length, 0);
  return dropped === 0 ? "no messages" : `no message was received, ${formatCount(dropped)} were dropped`;
}
