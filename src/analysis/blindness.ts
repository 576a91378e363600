/** Whether a run told its codecs apart at all. */
import type { Cell, RunRecord } from "../model/records/run.ts";
import { median } from "./statistics/location.ts";

/** What a run was too noisy for. */
export interface Blindness {
  /** The least difference, as a share, that the middle comparison would have found four times in five. */
  readonly detectable: number;
  /** Pairs of codecs of one operation and dataset, and those of them that have different ranks. */
  readonly pairs: number;
  readonly told: number;
  /** Whether other programs are why: they disturbed a quarter of the measuring processes or more. */
  readonly isBusy: boolean;
}

/** A codec that takes half as long again is what anybody expects a benchmark to find. */
const EXPECTED = 0.5;

/** Share of the processes from which on others are to blame. */
const DISTURBED = 0.25;

/**
 * What a run could not tell, where its middle comparison would have missed a difference of half; undefined for a run that
 * sees more, and for one in which nothing was compared in two blocks.
 */
export function blindnessOf({ cells, processes }: RunRecord): Blindness | undefined {
  const ranked = cells.filter(
    ({ twinOf, part, program }) => twinOf === undefined && part !== true && program === undefined,
  );
  const shares = ranked.flatMap(({ standing }) => standing?.detectable ?? []);
  const detectable = median(shares);
  if (!(detectable > EXPECTED)) return undefined;
  const disturbed = processes.filter(({ disturbedBy }) => disturbedBy.length > 0).length;
  const tables = [...tiersByTable(ranked).values()];
  const pairsOf = (tiers: readonly number[]): number => (tiers.length * (tiers.length - 1)) / 2;
  const sum = (of: (tiers: readonly number[]) => number): number =>
    tables.reduce((total, tiers) => total + of(tiers), 0);
  const pairs = sum(pairsOf);
  const alike = sum((tiers) =>
    [...new Set(tiers)].reduce((all, tier) => all + pairsOf(tiers.filter((one) => one === tier)), 0),
  );
  return { detectable, pairs, told: pairs - alike, isBusy: disturbed >= DISTURBED * processes.length };
}

function tiersByTable(cells: readonly Cell[]): Map<string, number[]> {
  const tables = new Map<string, number[]>();
  for (const { operation, dataset, reads, standing } of cells) {
    if (standing === undefined) continue;
    const key = JSON.stringify([operation, dataset, reads ?? null]);
    tables.set(key, [...(tables.get(key) ?? []), standing.tier]);
  }
  return tables;
}
