import type { Axis, Mark } from "vega";
import {
  areNamed,
  type BarGroup,
  type Label,
  leastHeight,
  type Part,
  place,
  rowHeight,
  segmentsOf,
  sumOf,
  widthOf,
} from "./bar-layout.ts";
import type { Chart } from "./draw.ts";
import { frame, plotOf, type Subject } from "./frame.ts";
import { INK } from "./furniture.ts";

/** What is particular about a chart of bars. */
export interface BarParts {
  readonly title: string;
  readonly subject: Subject;
  readonly reading: string;
  readonly notice: string | undefined;
  /** Of lengths; its title has the unit. */
  readonly axis: Pick<Axis, "title" | "tickMinStep">;
  readonly parts: readonly Part[];
  readonly groups: readonly BarGroup[];
  /** A length inside its bar. */
  format(length: number): string;
}

/** Grouped and stacked bars from left to right. */
export function stackedBars({ parts, groups, axis, format, ...words }: BarParts): Chart {
  const left = areNamed(groups) ? 230 : 176;
  const plot = plotOf({ left, entries: parts.length, content: leastHeight(groups) });
  const row = rowHeight(groups, plot.height);
  const { bars, names } = place(groups, row);
  const longest = Math.max(0, ...bars.map(({ lengths }) => sumOf(lengths))) || 1;
  // What stands beside the longest bar must still fit into the plot.
  const right = plot.width - Math.max(0, ...bars.map(({ label }) => widthOf(label))) - 12;
  const pixels = right / longest;
  const beside = bars.flatMap(({ name, label, lengths, y }): Label[] => [
    { text: name, x: -10, y, align: "right" },
    { text: label, x: sumOf(lengths) * pixels + 7, y, align: "left" },
  ]);
  const drawing = { pixels, height: row - 4, format };
  return frame({
    ...words,
    legend: parts.map(({ label, colour }) => ({ label, colour, shape: "square" })),
    plot,
    data: [
      { name: "segments", values: bars.flatMap((bar) => segmentsOf(bar, parts, drawing)) },
      { name: "labels", values: [...names, ...beside] },
    ],
    scales: [{ name: "x", type: "linear", domain: [0, longest], range: [0, right] }],
    axes: [{ ...axis, scale: "x", orient: "bottom", format: ",~r", grid: true, tickCount: 6 }],
    marks: [RECTANGLES, text("segments", 11), text("labels", 12)],
  });
}

const RECTANGLES: Mark = {
  type: "rect",
  from: { data: "segments" },
  encode: {
    enter: {
      x: { field: "left" },
      x2: { field: "right" },
      y: { field: "top" },
      y2: { field: "bottom" },
      fill: { field: "colour" },
    },
  },
};

function text(data: "segments" | "labels", fontSize: number): Mark {
  return {
    type: "text",
    from: { data },
    encode: {
      enter: {
        x: { field: "x" },
        y: { field: "y" },
        text: { field: "text" },
        align: { field: "align" },
        baseline: { value: "middle" },
        fontSize: { value: fontSize },
        fill: data === "segments" ? { field: "ink" } : { value: INK },
      },
    },
  };
}
