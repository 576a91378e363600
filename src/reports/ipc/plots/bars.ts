/** Grouped and stacked bars from left to right. */
import type { IpcPair } from "../../../model/records/ipc.ts";
import { bottomAxis, drawFigure, type Figure, plotArea } from "../../chart/figure.ts";
import { bar } from "../../chart/marks.ts";
import {
  BLUE,
  type Colour,
  ON_BLUE,
  ON_COLOUR,
  ORANGE,
  PURPLE,
  SKY,
  VERMILION,
} from "../../chart/palette.ts";
import { linearScale, plainLabel, type Scale } from "../../chart/scale.ts";
import { drawable, type Svg, text, widthOf } from "../../chart/svg.ts";
import { formatCount } from "../../units.ts";
import { formatMs, type Subject, subjectLine } from "./labels.ts";

/** What the bars are stacked of, from left to right. */
interface Part {
  readonly label: string;
  readonly colour: Colour;
  /** Colour of text on it. */
  readonly ink: Colour;
}

/** One bar, and what stands beside it. */
interface Bar {
  /** To its left; empty for a bar that is alone in its group. */
  readonly name: string;
  /** Of each part. */
  readonly lengths: readonly number[];
  /** To its right. */
  readonly label: string;
}

/** Bars next to each other under one name. */
interface BarGroup {
  readonly name: string;
  readonly bars: readonly Bar[];
}

/** What is particular about a chart of bars. */
interface BarChart extends Pick<Figure, "title" | "subject" | "reading" | "notice"> {
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
function drawStackedBars(chart: BarChart): string {
  const { parts, groups, axisTitle, whole = false, ...words } = chart;
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
      marks.push(...drawBar(one, chart, { at: x.at, y: top + row / 2, height: row - 4 }));
      top += row;
    }
    top += GAP;
  }
  return drawFigure({ ...words, legend: parts.map((part) => ({ ...part, shape: "square" })), area, marks });
}

function totalOf({ lengths }: Bar): number {
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** Draws one bar with what stands beside it, in a row whose middle is `y`. */
function drawBar(
  { name, lengths, label }: Bar,
  { parts, format }: BarChart,
  { at, y, height }: { readonly at: Scale["at"]; readonly y: number; readonly height: number },
): Svg[] {
  const drawn: Svg[] = [];
  let left = at(0);
  let sum = 0;
  for (const [n, { colour, ink }] of parts.entries()) {
    const length = lengths[n]!;
    sum += length;
    const right = at(sum);
    if (right <= left) continue;
    drawn.push(bar({ left, right, top: y - height / 2, bottom: y + height / 2 }, colour));
    const inside = format(length);
    if (widthOf(inside, 11) + 6 <= right - left)
      drawn.push(text(inside, (left + right) / 2, y, { size: 11, colour: ink, anchor: "middle" }));
    left = right;
  }
  if (name !== "") drawn.push(text(name, -10, y, { anchor: "end" }));
  return [...drawn, text(label, left + 7, y)];
}

/** Where the time of one codec's messages went: medians in milliseconds, absent where there is none. */
export interface StageSeries {
  /** The codec. */
  readonly name: string;
  /** How many messages the medians are of. */
  readonly messages: number;
  readonly encode?: number | undefined;
  readonly transport?: number | undefined;
  readonly queue?: number | undefined;
  readonly decode?: number | undefined;
}

const STAGES: readonly Part[] = [
  { label: "encode", colour: BLUE, ink: ON_BLUE },
  { label: "transport", colour: SKY, ink: ON_COLOUR },
  { label: "queue", colour: ORANGE, ink: ON_COLOUR },
  { label: "decode and read", colour: VERMILION, ink: ON_COLOUR },
];

/** Draws the median time of every stage, one bar per codec. */
export function drawStages(subject: Subject, series: readonly StageSeries[]): string {
  const received = series.reduce((sum, { messages }) => sum + messages, 0);
  return drawStackedBars({
    title: "Where the time of a message goes",
    subject: subjectLine(subject),
    reading:
      "Medians of each stage and their sum, which is near the median of the whole but need not be equal to it",
    notice: received === 0 ? "no message was received" : undefined,
    axisTitle: "median time (ms)",
    parts: STAGES,
    groups: series.map((one) => ({ name: one.name, bars: [stageBar(one)] })),
    format: formatMs,
  });
}

/** From as many on a median is given without its count. */
const MANY = 20;

function stageBar({ messages, encode = 0, transport = 0, queue = 0, decode = 0 }: StageSeries): Bar {
  const lengths = [encode, transport, queue, decode];
  if (messages === 0) return { name: "", lengths, label: "no message" };
  const few = messages < MANY ? `, ${messages === 1 ? "1 message" : `${messages} messages`}` : "";
  return { name: "", lengths, label: `${formatMs(encode + transport + queue + decode)} ms${few}` };
}

/** What became of one codec's messages on their way from every talker to every listener. */
export interface DropSeries {
  /** The codec. */
  readonly name: string;
  readonly pairs: readonly PairCounts[];
}

/** What is drawn of a pair. */
export type PairCounts = Pick<IpcPair, "talker" | "listener" | "received" | "drops" | "totalMs">;

const OUTCOMES: readonly Part[] = [
  { label: "received", colour: BLUE, ink: ON_BLUE },
  { label: "dropped at sender", colour: ORANGE, ink: ON_COLOUR },
  { label: "overwritten", colour: PURPLE, ink: ON_COLOUR },
  { label: "dropped at receiver", colour: VERMILION, ink: ON_COLOUR },
];

/** Draws the received and dropped messages of every pair of talker and listener, and how long all of them took. */
export function drawDrops(subject: Subject, series: readonly DropSeries[]): string {
  return drawStackedBars({
    title: "Received and dropped messages",
    subject: subjectLine(subject),
    reading:
      "0 → 1 is from talker 0 to listener 1; the time is from the first message's turn to when the last was read",
    notice: series.every(({ pairs }) => pairs.length === 0) ? "no messages" : undefined,
    axisTitle: "messages",
    whole: true,
    parts: OUTCOMES,
    groups: series.map(({ name, pairs }) => ({
      name,
      bars: pairs.length === 0 ? [NO_BAR] : pairs.map(pairBar),
    })),
    format: formatCount,
  });
}

const NO_BAR: Bar = { name: "", lengths: OUTCOMES.map(() => 0), label: "no messages" };

function pairBar(pair: PairCounts): Bar {
  const { talker, listener, received, drops } = pair;
  return {
    name: `${talker} → ${listener}`,
    lengths: [received, drops.sender, drops.overwritten, drops.receiver],
    label: labelOf(pair),
  };
}

function labelOf({ received, drops, totalMs }: PairCounts): string {
  const dropped = drops.sender + drops.overwritten + drops.receiver;
  if (received === 0) return dropped === 0 ? "no messages" : `all ${formatCount(dropped)} dropped`;
  return `${formatMs(totalMs)} ms${dropped === 0 ? "" : `, ${formatCount(dropped)} dropped`}`;
}
