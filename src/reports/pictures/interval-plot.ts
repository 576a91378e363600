/** The times of one operation: a row per codec, sorted, with the interval of each. */
import { isMeasured, type MeasuredCell } from "../../analysis/cells.ts";
import type { Cell } from "../../model/records/run.ts";
import type { Drawing } from "../chart/figure.ts";
import { bottomAxis, drawFigure, type PlotArea, WIDTH } from "../chart/figure.ts";
import { bar, curve, disc, dots } from "../chart/marks.ts";
import { BAND, BLUE, type Colour, FAINT_INK, VERMILION } from "../chart/palette.ts";
import { type Scale, timeLabel, valueScale } from "../chart/scale.ts";
import { drawable, element, type Svg, type TextStyle, text, widthOf } from "../chart/svg.ts";
import { heldProcessesText } from "../held-processes.ts";
import { rankOf, ratioText } from "../sections/run/timing.ts";
import { formatNanos, formatSpread } from "../units.ts";
import type { DatasetView } from "../view.ts";

/** Pixels of a row, of the axis below the rows, and of a line below that. */
const ROW = 22;
const AXIS = 46;
const LINE = 16;
/** Pixels from the column of the interval to that of the ratio at least, and from there to that of the rank. */
const RATIO = 62;
const RANK = 42;
/** An interval that reaches further than so many times the median, or its part, is cut off at the edge of the plot area. */
const FURTHEST = 4;
/** Pixels of the arrow there. */
const ARROW = 5;

/** Right ends of the columns beside the plot area, in pixels from it. */
interface Columns {
  readonly time: number;
  readonly spread: number;
  readonly ratio: number;
  readonly rank: number;
}

/** The interval plot of an operation on a dataset; undefined where no codec was measured. */
export function intervalPlot(data: DatasetView, operation: string): Drawing | undefined {
  const cells = data.cells.filter((cell) => cell.operation === operation && cell.twinOf === undefined);
  const rows = cells.filter(isMeasured).sort((a, b) => a.nanos.median - b.nanos.median);
  const [fastest, slowest] = [rows[0], rows.at(-1)];
  if (fastest === undefined || slowest === undefined) return undefined;
  const refused = refusedLines(cells);
  const names = rows.map(({ codec }) => drawable(codec, 28));
  const left = 28 + Math.max(60, ...names.map((name) => widthOf(name)));
  const { name: dataset, run } = data;
  const { baseline } = run;
  const columns = columnsFor(baseline);
  const right = columns.rank + 20;
  const area: PlotArea = {
    left,
    right,
    top: 96,
    bottom: AXIS + (refused.length > 0 ? 16 + refused.length * LINE : 0),
    width: WIDTH - left - right,
    height: rows.length * ROW,
  };
  const x = scaleOf(rows, area.width);
  const title = `time per message${x.kind === "log" ? " (log scale)" : ""}`;
  const measured = rows.map((row) => `${row.codec} ${formatNanos(row.nanos.median)}`);
  return {
    title: `${operation} of ${dataset}: ${fastest.codec} ${formatNanos(fastest.nanos.median)}${
      rows.length === 1
        ? ""
        : ` to ${slowest.codec} ${formatNanos(slowest.nanos.median)}, ${rows.length} codecs`
    }`,
    svg: drawFigure({
      title: `Time to ${drawable(operation, 40)}`,
      subject: `dataset ${drawable(dataset, 60)} · ${heldProcessesText(run.record, dataset)} per codec · less is better`,
      reading: readingOf(rows, baseline, x),
      description: `Median time per message: ${[...measured, ...refused].join("; ")}`,
      legend: [],
      area,
      marks: [
        ...tierBands(rows, area),
        ...headings(rows, baseline, columns, area),
        bottomAxis({ scale: x, ticks: x.ticks(Math.floor(area.width / 70)), label: timeLabel, title }, area),
        ...baselineMark(rows, baseline, x, area),
        ...rows.flatMap((cell, n) =>
          element(
            "g",
            { "data-codec": drawable(cell.codec, 400) },
            ...drawRow(data, cell, { name: names[n]!, y: (n + 0.5) * ROW, x, columns, area }),
          ),
        ),
        ...refused.map((line, n) =>
          text(line, 16 - left, area.height + AXIS + 12 + n * LINE, { size: 11, colour: FAINT_INK }),
        ),
      ],
    }),
  };
}

/** From zero, or logarithmic where the slowest takes many times as long as the fastest. */
function scaleOf(rows: readonly MeasuredCell[], width: number): Scale {
  const ends = rows.map(({ nanos: { median, ci95 } }) => ci95 ?? [median, median]);
  const medians = rows.map(({ nanos }) => nanos.median);
  return valueScale(
    {
      lowest: Math.min(...ends.map(([low], n) => Math.max(low, medians[n]! / FURTHEST))),
      usual: Math.min(...medians),
      highest: Math.max(...ends.map(([, high], n) => Math.min(high, medians[n]! * FURTHEST))),
    },
    [0, width],
  );
}

/** The column of ratios is as wide as its heading needs. */
function columnsFor(baseline: string): Columns {
  const [time, spread] = [66, 136];
  const ratio = spread + Math.max(RATIO, widthOf(ratioHeading(baseline), 11) + 8);
  return { time, spread, ratio, rank: ratio + RANK };
}

function ratioHeading(baseline: string): string {
  return `× ${drawable(baseline, 20)}`;
}

function readingOf(rows: readonly MeasuredCell[], baseline: string, x: Scale): string {
  const isCut = rows.some((row) => {
    const { low, high } = reachOf(row, x);
    return low === "beyond" || high === "beyond";
  });
  return [
    `A point is the median over processes (small dots), its line the 95 % interval${isCut ? " (an arrow: it goes on)" : ""}`,
    ...(rows.some(({ codec }) => codec === baseline) ? [`dashed: ${drawable(baseline, 20)}`] : []),
    ...(areRanked(rows) ? ["neighbours of one shade cannot be told apart (~)"] : []),
  ].join("; ");
}

