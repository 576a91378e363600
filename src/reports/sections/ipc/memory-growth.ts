import type { IpcProcess } from "../../../model/records/ipc.ts";

/** Messages until which memory is filled for the first time, and its growth says nothing of the long run. */
const SETTLING = 1000;

/** Samples that are compared with each other; more are thinned to about as many. */
const COMPARED = 300;

/**
 * Bytes by which a process grew per 1,000 messages after the first 1,000: the median of the slopes between pairs of
 * samples, which a collection of garbage moves little. Undefined where fewer than two samples tell.
 */
export function memoryGrowth({ rssSamples }: Pick<IpcProcess, "rssSamples">): number | undefined {
  const settled = rssSamples.filter(({ messages }) => messages >= SETTLING);
  const step = Math.ceil(settled.length / COMPARED);
  const compared = settled.filter((_, i) => i % step === 0);
  const slopes = compared.flatMap((later, j) =>
    compared
      .slice(0, j)
      .filter((earlier) => earlier.messages < later.messages)
      .map((earlier) => (later.bytes - earlier.bytes) / (later.messages - earlier.messages)),
  );
  if (slopes.length === 0) return undefined;
  slopes.sort((a, b) => a - b);
  const middle = (slopes.length - 1) / 2;
  return ((slopes[Math.floor(middle)]! + slopes[Math.ceil(middle)]!) / 2) * 1000;
}
