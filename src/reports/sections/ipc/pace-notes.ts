import type { IpcTestRecord } from "../../../model/records/ipc.ts";
import { oneLine } from "../../escape.ts";
import { formatBytes } from "../../units.ts";
import { measured } from "./sections.ts";

/** How far a test may fall behind its pace before that is said. */
const LATE = 1.1;

/** The codecs that did not keep the pace that was asked for, a line each. */
export function paceNotes(rows: readonly IpcTestRecord[]): string[] {
  return measured(rows).flatMap(({ codec, rateHz, pairs }) => {
    if (rateHz === undefined) return [];
    // The last message is due one turn before the time is over.
    const kept = pairs.map(({ published, totalMs }) => (published - 1) / (totalMs / 1000));
    const least = Math.min(...kept.filter((rate) => rate > 0));
    if (!(least * LATE < rateHz) || !Number.isFinite(least)) return [];
    return [
      oneLine(
        `${codec} did not keep the pace: ${formatBytes(Math.round(least))} of ${formatBytes(rateHz)} messages per second`,
      ),
    ];
  });
}