function areRanked(rows: readonly MeasuredCell[]): boolean {
  return rows.some(({ standing }) => standing !== undefined);
}

/** A background behind every other tier. */
function tierBands(rows: readonly MeasuredCell[], { left, width, right }: PlotArea): Svg[] {
  const tiers = [...new Set(rows.map(({ standing }) => standing?.tier ?? 0))];
  return rows.flatMap(({ standing }, n) =>
    tiers.indexOf(standing?.tier ?? 0) % 2 === 1
      ? [bar({ left: 8 - left, right: width + right - 8, top: n * ROW, bottom: (n + 1) * ROW }, BAND)]
      : [],
  );
}

function headings(
  rows: readonly MeasuredCell[],
  baseline: string,
  { time, spread, ratio, rank }: Columns,
  { width }: PlotArea,
): Svg[] {
  const style: TextStyle = { size: 11, colour: FAINT_INK, anchor: "end" };
  return [
    text("codec", -12, -12, style),
    text("median", width + time, -12, style),
    text("±", width + spread, -12, style),
    text(ratioHeading(baseline), width + ratio, -12, style),
    ...(areRanked(rows) ? [text("rank", width + rank, -12, style)] : []),
  ];
}

function baselineMark(
  rows: readonly MeasuredCell[],
  baseline: string,
  x: Scale,
  { height }: PlotArea,
): Svg[] {
  const median = rows.find(({ codec }) => codec === baseline)?.nanos.median;
  if (median === undefined) return [];
  const at = x.at(median);
  const line = [
    { x: at, y: 0 },
    { x: at, y: height },
  ];
  return [curve(line, { colour: VERMILION, dash: "4,4", width: 1 })];
}

function drawRow(
  data: DatasetView,
  cell: MeasuredCell,
  {
    name,
    y,
    x,
    columns: { time, spread, ratio, rank },
    area: { width },
  }: { name: string; y: number; x: Scale; columns: Columns; area: PlotArea },
): Svg[] {
  const { median, ci95 } = cell.nanos;
  const colour = cell.codec === data.run.baseline ? VERMILION : BLUE;
  // The sign stands behind the column, whose digits line up.
  const [times = "", like = ""] = ratioText(cell, data).split(" ");
  return [
    text(name, -12, y, { anchor: "end" }),
    ...drawProcesses(cell, y, x, colour),
    ...drawInterval(cell, y, x, colour),
    disc({ x: x.at(median), y }, colour, 4),
    text(formatNanos(median), width + time, y, { anchor: "end" }),
    text(formatSpread(median, ci95), width + spread, y, { anchor: "end", colour: FAINT_INK }),
    text(times, width + ratio, y, { anchor: "end" }),
    text(rankOf(cell, data), width + rank, y, { anchor: "end" }),
    ...(like === "" ? [] : [text(like, width + ratio + 3, y)]),
  ];
}

/** Every process as a small dot below the interval, but for those that are beyond the plot area. */
function drawProcesses(cell: MeasuredCell, y: number, x: Scale, colour: Colour): Svg[] {
  const [least, most] = x.domain;
  const inside = cell.nanos.processes.filter((nanos) => nanos >= least && nanos <= most);
  if (inside.length === 0) return [];
  return [
    dots(
      inside.map((nanos) => ({ x: x.at(nanos), y: y + 7 })),
      { colour, shape: "circle" },
      3,
    ),
  ];
}

/** Pixels of each end of an interval, or that it is beyond the plot area. */
interface Reach {
  readonly low: number | "beyond";
  readonly high: number | "beyond";
}

function reachOf({ nanos: { median, ci95 } }: MeasuredCell, x: Scale): Reach {
  const [low, high] = ci95 ?? [median, median];
  const [least, most] = x.domain;
  return {
    low: low < least ? "beyond" : x.at(Math.min(low, most)),
    high: high > most ? "beyond" : x.at(Math.max(high, least)),
  };
}

/** The interval, with a cap at each end, or an arrow where it goes on beyond the plot area. */
function drawInterval(cell: MeasuredCell, y: number, x: Scale, colour: Colour): Svg[] {
  if (cell.nanos.ci95 === null) return [];
  const reach = reachOf(cell, x);
  const ends = [
    { at: reach.low, edge: x.at(x.domain[0]), inwards: ARROW },
    { at: reach.high, edge: x.at(x.domain[1]), inwards: -ARROW },
  ].map(({ at, edge, inwards }) => (at === "beyond" ? { tip: edge, inwards } : { tip: at, inwards: 0 }));
  return [
    curve(
      ends.map(({ tip }) => ({ x: tip, y })),
      { colour, width: 2 },
    ),
    ...ends.map(({ tip, inwards }) =>
      curve(
        [
          { x: tip + inwards, y: y - 4 },
          ...(inwards === 0 ? [] : [{ x: tip, y }]),
          { x: tip + inwards, y: y + 4 },
        ],
        { colour, width: 1.5 },
      ),
    ),
  ];
}

/** Codecs without a time, and why: a line for each reason. */
function refusedLines(cells: readonly Cell[]): string[] {
  const codecs = new Map<string, string[]>();
  for (const { status, reason, codec } of cells) {
    if (status !== "failed" && status !== "unsupported") continue;
    const why = `${status}: ${reason}`;
    codecs.set(why, [...(codecs.get(why) ?? []), codec]);
  }
  return Array.from(codecs, ([why, names]) => drawable(`${names.join(", ")}: ${why}`, 124));
}
