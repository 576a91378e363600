import { BLUE, ON_BLUE, ON_COLOUR, ORANGE, SKY, VERMILION } from "../../chart/palette.ts";
import { type Bar, drawStackedBars, type Part } from "../../chart/stacked-bars.ts";
import { formatMs, type Subject, subjectLine } from "./labels.ts";

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

const PARTS: readonly Part[] = [
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
    parts: PARTS,
    groups: series.map((one) => ({ name: one.name, bars: [barOf(one)] })),
    format: formatMs,
  });
}

/** From as many on a median is told without saying of how many. */
const MANY = 20;

function barOf({ messages, encode = 0, transport = 0, queue = 0, decode = 0 }: StageSeries): Bar {
  const lengths = [encode, transport, queue, decode];
  if (messages === 0) return { name: "", lengths, label: "no message" };
  const few = messages < MANY ? `, ${messages === 1 ? "1 message" : `${messages} messages`}` : "";
  return { name: "", lengths, label: `${formatMs(encode + transport + queue + decode)} ms${few}` };
}
