import { defined } from "../../model/defined.ts";
import { UsageError } from "../../model/errors.ts";
import { expectNumber } from "../../model/expect-option.ts";
import {
  COMPARISON_VERSION,
  type ComparedCell,
  type ComparedSide,
  type Comparison,
  type Difference,
} from "../../model/records/comparison.ts";
import type { RunRecord, Verdict } from "../../model/records/run.ts";
import { show } from "../../model/value.ts";
import { librariesOf } from "../cells.ts";
import { median } from "../statistics/location.ts";
import { pairedRatio, unpairedRatio } from "../statistics/ratio.ts";
import {
  type CellPair,
  comparedSizes,
  judged,
  matchedCells,
  movedTogether,
  type NamePair,
  shiftOf,
} from "./cells.ts";
import { buildDifferences, fingerprintDifferences, warningsOf } from "./circumstances.ts";
import { type Estimates, pairedEstimates, recordEstimates } from "./estimates.ts";
import { shiftLimit, slowerLimit, undecidedLimit } from "./gates.ts";
import { comparedInstructions } from "./instructions.ts";

/** What a comparison is to look at. */
export interface CompareOptions {
  /** Differences below this share are not called differences; by default the larger of the runs' own. */
  readonly threshold?: number;
  /** Names the cells that are slower by more than this share. */
  readonly failIfSlower?: number;
  /** Names the cells that may be slower by more than this share, for all that is known. */
  readonly failIfUndecided?: number;
  /** Says whether the cells together are slower by more than this share. */
  readonly failIfShifted?: number;
}

/** How two records are compared. */
export interface RecordOptions extends CompareOptions {
  /** Compares times as they are: by default, what all cells share is taken off. */
  readonly absolute?: boolean;
  /** Compares records of different processors, platforms and engines too. */
  readonly force?: boolean;
  /** What the records are called, in their order; by default by their times. */
  readonly sources?: { readonly base: string | readonly string[]; readonly head: string | readonly string[] };
}

/** One run, or several of the same code. */
export type Runs = RunRecord | readonly RunRecord[];

/**
 * What is faster, slower, larger or smaller in one run (`head`) than in an earlier one (`base`). Several runs of a side
 * measure what runs of the same code differ by. Throws UsageError where they have nothing in common, where a dataset has
 * other values, where a run is given twice for a side, and, unless it is forced, where the processor, the platform or
 * the engine is another.
 */
export function compareRecords(base: Runs, head: Runs, options: RecordOptions = {}): Comparison {
  const { sources } = options;
  for (const [side, runs] of Object.entries({ base, head })) {
    for (const run of [runs].flat() as readonly unknown[]) expectRecord(side, run);
  }
  const bases = namedRuns("base", base, sources?.base);
  const heads = namedRuns("head", head, sources?.head);
  const records = [...bases, ...heads].map(({ record }) => record);
  const differences = fingerprintDifferences(
    bases.map(({ record }) => record),
    heads.map(({ record }) => record),
    { force: options.force === true },
  );
  const codecs = records.flatMap(({ cells }) =>
    cells.filter(({ twinOf }) => twinOf === undefined).map(({ codec }) => codec),
  );
  const names = [...new Set(codecs)].map((codec) => ({ codec, base: codec, head: codec }));
  const absolute = options.absolute === true;
  return compared(
    {
      method: "records",
      bases,
      heads,
      names,
      differences: () => differences,
      absolute,
      estimate: (pairs) => recordEstimates(pairs, records, absolute),
    },
    options,
  );
}

/** A run, and what it is called. */
interface NamedRun {
  readonly record: RunRecord;
  readonly source: string;
}

function namedRuns(side: string, runs: Runs, sources: string | readonly string[] | undefined): NamedRun[] {
  const records = "cells" in runs ? [runs] : [...runs];
  const names = typeof sources === "string" ? [sources] : (sources ?? []);
  if (records.length === 0) throw new UsageError(`${side}: expected a record, got none`);
  const named = records.map((record, i) => ({ record, source: names[i] ?? record.startedAt }));
  named.forEach(({ record, source }, i) => {
    const twin = named.slice(0, i).find((other) => isSameRun(other.record, record));
    if (twin === undefined) return;
    throw new UsageError(
      `${side}: ${twin.source} and ${source} are one run, expected runs that were made one after the other`,
    );
  });
  return named;
}

/** Two runs begin neither at the same time nor with the same times. */
function isSameRun(one: RunRecord, other: RunRecord): boolean {
  const times = ({ startedAt, cells }: RunRecord): string =>
    JSON.stringify([startedAt, cells.map(({ nanos }) => nanos?.processes)]);
  return times(one) === times(other);
}

/**
 * What is faster, slower, larger or smaller of two codecs that were measured in the same blocks of one run: block by
 * block, so that a drift of the machine meets both. Throws UsageError where nothing was measured of both.
 * @param names pairs of codecs of the record
 * @param sources what the two sides are called
 */
export function compareSides(
  record: RunRecord,
  names: readonly NamePair[],
  sources: { readonly base: string; readonly head: string },
  options: CompareOptions = {},
): Comparison {
  return compared(
    {
      method: "paired",
      bases: [{ record, source: sources.base }],
      heads: [{ record, source: sources.head }],
      names,
      differences: buildDifferences,
      absolute: false,
      estimate: pairedEstimates,
    },
    options,
  );
}

/** Two sides that may be compared, and how. */
interface Sides {
  readonly method: Comparison["method"];
  readonly bases: readonly NamedRun[];
  readonly heads: readonly NamedRun[];
  readonly names: readonly NamePair[];
  readonly absolute: boolean;
  estimate(pairs: readonly CellPair[]): Estimates;
  /** What else differs between the sides, beside the cells. */
  differences(cells: readonly ComparedCell[]): readonly Difference[];
}

