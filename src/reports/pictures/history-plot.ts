/** The times of cells over runs: a panel for each codec, whose line is broken where two times are not to be compared. */
import type { CellLine, HistoryPoint } from "../../analysis/history.ts";
import { bottomAxis, type Drawing, drawFigure, leftAxis, plotArea } from "../chart/figure.ts";
import { curve, disc, uprights } from "../chart/marks.ts";
import { BLUE, VERMILION } from "../chart/palette.ts";
import { linearScale, logScale, plainLabel, type Scale, timeLabel } from "../chart/scale.ts";
import { drawable, group, type Svg, text } from "../chart/svg.ts";
import { formatNanos } from "../units.ts";

/** Pixels of a panel, and between panels, where the name of the lower one stands. */
const HEIGHT = 56;
const GAP = 26;

/** An interval that reaches further than so many times the median, or its part, is cut off there. */
const FURTHEST = 4;

/** Least that a panel shows to both sides of its times, as a factor: else noise would fill it. */
const MARGIN = 1.1;

/** A picture of the lines of one operation on one dataset. @param runs how many there are */
export function historyPlot(lines: readonly CellLine[], runs: number): Drawing | undefined {
  const [first] = lines;
  if (first === undefined) return undefined;
  const area = plotArea({ top: 72 + GAP, right: 40, content: lines.length * (HEIGHT + GAP) - GAP });
  const x = linearScale([0.5, runs + 0.5], [0, area.width]);
  const ticks = x.ticks(Math.min(runs + 1, 20)).filter(({ value }) => Number.isInteger(value) && value >= 1);
  const panel = { ...area, height: HEIGHT };
  const marks = lines.map((line, n) =>
    group(
      0,
      n * (HEIGHT + GAP),
      drawPanel(line, x, (y) => leftAxis({ scale: y, ticks: y.ticks(3), label: timeLabel }, panel)),
    ),
  );
  const title = `${drawable(first.operation, 40)} of ${drawable(first.dataset, 60)}`;
  return {
    title,
    svg: drawFigure({
      title: `Time of ${title}`,
      subject:
        "median of each run and its 95 % interval · less is better · every codec has a logarithmic scale of its own",
      reading: "A dashed upright: the CPU, the runtime, the library or the data is another from there on",
      description: lines.map(described).join("; "),
      legend: [],
      area,
      marks: [...marks, bottomAxis({ scale: x, ticks, label: plainLabel, title: "run", grid: false }, area)],
    }),
  };
}

function described({ codec, points }: CellLine): string {
  const times = points.map(
    ({ run, median, breaks }) =>
      `${breaks === undefined ? "" : "broken, "}run ${run + 1} ${formatNanos(median)}`,
  );
  return `${codec}: ${times.join(", ")}`;
}

function drawPanel({ codec, points }: CellLine, x: Scale, axisOf: (y: Scale) => Svg): Svg[] {
  let stretch = 0;
  const shown = points.flatMap((point) => {
    if (point.breaks !== undefined) stretch += 1;
    return point.median > 0 ? [{ ...point, ...reachOf(point), stretch }] : [];
  });
  // A time of 0, that of a loop around nothing, has no place on a logarithmic axis.
  if (shown.length === 0) return [text(`${drawable(codec)}: no time above 0`, 0, -10)];
  const lowest = Math.min(...shown.map(({ low }) => low));
  const highest = Math.max(...shown.map(({ high }) => high));
  const y = logScale([lowest / MARGIN, highest * MARGIN], [HEIGHT, 0]);
  const placed = shown.map((point) => ({ ...point, x: x.at(point.run + 1), y: y.at(point.median) }));
  const step = x.at(2) - x.at(1);
  return [
    axisOf(y),
    ...placed
      .filter(({ breaks }) => breaks !== undefined)
      .map((point) => {
        const at = point.x - step / 2;
        return curve(
          [
            { x: at, y: 0 },
            { x: at, y: HEIGHT },
          ],
          { colour: VERMILION, dash: "3,3", width: 1 },
        );
      }),
    uprights(
      placed.map((point) => ({ x: point.x, from: y.at(point.low), to: y.at(point.high) })),
      BLUE,
    ),
    ...[...new Set(placed.map((point) => point.stretch))]
      .map((one) => placed.filter((point) => point.stretch === one))
      .filter((piece) => piece.length > 1)
      .map((piece) => curve(piece, { colour: BLUE })),
    ...placed.map((point) => disc(point, BLUE, 2.5)),
    text(drawable(codec), 0, -10),
  ];
}

function reachOf({ median, ci95 }: HistoryPoint): { readonly low: number; readonly high: number } {
  const [low, high] = ci95 ?? [median, median];
  return { low: Math.max(low, median / FURTHEST), high: Math.min(high, median * FURTHEST) };
}
