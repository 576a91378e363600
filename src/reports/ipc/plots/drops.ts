import type { IpcPair } from "../../../model/records/ipc.ts";
import { BLUE, ON_BLUE, ON_COLOUR, ORANGE, PURPLE, VERMILION } from "../../chart/palette.ts";
import { type Bar, drawStackedBars, type Part } from "../../chart/stacked-bars.ts";
import { formatCount } from "../../units.ts";
import { formatMs, type Subject, subjectLine } from "./labels.ts";

/** What became of one codec's messages on their way from every talker to every listener. */
export interface DropSeries {
  /** The codec. */
  readonly name: string;
  readonly pairs: readonly PairCounts[];
}

/** What is drawn of a pair. */
export type PairCounts = Pick<IpcPair, "talker" | "listener" | "received" | "drops" | "totalMs">;

const PARTS: readonly Part[] = [
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
