import type { Axis, Data, Mark, Scale } from "vega";
import type { Chart } from "./draw.ts";
import { CONFIG, LEGEND_ROW, legendMarks, WORDS } from "./furniture.ts";
import { drawable } from "./text.ts";

/** What was measured: stands under the title of every chart. */
export interface Subject {
  readonly test: string;
  readonly dataset: string;
  readonly transport: string;
}

/** One entry of a legend. */
export interface LegendEntry {
  readonly label: string;
  readonly colour: string;
  readonly shape: "circle" | "square" | "stroke";
  readonly dash?: number[] | null;
}

/** Pixels of the plot, and of what is left of it and above it. */
export interface Plot {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly top: number;
}

/** What is particular about a chart. */
export interface ChartParts {
  readonly title: string;
  readonly subject: Subject;
  /** How to read it, in one line. */
  readonly reading: string;
  /** Stands in the middle of a chart that has little else to show. */
  readonly notice?: string | undefined;
  readonly legend: readonly LegendEntry[];
  readonly plot: Plot;
  readonly data: readonly Data[];
  readonly scales: readonly Scale[];
  readonly axes?: readonly Axis[];
  readonly marks: readonly Mark[];
}

const WIDTH = 900;
const HEIGHT = 450;
const RIGHT = 200;
const BOTTOM = 50;

/** The plot of a picture of 900 × 450 pixels, which is higher where so many legend entries or pixels need it. */
export function plotOf({ left = 74, top = 78, entries = 0, content = 0 }): Plot {
  const height = Math.max(HEIGHT - top - BOTTOM, entries * LEGEND_ROW, content);
  return { left, top, width: WIDTH - left - RIGHT, height };
}

/** Title, legend, notice and margins around the marks of a chart. */
export function frame(parts: ChartParts): Chart {
  const { plot, notice, reading } = parts;
  const { test, dataset, transport } = parts.subject;
  // As much of each as still fits into one line.
  const [testName, datasetName, transportName] = [
    drawable(test, 44),
    drawable(dataset, 24),
    drawable(transport, 32),
  ];
  const subject = `test ${testName}  ·  dataset ${datasetName}  ·  transport ${transportName}`;
  const legend = parts.legend.map((entry) => ({ ...entry, label: drawable(entry.label, 22) }));
  const words = [
    { text: parts.title, y: 26, size: 16, weight: "bold" },
    { text: subject, y: 44, size: 12, weight: "normal" },
    { text: reading, y: 60, size: 11, weight: "normal" },
  ].map((line) => ({ ...line, x: 16 - plot.left, y: line.y - plot.top, align: "left" }));
  const inside = { x: plot.width / 2, y: plot.height / 2, size: 14, weight: "bold", align: "center" };
  return {
    title: `${parts.title}: ${subject}`,
    description: [notice, reading, ...legend.map(({ label }) => label)].filter(Boolean).join("; "),
    spec: {
      width: plot.width,
      height: plot.height,
      padding: { left: plot.left, top: plot.top, right: RIGHT, bottom: BOTTOM },
      autosize: "none",
      background: "white",
      config: CONFIG,
      data: [
        ...parts.data,
        {
          name: "legend",
          values: legend.map((entry, n) => ({ ...symbolOf(entry), y: (n + 0.5) * LEGEND_ROW })),
        },
        { name: "words", values: notice === undefined ? words : [...words, { text: notice, ...inside }] },
      ],
      scales: [...parts.scales],
      axes: [...(parts.axes ?? [])],
      marks: [...parts.marks, ...legendMarks(plot.width + 22), WORDS],
    },
  };
}

function symbolOf({ label, colour, shape, dash }: LegendEntry): object {
  // Half a symbol is wide as the root of its size is long.
  return shape === "stroke" ? { label, colour, shape, dash, size: 400 } : { label, colour, shape, size: 100 };
}
