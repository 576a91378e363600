import { defined } from "../model/defined.ts";
import type { Cell, Nanos, Noise, Standing } from "../model/records/run.ts";
import { familyOf } from "./statistics/inference.ts";
import { quantile } from "./statistics/location.ts";
import {
  isOfMachines,
  type MachinesRatio,
  machinesContradict,
  machinesRatio,
} from "./statistics/machines.ts";
import {
  detectableShare,
  moderatedRatios,
  pairedRatio,
  type RatioEstimate,
  type Replicate,
} from "./statistics/ratio.ts";
import { tiersOf } from "./tiers.ts";
import { LEVEL, type Limits, replicatesOf, verdictOf } from "./verdict.ts";

/** What cells are compared with, and from which difference on it is worth a word. */
export interface StandingOptions {
  readonly baseline: string;
  /** A share, as 0.01. */
  readonly threshold: number;
  /** The machine that a block was measured on, where there are several: each is a stratum of every ratio. */
  readonly machineOf?: ((block: number) => string) | undefined;
}

/** A measured cell, as comparisons take it. */
interface Measured {
  readonly cell: Cell;
  readonly nanos: Nanos;
  readonly replicates: readonly Replicate[];
}

/** Measured cells of one operation and dataset (and the same `reads`). */
interface Table {
  /** The codecs, the baseline among them. */
  readonly codecs: readonly Measured[];
  /** Reference programs in other languages. */
  readonly programs: readonly Measured[];
  /** Further measurements of codecs. */
  readonly twins: readonly Measured[];
  /** The baseline's first measurement; undefined where it was not measured. */
  readonly reference: Measured | undefined;
}

/**
 * The cells, in their order, with their standings, and what the run can distinguish from noise. Measured cells of one
 * operation and dataset (and the same `reads`) make a table: each is compared with the baseline's in the blocks that both
 * have, and gets a tier ({@link tiersOf}). The baseline's further measurements (`twinOf`) are pooled with its first: others
 * are compared with each of them in a block. The variances of all these comparisons of a record
 * are moderated, and so are those of all pairs of other codecs.
 *
 * All comparisons of codecs with the baseline are one family for Holm, and those of reference programs another one, with variances of
 * their own: programs make no codec harder to tell apart from the baseline. Steps of an operation (`part`) and twins are in neither
 * and keep their own p. A twin is compared with the first measurement alone, and shares its tier. The baseline itself has
 * the ratio 1 by definition. In a table without a cell of the baseline nothing is known but the tier; a cell whose ratio
 * is no number has no standing.
 */
export function withStandings(
  cells: readonly Cell[],
  { baseline, threshold, machineOf }: StandingOptions,
): { cells: Cell[]; noise?: Noise } {
  const tables = tablesOf(cells, baseline);
  const beside = moderatedComparisons(
    tables.flatMap((table) => besideBaseline(table, table.codecs)),
    machineOf,
  );
  const programs = moderatedComparisons(
    tables.flatMap((table) => besideBaseline(table, table.programs)),
    machineOf,
  );
  const twins = moderatedComparisons(tables.flatMap(besideThemselves), machineOf);
  const noise = noiseAmong(twins, baseline, threshold);
  const limits = { threshold, gate: noise?.gate ?? threshold };
  const judged = new Map<Measured, Judgement>();
  for (const { codecs, programs: others, twins: again, reference } of tables) {
    if (reference !== undefined) judged.set(reference, OF_BASELINE);
    else for (const one of [...codecs, ...others, ...again]) judged.set(one, UNCOMPARED);
  }
  for (const all of [beside, programs, twins]) {
    const { adjusted, level } = familyOf(all, comparedP, LEVEL);
    const differ = familyOf(all, differP, LEVEL).adjusted;
    for (const one of all) {
      const p = adjusted.get(one) ?? one.estimate.p;
      const judgement = judgementOf(one.estimate, p, adjusted.has(one) ? level : LEVEL, limits);
      if (judgement === undefined) continue;
      const disagree = machinesContradict(one.estimate, differ.get(one) ?? null, limits.gate);
      judged.set(one.of, disagree ? { ...judgement, verdict: "disagree" } : judgement);
    }
  }
  const tiers = tiersIn(tables, judged, limits, machineOf);
  const standings = new Map<Cell, Standing>();
  for (const [one, judgement] of judged) standings.set(one.cell, { ...judgement, tier: tiers.get(one) ?? 1 });
  const result = cells.map(
    ({ standing: _, ...cell }, i): Cell => ({ ...cell, ...defined({ standing: standings.get(cells[i]!) }) }),
  );
  return { cells: result, ...defined({ noise }) };
}

