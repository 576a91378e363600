import type { LineEncodeEntry, Mark } from "vega";
import { type Column, type Points, thin } from "./decimate.ts";
import { INK } from "./furniture.ts";
import { lookOf } from "./palette.ts";
import { drawable, formatCount } from "./text.ts";

/** More messages than this stand closer to each other than their points are wide. */
const SPARSE = 200;

/** A point for every message that is kept of the n-th series. */
export function pointMarks(one: Points, columns: readonly Column[], n: number): Mark {
  const { colour, shape } = lookOf(n);
  const values = columns.flatMap(({ lowest, middle, highest }) =>
    [...new Set([lowest, middle, highest])].flatMap((at) => dot(one, at)),
  );
  return lines(values, {
    stroke: { value: colour },
    strokeCap: { value: shape === "circle" ? "round" : "square" },
    strokeOpacity: { value: 0.8 },
    strokeWidth: { value: columns.length > SPARSE ? 3 : 5 },
  });
}

/** A line from the lowest to the highest message of every column in which others are left out. */
export function spanMarks(one: Points, columns: readonly Column[], n: number): Mark {
  const values = columns
    .filter(({ count }) => count > 3)
    .flatMap(({ lowest, highest }) => [row(one, lowest), row(one, highest), gap(one, highest)]);
  return lines(values, {
    stroke: { value: lookOf(n).colour },
    strokeOpacity: { value: 0.3 },
    strokeWidth: { value: 1 },
  });
}

interface Row {
  readonly index: number;
  readonly ms: number;
  /** Pixels to the right of the index. */
  readonly aside: number;
  /** False where a line ends. */
  readonly drawn: boolean;
}

/** A line so short that its caps make it a point: the least of SVG per point, of which there are thousands. */
function dot(one: Points, at: number): Row[] {
  return [row(one, at), { ...row(one, at), aside: 0.01 }, gap(one, at)];
}

function row({ index, ms }: Points, at: number): Row {
  return { index: index[at]!, ms: ms[at]!, aside: 0, drawn: true };
}

function gap(one: Points, at: number): Row {
  return { ...row(one, at), drawn: false };
}

function lines(values: Row[], look: LineEncodeEntry): Mark {
  return {
    type: "group",
    data: [{ name: "rows", values }],
    marks: [
      {
        type: "line",
        from: { data: "rows" },
        encode: {
          enter: {
            x: { scale: "x", field: "index", offset: { field: "aside" } },
            y: { scale: "y", field: "ms" },
            defined: { field: "drawn" },
            ...look,
          },
        },
      },
    ],
  };
}

/** Pixels of one row of marks for dropped messages. */
export const DROPPED_ROW = 12;

/** Dropped messages of the n-th series in a row of their own, which ends so many pixels above the plot, and their number. */
export function droppedMarks(
  { name, dropped }: { readonly name: string; readonly dropped: ArrayLike<number> },
  n: number,
  { above, width, last }: { above: number; width: number; last: number },
): Mark {
  const y = { value: -above - DROPPED_ROW / 2 };
  const text = `${drawable(name, 14)}: ${formatCount(dropped.length)} dropped`;
  return {
    type: "group",
    data: [
      { name: "dropped", values: thin(dropped, width, last).map((index) => ({ index })) },
      { name: "caption", values: [{ text }] },
    ],
    marks: [
      {
        type: "rule",
        from: { data: "dropped" },
        encode: {
          enter: {
            x: { scale: "x", field: "index" },
            y: { ...y, offset: 4.5 },
            y2: { ...y, offset: -4.5 },
            stroke: { value: lookOf(n).colour },
          },
        },
      },
      {
        type: "text",
        from: { data: "caption" },
        encode: {
          enter: {
            x: { value: width + 8 },
            y,
            text: { field: "text" },
            baseline: { value: "middle" },
            fontSize: { value: 11 },
            fill: { value: INK },
          },
        },
      },
    ],
  };
}
