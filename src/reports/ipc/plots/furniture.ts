import type { Config, Mark } from "vega";

/** Pixels from one entry of a legend to the next. */
export const LEGEND_ROW = 18;

/** Colour of text. */
export const INK = "#222222";

/** How axes look. */
export const CONFIG: Config = {
  axis: {
    domainColor: "#888888",
    gridColor: "#E6E6E6",
    labelColor: INK,
    labelFontSize: 11,
    labelOverlap: true,
    tickColor: "#888888",
    titleColor: INK,
    titleFontSize: 12,
    titleFontWeight: "normal",
    titlePadding: 8,
  },
};

/** The entries of the data `legend`, below each other, at so many pixels from the left of the plot. */
export function legendMarks(x: number): Mark[] {
  const from = { data: "legend" };
  const y = { field: "y" } as const;
  return [
    {
      type: "symbol",
      from,
      encode: {
        enter: {
          x: { value: x },
          y,
          shape: { field: "shape" },
          size: { field: "size" },
          fill: { field: "colour" },
          stroke: { field: "colour" },
          strokeDash: { field: "dash" },
          strokeWidth: { value: 2 },
        },
      },
    },
    {
      type: "text",
      from,
      encode: {
        enter: {
          x: { value: x + 15 },
          y,
          text: { field: "label" },
          baseline: { value: "middle" },
          fill: { value: INK },
          fontSize: { value: 12 },
        },
      },
    },
  ];
}

/** The data `words`: lines of text at their pixels. */
export const WORDS: Mark = {
  type: "text",
  from: { data: "words" },
  encode: {
    enter: {
      x: { field: "x" },
      y: { field: "y" },
      text: { field: "text" },
      align: { field: "align" },
      fontSize: { field: "size" },
      fontWeight: { field: "weight" },
      fill: { value: INK },
    },
  },
};

/** A title for vertical axes that share one, left of the plot. */
export function verticalTitle(text: string, { height, left }: { height: number; left: number }): Mark {
  return {
    type: "text",
    encode: {
      enter: {
        x: { value: 20 - left },
        y: { value: height / 2 },
        text: { value: text },
        angle: { value: -90 },
        align: { value: "center" },
        fontSize: { value: 12 },
        fill: { value: INK },
      },
    },
  };
}
