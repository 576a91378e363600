import { lastIndex } from "./decimate.ts";
import { type Chart, draw } from "./draw.ts";
import { DRIFT_LEGEND, type DriftSeries, driftPanel } from "./drift-panel.ts";
import { frame, plotOf, type Subject } from "./frame.ts";
import { verticalTitle } from "./furniture.ts";

/** Running median, envelope and trend of end-to-end latency over the index, a panel per codec. */
export function drawDrift(subject: Subject, series: readonly DriftSeries[]): Promise<string> {
  return draw(drift(subject, series));
}

/** Pixels of the lowest panel that an axis fits. */
const LEAST_HEIGHT = 72;
/** Pixels between panels, where the name of the lower one stands. */
const GAP = 26;

/** The chart that {@link drawDrift} draws. */
export function drift(subject: Subject, series: readonly DriftSeries[]): Chart {
  const panels = Math.max(1, series.length);
  const plot = plotOf({ top: 72 + GAP, content: panels * (LEAST_HEIGHT + GAP) - GAP });
  const height = (plot.height + GAP) / panels - GAP;
  const nothing = series.every(({ ms }) => ms.length === 0);
  return frame({
    title: "Drift of end-to-end latency",
    subject,
    reading: series.length > 1 ? "Every codec has a scale of its own" : "",
    notice: nothing ? "no message was received" : undefined,
    legend: DRIFT_LEGEND,
    plot,
    data: [],
    scales: [
      { name: "x", type: "linear", domain: [0, lastIndex(series.map(({ index }) => index))], range: "width" },
    ],
    axes: [{ scale: "x", orient: "bottom", title: "message index", format: ",d", tickMinStep: 1 }],
    marks: [
      ...series.map((one, n) => driftPanel(one, { top: n * (height + GAP), width: plot.width, height })),
      verticalTitle("end-to-end latency (ms)", plot),
    ],
  });
}
