import type { Comparison } from "../../model/records/comparison.ts";
import { formatShare } from "../../model/share.ts";

/** What should make a reader of a comparison careful, in sentences without a full stop. */
export function warningsOf(comparison: Omit<Comparison, "warnings">): string[] {
  const { method, base, head, differences, noiseMeasured, cells, shift, gate, threshold } = comparison;
  const { detectable, failIfSlower } = comparison;
  // Null where a single process says nothing of chance: then nothing at all is found.
  const found = Math.max(gate, detectable ?? Number.POSITIVE_INFINITY);
  const interrupted = [base, head].filter(({ complete }) => !complete).map(({ source }) => source);
  return [
    ...differences.map((one) => {
      const forced = one.weight === "forced" ? ": times of the two cannot be compared" : "";
      return `${one.what}: ${one.base} in the base, ${one.head} in the head${forced}`;
    }),
    ...[...new Set(interrupted)].map((source) => `${source}: the run was interrupted`),
    ...(noiseMeasured || cells.length === 0
      ? []
      : [
          "no run measured its own noise, as the profiles standard and thorough do: the gate is the threshold alone",
        ]),
    ...(failIfSlower === undefined || cells.length === 0 || found <= failIfSlower.limit
      ? []
      : [
          `the limit of ${formatShare(failIfSlower.limit)} is below what is found four times in five, ${Number.isFinite(found) ? formatShare(found) : "which is nothing"}: cells that are slower by more may pass`,
        ]),
    ...(method === "records" && shift?.machine === true
      ? [
          `the whole machine was ${formatShare(Math.abs(shift.median - 1))} ${shift.median > 1 ? "slower" : "faster"} in the head: ${shift.together} of ${shift.cells} cells moved that way, by more than the threshold of ${formatShare(threshold)} in the middle; what they share changed, not the codecs, and no ratio is corrected for it`,
        ]
      : []),
  ];
}
