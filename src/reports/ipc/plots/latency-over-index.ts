import { decimate, lastIndex, type Points } from "./decimate.ts";
import { type Chart, draw } from "./draw.ts";
import { frame, plotOf, type Subject } from "./frame.ts";
import { DROPPED_ROW, droppedMarks, pointMarks, spanMarks } from "./message-marks.ts";
import { lookOf } from "./palette.ts";
import { formatCount } from "./text.ts";
import { valueAxis, valueScale } from "./value-axis.ts";

/** What became of the messages of one codec. */
export interface LatencySeries extends Points {
  /** The codec. */
  readonly name: string;
  /** Indices of the messages that were dropped. */
  readonly dropped: ArrayLike<number>;
}

/** End-to-end latency of every message over its index. */
export function drawLatencyOverIndex(subject: Subject, series: readonly LatencySeries[]): Promise<string> {
  return draw(latencyOverIndex(subject, series));
}

/** Pixels that are left of the plot under rows of dropped messages. */
const LEAST_HEIGHT = 240;

/** The chart that {@link drawLatencyOverIndex} draws. */
export function latencyOverIndex(subject: Subject, series: readonly LatencySeries[]): Chart {
  const lossy = series.flatMap(({ dropped }, n) => (dropped.length > 0 ? [n] : []));
  const plot = plotOf({
    top: 84 + lossy.length * DROPPED_ROW,
    entries: series.length,
    content: LEAST_HEIGHT,
  });
  const last = lastIndex(series.flatMap(({ index, dropped }) => [index, dropped]));
  const y = valueScale(series.map(({ ms }) => ms));
  const columns = series.map((one) => decimate(one, plot.width, last));
  const crowded = columns.some((some) => some.some(({ count }) => count > 3));
  return frame({
    title: "End-to-end latency over the message index",
    subject,
    reading: [
      crowded
        ? "Of every pixel column the highest, a middle and the lowest message of each codec, joined by a line"
        : "Every point is a message",
      ...(lossy.length > 0 ? ["marks above the plot are dropped messages"] : []),
    ].join("; "),
    notice: noticeOf(series),
    legend: series.map(({ name }, n) => ({ label: name, ...lookOf(n) })),
    plot,
    data: [],
    scales: [{ name: "x", type: "linear", domain: [0, last], range: "width" }, y],
    axes: [
      { scale: "x", orient: "bottom", title: "message index", format: ",d", tickMinStep: 1 },
      valueAxis(y),
    ],
    marks: [
      ...series.map((one, n) => spanMarks(one, columns[n]!, n)),
      ...series.map((one, n) => pointMarks(one, columns[n]!, n)),
      ...lossy.map((n, row) => {
        const above = 6 + (lossy.length - 1 - row) * DROPPED_ROW;
        return droppedMarks(series[n]!, n, { above, width: plot.width, last });
      }),
    ],
  });
}

function noticeOf(series: readonly LatencySeries[]): string | undefined {
  const received = series.reduce((sum, { ms }) => sum + ms.length, 0);
  if (received === 1) return "only one message was received";
  if (received > 1) return undefined;
  const dropped = series.reduce((sum, one) => sum + one.dropped.length, 0);
  return dropped === 0 ? "no messages" : `no message was received, ${formatCount(dropped)} were dropped`;
}