function tablesOf(cells: readonly Cell[], baseline: string): Table[] {
  const tables = new Map<string, Measured[]>();
  for (const cell of cells) {
    const { nanos } = cell;
    if (cell.status !== "measured" || nanos === undefined) continue;
    const key = JSON.stringify([cell.operation, cell.dataset, cell.reads ?? null]);
    const table = tables.get(key) ?? [];
    if (table.length === 0) tables.set(key, table);
    table.push({ cell, nanos, replicates: replicatesOf(nanos) });
  }
  return [...tables.values()].map((table) => {
    const once = table.filter(({ cell }) => cell.twinOf === undefined);
    const codecs = once.filter(({ cell }) => cell.program === undefined);
    const programs = once.filter(({ cell }) => cell.program !== undefined);
    const twins = table.filter(({ cell }) => cell.twinOf !== undefined);
    return { codecs, programs, twins, reference: codecs.find(({ cell }) => cell.codec === baseline) };
  });
}

/** Two measured cells that are compared; `to` has all processes of what it stands for. */
interface Comparable {
  readonly of: Measured;
  readonly to: readonly Replicate[];
}

/** Each of them beside all measurements of the baseline. */
function besideBaseline({ twins, reference }: Table, each: readonly Measured[]): Comparable[] {
  if (reference === undefined) return [];
  const again = twins.filter(({ cell }) => cell.twinOf === reference.cell.codec);
  const to = [reference, ...again].flatMap(({ replicates }) => replicates);
  return each.filter((one) => one !== reference).map((of) => ({ of, to }));
}

/** Each twin beside the first measurement of what it is a twin of. */
function besideThemselves({ codecs, twins }: Table): Comparable[] {
  return twins.flatMap((of) => {
    const original = codecs.find(({ cell }) => cell.codec === of.cell.twinOf);
    return original === undefined ? [] : [{ of, to: original.replicates }];
  });
}

/** How two measured cells compare. */
interface Comparison {
  readonly of: Measured;
  readonly estimate: RatioEstimate | MachinesRatio;
}

/** Alike comparisons of all tables, which learn their variances from each other. */
function moderatedComparisons(
  comparables: readonly Comparable[],
  machineOf: StandingOptions["machineOf"],
): Comparison[] {
  const strata = comparables.map(({ of, to }) =>
    onEachMachine(of.replicates, to, machineOf).map(([own, other]) => pairedRatio(own, other)),
  );
  const estimates = moderatedRatios(strata.flat());
  let next = 0;
  return strata.map(({ length }, i) => {
    const own = estimates.slice(next, next + length);
    next += length;
    const [only] = own as [RatioEstimate];
    return { of: comparables[i]!.of, estimate: length === 1 ? only : machinesRatio(own) };
  });
}

/** The processes of two cells on each machine that measured both; together where there is one machine, or none. */
function onEachMachine(
  own: readonly Replicate[],
  others: readonly Replicate[],
  machineOf: StandingOptions["machineOf"],
): (readonly [readonly Replicate[], readonly Replicate[]])[] {
  if (machineOf === undefined) return [[own, others]];
  const machines = [...new Set(own.map(({ block }) => machineOf(block)))];
  const strata = machines.map((machine) => {
    const [of, to] = [own, others].map((all) => all.filter(({ block }) => machineOf(block) === machine));
    return [of!, to!] as const;
  });
  const both = strata.filter(([of, to]) => of.some(({ block }) => to.some((other) => other.block === block)));
  return both.length === 0 ? [[own, others]] : both;
}

/** Share of the cells that may be quieter than the spread. */
const QUIETER = 0.25;

/**
 * What a run can distinguish from noise, by the ratios of the baseline's further measurements to its first: see `Noise`
 * for the definition. Undefined where none of them has an interval. By its lower quartile and not its largest, because
 * every cell has an interval of its own against chance: the gate is there for the quiet ones, whose intervals are so
 * narrow that what differs between any two processes of the same code could pass for a difference of codecs.
 */