/** Puts two sides beside each other. Throws UsageError for records that have nothing in common, and for bad options. */
function compared(sides: Sides, options: CompareOptions): Comparison {
  expectShares(options);
  const { method, bases, heads, names, absolute } = sides;
  const [before, after] = [bases, heads].map((runs) => runs.map(({ record }) => record)) as [
    RunRecord[],
    RunRecord[],
  ];
  const [base, head] = [before[0]!, after[0]!];
  const { pairs, alone } = matchedCells(before, after, names);
  const sizes = comparedSizes(base, head, names);
  if (method === "records" && pairs.length === 0 && sizes.length === 0) {
    throw new UsageError(
      `${bases[0]!.source} and ${heads[0]!.source}: nothing to compare: expected a codec that both measured on one dataset, got ${sketch(base)} and ${sketch(head)}`,
    );
  }
  const records = [...before, ...after];
  const threshold = options.threshold ?? Math.max(...records.map((record) => record.options.threshold));
  const spreads = records.flatMap(({ noise }) => (noise === undefined ? [] : [noise.spread]));
  const { estimates, measured, calibration, betweenRuns, uncertain, basis } = sides.estimate(pairs);
  // What runs of equal code differ by is in the intervals where it is known.
  const gate = Math.max(threshold, ...(betweenRuns === undefined ? spreads : []));
  const shift = shiftOf(pairs, measured, threshold);
  const blamed = uncertain === true && shift !== null && movedTogether(shift, threshold);
  const cells = judged(pairs, estimates, { threshold, gate }, { blamed, basis });
  const detectable = cells.flatMap((cell) => (cell.detectable === null ? [] : [cell.detectable]));
  const beforeSides = bases.map((run) =>
    sideOf(
      run,
      names.map((name) => name.base),
    ),
  );
  const afterSides = heads.map((run) =>
    sideOf(
      run,
      names.map((name) => name.head),
    ),
  );
  const { failIfSlower, failIfUndecided, failIfShifted } = options;
  const comparison: Omit<Comparison, "warnings"> = {
    schemaVersion: COMPARISON_VERSION,
    kind: "comparison",
    method,
    base: beforeSides[0]!,
    head: afterSides[0]!,
    ...(bases.length > 1 ? { bases: beforeSides } : {}),
    ...(heads.length > 1 ? { heads: afterSides } : {}),
    threshold,
    gate,
    noiseMeasured: spreads.length > 0,
    counts: countsOf(cells.filter(({ reference }) => reference === undefined)),
    detectable: detectable.length === 0 ? null : median(detectable),
    shift,
    ...defined({ calibration, betweenRuns, basis }),
    ...(absolute ? { absolute } : {}),
    cells,
    ...defined({
      steadyArgv: method === "paired" ? base.runtimes[0]?.steadyArgv : undefined,
      instructions: comparedInstructions(
        { bases: before, heads: after },
        pairs,
        method === "paired" ? pairedRatio : unpairedRatio,
        threshold,
      ),
    }),
    sizes,
    alone,
    differences: sides.differences(cells),
    ...(failIfSlower === undefined ? {} : { failIfSlower: slowerLimit(failIfSlower, cells, alone) }),
    ...(failIfUndecided === undefined
      ? {}
      : { failIfUndecided: undecidedLimit(failIfUndecided, cells, alone) }),
    ...(failIfShifted === undefined ? {} : { failIfShifted: shiftLimit(failIfShifted, shift) }),
  };
  return { ...comparison, warnings: warningsOf(comparison, uncertain === true) };
}

function expectShares(options: CompareOptions): void {
  expectNumber("threshold", options.threshold ?? 0, { integer: false, least: 0, most: 1 });
  for (const name of ["failIfSlower", "failIfUndecided", "failIfShifted"] as const) {
    expectNumber(name, options[name] ?? 0, { integer: false, least: 0, most: Number.MAX_VALUE });
  }
}

function sideOf({ record, source }: NamedRun, codecs: readonly string[]): ComparedSide {
  const { tool, environment, runtimes, options, noise } = record;
  const cells = record.cells.filter(({ codec }) => codecs.includes(codec));
  return {
    source,
    startedAt: record.startedAt,
    complete: record.complete,
    ...defined({ reason: record.reason }),
    command: tool.command,
    tool: tool.version,
    profile: options.profile,
    cpu: environment.cpu.model,
    runtime: runtimes.map(({ name, version }) => `${name} ${version}`).join(", "),
    libraries: librariesOf(cells).map(({ library, version, build }) => ({
      library,
      version,
      ...defined({ build }),
    })),
    noise: noise?.spread ?? null,
  };
}

function countsOf(cells: readonly { readonly verdict: Verdict }[]): Comparison["counts"] {
  const counts = { faster: 0, slower: 0, same: 0, undecided: 0 };
  for (const { verdict } of cells) counts[verdict] += 1;
  return counts;
}

/** What a record has, in a few words. */
function sketch({ datasets, cells }: RunRecord): string {
  const codecs = [...new Set(cells.map(({ codec }) => codec))];
  const shown = codecs.length > 4 ? `${codecs.slice(0, 4).join(", ")}, …` : codecs.join(", ");
  return `${shown || "no codec"} on ${datasets.map(({ name }) => name).join(", ") || "nothing"}`;
}

/** Throws UsageError for what is no record of a run: a program may pass anything. */
function expectRecord(side: string, run: unknown): void {
  const lists = typeof run === "object" && run !== null ? (run as Partial<RunRecord>) : {};
  for (const field of ["datasets", "cells"] as const) {
    if (!Array.isArray(lists[field]))
      throw new UsageError(`${side}: expected the record of a run, got ${show(run)} without ${field}`);
  }
}
