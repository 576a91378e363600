import type { IpcPair } from "../../../model/records/ipc.ts";
import type { Bar, Part } from "./bar-layout.ts";
import { stackedBars } from "./bars.ts";
import { type Chart, draw } from "./draw.ts";
import type { Subject } from "./frame.ts";
import { formatCount, formatMs } from "./text.ts";

/** What became of one codec's messages on their way from every talker to every listener. */
export interface DropSeries {
  /** The codec. */
  readonly name: string;
  readonly pairs: readonly PairCounts[];
}

/** What is drawn of a pair. */
export type PairCounts = Pick<IpcPair, "talker" | "listener" | "received" | "drops" | "totalMs">;

/** Received and dropped messages of every pair of talker and listener, and how long all of them took. */
export function drawDrops(subject: Subject, series: readonly DropSeries[]): Promise<string> {
  return draw(drops(subject, series));
}

const PARTS: readonly Part[] = [
  { label: "received", colour: "#0072B2", ink: "#FFFFFF" },
  { label: "dropped at sender", colour: "#E69F00", ink: "#000000" },
  { label: "overwritten", colour: "#CC79A7", ink: "#000000" },
  { label: "dropped at receiver", colour: "#D55E00", ink: "#000000" },
];

/** The chart that {@link drawDrops} draws. */
export function drops(subject: Subject, series: readonly DropSeries[]): Chart {
  return stackedBars({
    title: "Received and dropped messages",
    subject,
    reading:
      "0 → 1 is from talker 0 to listener 1; the time is from the first message's turn to when the last was read",
    notice: series.every(({ pairs }) => pairs.length === 0) ? "no messages" : undefined,
    axis: { title: "messages", tickMinStep: 1 },
    parts: PARTS,
    groups: series.map(({ name, pairs }) => ({
      name,
      bars: pairs.length === 0 ? [NO_BAR] : pairs.map(barOf),
    })),
    format: formatCount,
  });
}

const NO_BAR: Bar = { name: "", lengths: PARTS.map(() => 0), label: "no messages" };

function barOf(pair: PairCounts): Bar {
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
