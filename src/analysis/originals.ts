import type { Cell, Nanos } from "../model/records/run.ts";
import { moderatedRatios, pairedRatio } from "./statistics/ratio.ts";
import { replicatesOf } from "./verdict.ts";

/** A codec's cell and its original's, both measured. */
interface Pair {
  readonly cell: Cell;
  readonly nanos: Nanos;
  readonly to: Cell & { readonly nanos: Nanos };
}

/**
 * The cells, in their order, each with the ratio to its original's (`Cell.original`) where both were measured: from the blocks that both
 * have, like a ratio to the baseline, and with variances moderated over all such ratios.
 */
export function withOriginals(cells: readonly Cell[]): Cell[] {
  const originals = new Map(
    cells.flatMap((cell) => {
      const { originalOf, nanos, status } = cell;
      return originalOf === undefined || nanos === undefined || status !== "measured"
        ? []
        : [[keyOf(cell, originalOf), { ...cell, nanos }] as const];
    }),
  );
  const pairs = cells.flatMap((cell): Pair[] => {
    const { nanos, status, runtime, program } = cell;
    if (nanos === undefined || status !== "measured" || program !== undefined) return [];
    // In several runtimes a codec's name has its runtime's behind it.
    const codec = runtime === undefined ? cell.codec : cell.codec.slice(0, -` (${runtime})`.length);
    const to = originals.get(keyOf(cell, codec));
    return to === undefined ? [] : [{ cell, nanos, to }];
  });
  const ratios = moderatedRatios(
    pairs.map(({ nanos, to }) => pairedRatio(replicatesOf(nanos), replicatesOf(to.nanos))),
  );
  const found = new Map(pairs.map(({ cell, to }, i) => [cell, { to, estimate: ratios[i]! }] as const));
  return cells.map(({ original: _, ...cell }, i): Cell => {
    const pair = found.get(cells[i]!);
    if (pair === undefined || !Number.isFinite(pair.estimate.ratio)) return cell;
    const { ratio, ci95 } = pair.estimate;
    return { ...cell, original: { codec: pair.to.codec, ratio, ci95 } };
  });
}

function keyOf({ operation, dataset }: Cell, codec: string): string {
  return JSON.stringify([operation, dataset, codec]);
}
