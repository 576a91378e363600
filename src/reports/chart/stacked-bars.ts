/** Grouped and stacked bars from left to right. */
import { bottomAxis, drawFigure, type Figure, plotArea } from "./figure.ts";
import { bar } from "./marks.ts";
import type { Colour } from "./palette.ts";
import { linearScale, plainLabel } from "./scale.ts";
import { drawable, type Svg, text, widthOf } from "./svg.ts";

/** What the bars are stacked of, from left to right. */
export interface Part {
  readonly label: string;
  readonly colour: Colour;
  /** Colour of text on it. */
  readonly ink: Colour;
}

/** One bar, and what stands beside it. */
export interface Bar {
  /** To its left; empty for a bar that is alone in its group. */
  readonly name: string;
  /** Of each part. */
  readonly lengths: readonly number[];
  /** To its right. */
  readonly label: string;
}

/** Bars next to each other under one name. */
export interface BarGroup {
  readonly name: string;
  readonly bars: readonly Bar[];
}

/** What is particular about a chart of bars. */
export interface BarChart extends Pick<Figure, "title" | "subject" | "reading" | "notice"> {
  /** Of lengths, with their unit. */
  readonly axisTitle: string;
  /** Whether there are no lengths between whole numbers. */
  readonly whole?: boolean;
  readonly parts: readonly Part[];
  readonly groups: readonly BarGroup[];
  /** A length inside its bar. */
  format(length: number): string;
}

/** Pixels of a bar with the space to the next one, and between groups. */
const ROW = { least: 18, most: 44 } as const;
const GAP = 10;

/** Draws a chart of bars. */
export function drawStackedBars(chart: BarChart): string {
  const { parts, groups, axisTitle, whole = false, format, ...words } = chart;
  const all = groups.flatMap(({ bars }) => bars);
  const named = all.some(({ name }) => name !== "");
  const gaps = (groups.length + 1) * GAP;
  const area = plotArea({
    left: named ? 230 : 176,
    entries: parts.length,
    content: all.length * ROW.least + gaps,
  });
  const row = Math.min(ROW.most, (area.height - gaps) / Math.max(1, all.length));
  // What stands beside the longest bar must still fit into the plot.
  const right = area.width - Math.max(0, ...all.map(({ label }) => widthOf(label))) - 12;
  const x = linearScale([0, Math.max(0, ...all.map(totalOf)) || 1], [0, right]);
  const ticks = x.ticks(6).filter(({ value }) => !whole || Number.isInteger(value));
  const marks = [bottomAxis({ scale: x, ticks, label: plainLabel, title: axisTitle }, area)];
  let top = GAP;
  for (const { name, bars } of groups) {
    const middle = top + (bars.length * row) / 2;
    marks.push(text(drawable(name, 20), named ? -62 : -10, middle, { anchor: "end" }));
    for (const one of bars) {
      marks.push(...drawBar(one, { y: top + row / 2, height: row - 4, parts, at: x.at, format }));
      top += row;
    }
    top += GAP;
  }
  return drawFigure({ ...words, legend: parts.map((part) => ({ ...part, shape: "square" })), area, marks });
}

function totalOf({ lengths }: Bar): number {
  return lengths.reduce((sum, length) => sum + length, 0);
}

function drawBar(
  one: Bar,
  {
    y,
    height,
    parts,
    at,
    format,
  }: Pick<BarChart, "parts" | "format"> & {
    y: number;
    height: number;
    at(length: number): number;
  },
): Svg[] {
  const drawn: Svg[] = [];
  let length = 0;
  for (const [n, { colour, ink }] of parts.entries()) {
    const [left, right] = [at(length), at(length + one.lengths[n]!)];
    length += one.lengths[n]!;
    if (right <= left) continue;
    drawn.push(bar({ left, right, top: y - height / 2, bottom: y + height / 2 }, colour));
    const inside = format(one.lengths[n]!);
    if (widthOf(inside, 11) + 6 <= right - left)
      drawn.push(text(inside, (left + right) / 2, y, { size: 11, colour: ink, anchor: "middle" }));
  }
  if (one.name !== "") drawn.push(text(one.name, -10, y, { anchor: "end" }));
  return [...drawn, text(one.label, at(length) + 7, y)];
}
