import { defined } from "../model/defined.ts";
import type { Cell, Nanos, Noise, Standing, Verdict } from "../model/records/run.ts";
import { familyOf } from "./statistics/inference.ts";
import { quantile } from "./statistics/location.ts";
import { detectableShare, pairedRatio, type RatioEstimate, type Replicate } from "./statistics/ratio.ts";
import { LEVEL, type Limits, replicatesOf, verdictOf } from "./verdict.ts";

/** One codec of a table. */
export interface Contender {
  readonly median: number;
  readonly replicates: readonly Replicate[];
  /** What the run says of it beside the baseline; undefined for the baseline itself, and where there is none. */
  readonly verdict: Verdict | undefined;
}

/**
 * The tier of each contender, in the order given: no two members of a tier can be told apart. They are gone through by
 * their medians, equal ones as they are given; each shares the tier so far unless it differs from one of its members, and
 * else begins the next. So the last of a tier may not differ from the first of the next. The baseline and another are
 * told apart by the run's own verdict, and two others where one is faster and one slower than it. For any other pair,
 * which of them are compared is decided by the data: each p is multiplied by the number of all pairs (Bonferroni), so that
 * equal ones are parted in at most 5 % of tables. Where there are no two blocks to compare, each has a tier of its own.
 */
export function tiersOf(contenders: readonly Contender[], limits: Limits): number[] {
  const order = contenders.map((_, i) => i).sort((a, b) => contenders[a]!.median - contenders[b]!.median);
  const pairs = (contenders.length * (contenders.length - 1)) / 2;
  const tiers = contenders.map(() => 1);
  let members: Contender[] = [];
  let tier = 0;
  for (const at of order) {
    const contender = contenders[at]!;
    if (tier === 0 || members.some((member) => isDistinct(contender, member, pairs, limits))) {
      tier += 1;
      members = [];
    }
    members.push(contender);
    tiers[at] = tier;
  }
  return tiers;
}

function isDistinct(one: Contender, other: Contender, pairs: number, limits: Limits): boolean {
  const { verdict: first } = one;
  const { verdict: second } = other;
  if (first === undefined || second === undefined) {
    const known = first ?? second;
    if (known !== undefined) return isDifferent(known);
  } else if (isDifferent(first) && isDifferent(second) && first !== second) return true;
  const estimate = pairedRatio(one.replicates, other.replicates);
  if (estimate.p === null) return true;
  return isDifferent(verdictOf({ ...estimate, p: estimate.p * pairs }, limits));
}

function isDifferent(verdict: Verdict): boolean {
  return verdict === "faster" || verdict === "slower";
}

/** What cells are compared with, and from which difference on it is worth a word. */
export interface StandingOptions {
  readonly baseline: string;
  /** A share, as 0.01. */
  readonly threshold: number;
}

/** A measured cell and what its standing is made from. */
interface Entry {
  readonly cell: Cell;
  readonly nanos: Nanos;
  readonly replicates: readonly Replicate[];
  /** To the baseline's cell, to the one that this is a twin of, or to the fastest where there is neither. */
  readonly estimate: RatioEstimate;
  /** Whether this is what the others are compared with. */
  readonly isReference: boolean;
}

/**
 * The cells, in their order, with their standings, and what the run can distinguish from noise. Measured cells of one
 * operation and dataset (and the same `reads`) make a table: each is compared with the baseline's in the blocks that both
 * have, and gets a tier ({@link tiersOf}). All these comparisons of a record are one family for Holm; steps of an operation
 * (`part`) and second measurements (`twinOf`) are not among them and keep their own p, and a twin shares the tier of what
 * it is a twin of. The baseline itself has the ratio 1 by definition. In a table without a cell of the baseline the
 * ratio is to the fastest and nothing else is known but the tier; a cell whose ratio is no number has no standing.
 */
export function withStandings(
  cells: readonly Cell[],
  { baseline, threshold }: StandingOptions,
): { cells: Cell[]; noise?: Noise } {
  const tables = tablesOf(cells).map((table) => entriesOf(table, baseline));
  const entries = tables.flat();
  const noise = noiseAmong(entries, baseline, threshold);
  const limits = { threshold, gate: noise?.gate ?? threshold };
  const { adjusted, level } = familyOf(entries, comparedP, LEVEL);
  const standings = new Map<Cell, Standing>();
  for (const table of tables) {
    const judged = table.map((entry) => {
      const p = adjusted.get(entry) ?? entry.estimate.p;
      return { entry, standing: standingOf(entry, p, adjusted.has(entry) ? level : LEVEL, limits) };
    });
    const tiers = tiersIn(judged, limits);
    for (const { entry, standing } of judged) {
      const tier = tiers.get(entry.cell.twinOf ?? entry.cell.codec) ?? 1;
      if (standing !== undefined) standings.set(entry.cell, { ...standing, tier });
    }
  }
  const result = cells.map(
    ({ standing: _, ...cell }, i): Cell => ({ ...cell, ...defined({ standing: standings.get(cells[i]!) }) }),
  );
  return { cells: result, ...defined({ noise }) };
}