function noiseAmong(twins: readonly Comparison[], baseline: string, threshold: number): Noise | undefined {
  const known = twins.filter(({ of: { cell } }) => cell.twinOf === baseline && cell.part === undefined);
  const differences = known.flatMap(({ estimate: { ratio, ci95 } }) => {
    if (ci95 === null) return [];
    return Math.expm1(Math.max(Math.abs(Math.log(ratio)), Math.log(ci95[1] / ci95[0]) / 2));
  });
  if (differences.length === 0) return undefined;
  const spread = quantile(Float64Array.from(differences).sort(), QUIETER);
  return { twin: known[0]!.of.cell.codec, spread, gate: Math.max(spread, threshold) };
}

/** Its probability, where it is of a family of comparisons. */
function comparedP({ of: { cell }, estimate }: Comparison): number | null {
  return cell.part || cell.twinOf !== undefined ? null : estimate.p;
}

/** Probability that machines differ as much by chance, where a cell is of the family of comparisons. */
function differP({ of: { cell }, estimate }: Comparison): number | null {
  return cell.part || cell.twinOf !== undefined || !isOfMachines(estimate) ? null : estimate.differ;
}

/** What is said of a cell beside the baseline's. */
type Judgement = Omit<Standing, "tier">;

const OF_BASELINE: Judgement = { ratio: 1, ci95: [1, 1], p: null, verdict: "same", detectable: null };
const UNCOMPARED: Judgement = { ratio: null, ci95: null, p: null, verdict: "undecided", detectable: null };

function judgementOf(
  { ratio, ci95, standardError, degrees }: RatioEstimate,
  p: number | null,
  level: number,
  limits: Limits,
): Judgement | undefined {
  if (!Number.isFinite(ratio)) return undefined;
  const detectable =
    standardError === null || degrees === null
      ? null
      : detectableShare(standardError, degrees, level, limits.gate);
  return { ratio, ci95, p, verdict: verdictOf({ ratio, ci95, p }, limits), detectable };
}

/** The tiers of codecs and programs together, and of their twins with them. */
function tiersIn(
  tables: readonly Table[],
  judged: ReadonlyMap<Measured, Judgement>,
  limits: Limits,
  machineOf: StandingOptions["machineOf"],
): Map<Measured, number> {
  const ratios = ratiosOfPairs(tables, machineOf);
  const tiers = new Map<Measured, number>();
  for (const { codecs, programs, twins } of tables) {
    const ranked = [...codecs, ...programs];
    const contenders = ranked.map((one) => {
      const { p, verdict, ratio } = judged.get(one) ?? UNCOMPARED;
      // Several machines have no time in common.
      const median = machineOf === undefined ? one.nanos.median : (ratio ?? one.nanos.median);
      return { one, median, verdict: p === null ? undefined : verdict };
    });
    const found = tiersOf(contenders, (a, b) => ratios.get(a.one)?.get(b.one), limits);
    for (const [i, one] of ranked.entries()) tiers.set(one, found[i]!);
    for (const twin of twins) {
      const original = codecs.findIndex(({ cell }) => cell.codec === twin.cell.twinOf);
      tiers.set(twin, found[original] ?? 1);
    }
  }
  return tiers;
}

/**
 * How any two of a table compare, in either order, but for the baseline. What programs vary by says nothing of what codecs do: the
 * variances of their pairs are moderated apart.
 */
function ratiosOfPairs(
  tables: readonly Table[],
  machineOf: StandingOptions["machineOf"],
): Map<Measured, Map<Measured, RatioEstimate>> {
  const ratios = new Map<Measured, Map<Measured, RatioEstimate>>();
  const add = (of: Measured, to: Measured, ratio: RatioEstimate): void => {
    ratios.set(of, (ratios.get(of) ?? new Map<Measured, RatioEstimate>()).set(to, ratio));
  };
  const pairs = tables.map(({ codecs, programs, reference }) => {
    const others = [...codecs, ...programs].filter((one) => one !== reference);
    return others.flatMap((of, i) => others.slice(i + 1).map((to) => ({ of, to })));
  });
  const isOfCodecs = ({ of, to }: { readonly of: Measured; readonly to: Measured }): boolean =>
    of.cell.program === undefined && to.cell.program === undefined;
  for (const ofCodecs of [true, false]) {
    const own = pairs.flat().filter((pair) => isOfCodecs(pair) === ofCodecs);
    const compared = moderatedComparisons(
      own.map(({ of, to }) => ({ of, to: to.replicates })),
      machineOf,
    );
    for (const [i, { of, to }] of own.entries()) {
      const { estimate } = compared[i]!;
      add(of, to, estimate);
      add(to, of, estimate);
    }
  }
  return ratios;
}
