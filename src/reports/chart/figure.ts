/** What stands around the marks of a chart: title, axes, legend and the words that say how to read it. */
import { AXIS, type Colour, fill, GRID, type Look, stroke } from "./palette.ts";
import type { Scale, Tick } from "./scale.ts";
import { drawable, element, group, picture, type Svg, text, widthOf } from "./svg.ts";

/** Pixels of the plot area, and of what is around it. */
export interface PlotArea {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** One entry of a legend. */
export interface LegendEntry {
  readonly label: string;
  readonly colour: Colour;
  readonly shape: Look["shape"] | "stroke";
  readonly dash?: string | undefined;
}

/** A chart before it is written. */
export interface Figure {
  readonly title: string;
  /** What was measured, in one line. */
  readonly subject: string;
  /** How to read it, in one line. */
  readonly reading: string;
  /** Stands in the middle of a chart that has little else to show. */
  readonly notice?: string | undefined;
  /** What it shows, for those who do not see it; the reading and the legend by default. */
  readonly description?: string;
  readonly legend: readonly LegendEntry[];
  readonly area: PlotArea;
  /** In pixels of the plot area. */
  readonly marks: readonly Svg[];
}

/** What was drawn, before it has a file. */
export interface Drawing {
  /** What it shows, for those who do not see it. */
  readonly title: string;
  /** The text of an SVG file. */
  readonly svg: string;
}

/** Pixels of every picture from left to right. */
export const WIDTH = 900;
const HEIGHT = 450;
const LEGEND_ROW = 18;

/** The plot area of a picture of 900 × 450 pixels, which is higher where so many legend entries or pixels need it. */
export function plotArea({
  left = 74,
  top = 78,
  right = 200,
  bottom = 50,
  entries = 0,
  content = 0,
}): PlotArea {
  const height = Math.max(HEIGHT - top - bottom, entries * LEGEND_ROW, content);
  return { left, top, right, bottom, width: WIDTH - left - right, height };
}

/** The text of an SVG file. */
export function drawFigure({ area, legend, marks, ...words }: Figure): string {
  const { title, subject, reading, notice, description } = words;
  const { left, top, width, height } = area;
  const entries = legend.map((entry) => ({ ...entry, label: drawable(entry.label, 22) }));
  const said = description ?? [reading, ...entries.map(({ label }) => label)].filter(Boolean).join("; ");
  return picture({
    width: left + width + area.right,
    height: top + height + area.bottom,
    title: `${title}: ${subject}`,
    description: notice === undefined ? said : `${notice}; ${said}`,
    content: [
      text(title, 16, 21, { size: 16, bold: true }),
      text(subject, 16, 41),
      text(reading, 16, 58, { size: 11 }),
      group(left, top, [
        ...marks,
        ...entries.flatMap((entry, n) => legendEntry(entry, width + 22, (n + 0.5) * LEGEND_ROW)),
        ...(notice === undefined
          ? []
          : [text(notice, width / 2, height / 2, { size: 14, bold: true, anchor: "middle" })]),
      ]),
    ],
  });
}

function legendEntry({ label, colour, shape, dash }: LegendEntry, x: number, y: number): Svg[] {
  return [symbol(shape, colour, x, y, dash), text(label, x + 15, y)];
}

function symbol(shape: LegendEntry["shape"], colour: Colour, x: number, y: number, dash?: string): Svg {
  if (shape === "circle") return element("circle", { cx: x, cy: y, r: 5.5, ...fill(colour) });
  if (shape === "square")
    return element("rect", { x: x - 5, y: y - 5, width: 10, height: 10, ...fill(colour) });
  return element("path", { d: `M${x - 10},${y}h20`, ...stroke(colour, 2), "stroke-dasharray": dash });
}

/** What an axis shows. */
export interface AxisParts {
  readonly scale: Scale;
  readonly ticks: readonly Tick[];
  readonly label: (value: number) => string;
  readonly title?: string;
  /** Whether lines go through the plot area. */
  readonly grid?: boolean;
}

/** The axis below a plot area. Labels that would touch the one before them are left out. */
export function bottomAxis({ scale, ticks, label, title, grid = true }: AxisParts, area: PlotArea): Svg {
  const { width, height } = area;
  const shown = ticks.map((tick) => ({ ...tick, x: scale.at(tick.value) }));
  let free = Number.NEGATIVE_INFINITY;
  const labels = shown.flatMap(({ value, labelled, x }) => {
    const words = label(value);
    const half = widthOf(words, 11) / 2;
    if (!labelled || x - half < free) return [];
    free = x + half + 4;
    return [text(words, x, height + 13, { size: 11, anchor: "middle" })];
  });
  return element(
    "g",
    {},
    ...(grid ? [lines(shown.map(({ x }) => `M${pixel(x)},0V${height}`))] : []),
    element("path", { d: `M0,${height}H${width}`, ...stroke(AXIS) }),
    ...labels,
    ...(title === undefined ? [] : [text(title, width / 2, height + 34, { anchor: "middle" })]),
  );
}

/** The axis to the left of a plot area. */
export function leftAxis({ scale, ticks, label, title, grid = true }: AxisParts, area: PlotArea): Svg {
  const { left, width, height } = area;
  const shown = ticks.map((tick) => ({ ...tick, y: scale.at(tick.value) }));
  return element(
    "g",
    {},
    ...(grid ? [lines(shown.map(({ y }) => `M0,${pixel(y)}H${width}`))] : []),
    element("path", { d: `M0,0V${height}`, ...stroke(AXIS) }),
    ...shown.flatMap(({ value, labelled, y }) =>
      labelled ? [text(label(value), -7, y, { size: 11, anchor: "end" })] : [],
    ),
    ...(title === undefined ? [] : [text(title, 20 - left, height / 2, { anchor: "middle", angle: -90 })]),
  );
}

function lines(paths: readonly string[]): Svg {
  return element("path", { d: paths.join("") || "M0,0", ...stroke(GRID) });
}

/** The middle of a row of pixels, where a line of one pixel is sharp. */
function pixel(place: number): number {
  return Math.round(place - 0.5) + 0.5;
}