type Measured = Omit<Entry, "estimate" | "isReference">;

function tablesOf(cells: readonly Cell[]): Measured[][] {
  const tables = new Map<string, Measured[]>();
  for (const cell of cells) {
    const { nanos } = cell;
    if (cell.status !== "measured" || nanos === undefined) continue;
    const key = JSON.stringify([cell.operation, cell.dataset, cell.reads ?? null]);
    const table = tables.get(key) ?? [];
    if (table.length === 0) tables.set(key, table);
    table.push({ cell, nanos, replicates: replicatesOf(nanos) });
  }
  return [...tables.values()];
}

function entriesOf(table: readonly Measured[], baseline: string): Entry[] {
  const own = table.filter(({ cell }) => cell.twinOf === undefined);
  const named = (codec: string): Measured | undefined => own.find(({ cell }) => cell.codec === codec);
  const reference = named(baseline);
  const fastest = own.reduce<Measured | undefined>(
    (best, one) => (best === undefined || one.nanos.median < best.nanos.median ? one : best),
    undefined,
  );
  return table.map((one) => {
    const other = one.cell.twinOf === undefined ? reference : named(one.cell.twinOf);
    const estimate = other === undefined ? ratioOnly(one, fastest) : compared(one, other);
    return { ...one, estimate, isReference: one === reference };
  });
}

function compared(one: Measured, other: Measured): RatioEstimate {
  return one === other ? ratioOnly(one, one) : pairedRatio(one.replicates, other.replicates);
}

function ratioOnly(one: Measured, other: Measured | undefined): RatioEstimate {
  const ratio = one === other ? 1 : one.nanos.median / (other?.nanos.median ?? Number.NaN);
  return { ratio, ci95: null, standardError: null, p: null, detectable: null, degrees: null };
}

/** Share of the cells that may be quieter than the spread. */
const QUIETER = 0.25;

/**
 * What a run can distinguish from noise, by the ratios of the baseline's second measurement to its first: see `Noise` for the
 * definition. Undefined where none of them has an interval. By its lower quartile and not its largest, because every cell
 * has an interval of its own against chance: the gate is there for the quiet ones, whose intervals are so narrow that
 * what differs between any two processes of the same code could pass for a difference of codecs.
 */
function noiseAmong(entries: readonly Entry[], baseline: string, threshold: number): Noise | undefined {
  const twins = entries.filter(({ cell }) => cell.twinOf === baseline && cell.part === undefined);
  const differences = twins.flatMap(({ estimate: { ratio, ci95 } }) => {
    if (ci95 === null) return [];
    return Math.expm1(Math.max(Math.abs(Math.log(ratio)), Math.log(ci95[1] / ci95[0]) / 2));
  });
  if (differences.length === 0) return undefined;
  const spread = quantile(Float64Array.from(differences).sort(), QUIETER);
  return { twin: twins[0]!.cell.codec, spread, gate: Math.max(spread, threshold) };
}

/** Its probability, where it is of the family of comparisons. */
function comparedP({ cell, estimate }: Entry): number | null {
  return cell.part || cell.twinOf !== undefined ? null : estimate.p;
}

/** By codec. */
function tiersIn(table: readonly Judged[], limits: Limits): Map<string, number> {
  const ranked = table.filter(({ entry }) => entry.cell.twinOf === undefined);
  const tiers = tiersOf(
    ranked.map(({ entry: { nanos, replicates, isReference, estimate }, standing }) => {
      const verdict = isReference || estimate.p === null ? undefined : standing?.verdict;
      return { median: nanos.median, replicates, verdict };
    }),
    limits,
  );
  return new Map(ranked.map(({ entry }, i) => [entry.cell.codec, tiers[i]!]));
}

/** A cell and what is said of it beside the baseline's. */
interface Judged {
  readonly entry: Entry;
  readonly standing: Omit<Standing, "tier"> | undefined;
}

function standingOf(
  { estimate, isReference }: Entry,
  p: number | null,
  level: number,
  limits: Limits,
): Omit<Standing, "tier"> | undefined {
  const { ratio, ci95, standardError, degrees } = estimate;
  if (!Number.isFinite(ratio)) return undefined;
  if (isReference) return { ratio: 1, ci95: [1, 1], p: null, verdict: "same", detectable: null };
  const detectable =
    standardError === null || degrees === null
      ? null
      : detectableShare(standardError, degrees, level, limits.gate);
  return { ratio, ci95, p, verdict: verdictOf({ ratio, ci95, p }, limits), detectable };
}
