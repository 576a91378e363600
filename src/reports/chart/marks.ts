/** Lines, areas and points of a chart, in pixels of its plot area. */
import { area, line } from "d3-shape";
import { type Colour, fill, type Look, stroke } from "./palette.ts";
import { element, pixels, type Svg } from "./svg.ts";

/** Pixels to the right and down. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A line through points. */
export function curve(
  points: readonly Point[],
  { colour, dash, width = 2 }: { colour: Colour; dash?: string | undefined; width?: number },
): Svg {
  const path = line<Point>(
    ({ x }) => x,
    ({ y }) => y,
  ).digits(2);
  return element("path", {
    d: path(points) ?? "",
    ...stroke(colour, width),
    "stroke-linejoin": "round",
    "stroke-dasharray": dash,
  });
}

/** What lies between a lower and an upper line. */
export function band(
  points: readonly { readonly x: number; readonly low: number; readonly high: number }[],
  colour: Colour,
): Svg {
  const path = area<(typeof points)[number]>(
    ({ x }) => x,
    ({ low }) => low,
    ({ high }) => high,
  ).digits(2);
  return element("path", {
    d: path(points) ?? "",
    ...fill(colour),
    stroke: colour.light,
    class: `f-${colour.name} s-${colour.name}`,
    "fill-opacity": 0.4,
    "stroke-opacity": 0.7,
  });
}

/** Points, in one element: the least of SVG per point, of which there are thousands. */
export function dots(points: readonly Point[], { colour, shape }: Look, size: number): Svg {
  return element("path", {
    // Lines so short that their caps make them points.
    d: points.map(({ x, y }) => `M${pixels(x)},${pixels(y)}h.01`).join(""),
    ...stroke(colour, size),
    "stroke-linecap": shape === "circle" ? "round" : "square",
    "stroke-opacity": 0.8,
  });
}

/** Upright lines, each between two heights, in one element. */
export function uprights(
  lines: readonly { readonly x: number; readonly from: number; readonly to: number }[],
  colour: Colour,
  opacity?: number,
): Svg {
  return element("path", {
    d: lines.map(({ x, from, to }) => `M${pixels(x)},${pixels(from)}V${pixels(to)}`).join(""),
    ...stroke(colour),
    "stroke-opacity": opacity,
  });
}

/** One point, as large as its half diagonal. */
export function diamond({ x, y }: Point, colour: Colour, half = 6): Svg {
  const d = `M${pixels(x)},${pixels(y - half)}l${half},${half}l${-half},${half}l${-half},${-half}Z`;
  return element("path", { d, ...fill(colour) });
}

/** One point. */
export function disc({ x, y }: Point, colour: Colour, radius = 4.5): Svg {
  return element("circle", { cx: x, cy: y, r: radius, ...fill(colour) });
}

/** A rectangle with its corners at these pixels. */
export function bar(
  { left, right, top, bottom }: { left: number; right: number; top: number; bottom: number },
  colour: Colour,
): Svg {
  return element("rect", { x: left, y: top, width: right - left, height: bottom - top, ...fill(colour) });
}
