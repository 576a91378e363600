import { type Bar, type Part, sumOf } from "./bar-layout.ts";
import { stackedBars } from "./bars.ts";
import { type Chart, draw } from "./draw.ts";
import type { Subject } from "./frame.ts";
import { formatMs } from "./text.ts";

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

/** The median time of every stage, one bar per codec. */
export function drawStages(subject: Subject, series: readonly StageSeries[]): Promise<string> {
  return draw(stages(subject, series));
}

const PARTS: readonly Part[] = [
  { label: "encode", colour: "#0072B2", ink: "#FFFFFF" },
  { label: "transport", colour: "#56B4E9", ink: "#000000" },
  { label: "queue", colour: "#E69F00", ink: "#000000" },
  { label: "decode and read", colour: "#D55E00", ink: "#000000" },
];

/** The chart that {@link drawStages} draws. */
export function stages(subject: Subject, series: readonly StageSeries[]): Chart {
  const received = series.reduce((sum, { messages }) => sum + messages, 0);
  return stackedBars({
    title: "Where the time of a message goes",
    subject,
    reading:
      "Medians of each stage and their sum, which is near the median of the whole but need not be equal to it",
    notice: received === 0 ? "no message was received" : undefined,
    axis: { title: "median time (ms)" },
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
  return { name: "", lengths, label: `${formatMs(sumOf(lengths))} ms${few}` };
}
