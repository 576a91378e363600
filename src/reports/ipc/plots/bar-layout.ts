import { drawable } from "./text.ts";

/** What the bars are stacked of, from left to right. */
export interface Part {
  readonly label: string;
  readonly colour: string;
  /** Colour of text on it. */
  readonly ink: string;
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

/** A bar and the pixels from the top of the plot to its middle. */
export type PlacedBar = Bar & { readonly y: number };

/** Text and its pixels in the plot. */
export interface Label {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly align: "left" | "right" | "center";
}

/** Pixels of a bar with the space to the next one, and between groups. */
const ROW = { least: 18, most: 44 } as const;
const GAP = 10;
/** Pixels that a character takes at most, on average. */
const CHARACTER = 7.2;

/** Pixels that the groups are high at least. */
export function leastHeight(groups: readonly BarGroup[]): number {
  return rowsOf(groups) * ROW.least + gapsOf(groups);
}

/** Pixels from one bar to the next in a plot of that height. */
export function rowHeight(groups: readonly BarGroup[], height: number): number {
  return Math.min(ROW.most, (height - gapsOf(groups)) / Math.max(1, rowsOf(groups)));
}

/** Bars from the top down, and the names of their groups. */
export function place(groups: readonly BarGroup[], row: number): { bars: PlacedBar[]; names: Label[] } {
  const bars: PlacedBar[] = [];
  const names: Label[] = [];
  const x = areNamed(groups) ? -62 : -10;
  let top = GAP;
  for (const group of groups) {
    names.push({ text: drawable(group.name, 20), x, y: top + (group.bars.length * row) / 2, align: "right" });
    bars.push(...group.bars.map((bar, n) => ({ ...bar, y: top + (n + 0.5) * row })));
    top += group.bars.length * row + GAP;
  }
  return { bars, names };
}

/** Whether bars have names beside those of their groups. */
export function areNamed(groups: readonly BarGroup[]): boolean {
  return groups.some(({ bars }) => bars.some(({ name }) => name !== ""));
}

/** The parts of a bar of that height as rectangles, each with its length as text where that fits. */
export function segmentsOf(
  { lengths, y }: PlacedBar,
  parts: readonly Part[],
  { pixels, height, format }: { pixels: number; height: number; format: (length: number) => string },
): object[] {
  return parts.map(({ colour, ink }, n) => {
    const width = lengths[n]! * pixels;
    const left = sumOf(lengths.slice(0, n)) * pixels;
    const text = format(lengths[n]!);
    const label: Label = {
      text: widthOf(text) + 6 <= width ? text : "",
      x: left + width / 2,
      y,
      align: "center",
    };
    return { ...label, ink, colour, left, right: left + width, top: y - height / 2, bottom: y + height / 2 };
  });
}

/** All parts of a bar. */
export function sumOf(lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** Pixels that text takes at most. */
export function widthOf(text: string): number {
  return CHARACTER * [...text].length;
}

function rowsOf(groups: readonly BarGroup[]): number {
  return groups.reduce((sum, { bars }) => sum + bars.length, 0);
}

function gapsOf(groups: readonly BarGroup[]): number {
  return (groups.length + 1) * GAP;
}
