import { defined } from "../../model/defined.ts";
import { UsageError } from "../../model/errors.ts";
import { expectNumber } from "../../model/expect-option.ts";
import {
  COMPARISON_VERSION,
  type ComparedSide,
  type Comparison,
  type Difference,
} from "../../model/records/comparison.ts";
import type { RunRecord, Verdict } from "../../model/records/run.ts";
import { librariesOf } from "../cells.ts";
import { median } from "../statistics/location.ts";
import { pairedRatio, type RatioEstimate, type Replicate, unpairedRatio } from "../statistics/ratio.ts";
import { comparedSizes, judged, matchedCells, type NamePair, shiftOf, slowerLimit } from "./cells.ts";
import { buildDifferences, fingerprintDifferences, warningsOf } from "./circumstances.ts";
import { comparedInstructions } from "./instructions.ts";

/** What a comparison is to look at. */
export interface CompareOptions {
  /** Differences below this share are not called differences; by default the larger of the runs' own. */
  readonly threshold?: number;
  /** Names the cells that are slower by more than this share. */
  readonly failIfSlower?: number;
}

/** A bootstrap of so many knows its standard error to 2 %, and a thousand cells take a fraction of a second. */
const RESAMPLES = 1000;

/** How two records are compared. */
export interface RecordOptions extends CompareOptions {
  /** Compares records of different processors, platforms and engines too. */
  readonly force?: boolean;
  /** What the two are called; by default by their times. */
  readonly sources?: { readonly base: string; readonly head: string };
}

/**
 * What is faster, slower, larger or smaller in one run (`head`) than in an earlier one (`base`). Throws UsageError where
 * the two have nothing in common, where a dataset has other values, and, unless it is forced, where the processor, the
 * platform or the engine is another.
 */
export function compareRecords(base: RunRecord, head: RunRecord, options: RecordOptions = {}): Comparison {
  const differences = fingerprintDifferences(base, head, { force: options.force === true });
  const codecs = [base, head].flatMap(({ cells }) =>
    cells.filter(({ twinOf }) => twinOf === undefined).map(({ codec }) => codec),
  );
  const names = [...new Set(codecs)].map((codec) => ({ codec, base: codec, head: codec }));
  const sources = options.sources ?? { base: base.startedAt, head: head.startedAt };
  const sides = { method: "records", base, head, sources, names, differences } as const;
  return compared(
    {
      ...sides,
      estimate: (of, to) => {
        const estimate = unpairedRatio(of, to, { resamples: RESAMPLES });
        return isOneMeasurement(of, to) ? { ...estimate, ...ITSELF } : estimate;
      },
    },
    options,
  );
}

/** A measurement is the same as itself, however unsure it is of the time. */
const ITSELF = { ratio: 1, ci95: [1, 1], p: 1 } as const;

/** Whether these are the same processes, as in a record and its copy: two that were measured apart never agree in all. */
function isOneMeasurement(head: readonly Replicate[], base: readonly Replicate[]): boolean {
  return (
    head.length > 0 &&
    head.length === base.length &&
    head.every(({ block, stretches }, index) => {
      const other = base[index]!;
      return (
        block === other.block &&
        stretches.length === other.stretches.length &&
        stretches.every((time, place) => time === other.stretches[place])
      );
    })
  );
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
  const sides = { method: "paired", base: record, head: record, sources, names, differences: [] } as const;
  return compared({ ...sides, estimate: pairedRatio }, options);
}

/** Two sides that may be compared, and how. */
interface Sides {
  readonly method: Comparison["method"];
  readonly base: RunRecord;
  readonly head: RunRecord;
  /** What the two are called. */
  readonly sources: { readonly base: string; readonly head: string };
  readonly names: readonly NamePair[];
  readonly differences: readonly Difference[];
  estimate(head: readonly Replicate[], base: readonly Replicate[]): RatioEstimate;
}

/** Puts two sides beside each other. Throws UsageError for two records that have nothing in common, and for bad options. */
function compared(sides: Sides, options: CompareOptions): Comparison {
  expectShares(options);
  const { method, base, head, sources, names, differences } = sides;
  const { pairs, alone } = matchedCells(base, head, names);
  const sizes = comparedSizes(base, head, names);
  if (method === "records" && pairs.length === 0 && sizes.length === 0) {
    throw new UsageError(
      `${sources.base} and ${sources.head}: nothing to compare: expected a codec that both measured on one dataset, got ${sketch(base)} and ${sketch(head)}`,
    );
  }
  const threshold = options.threshold ?? Math.max(base.options.threshold, head.options.threshold);
  const spreads = [base.noise, head.noise].flatMap((noise) => (noise === undefined ? [] : [noise.spread]));
  const gate = Math.max(threshold, ...spreads);
  const cells = judged(pairs, (of, to) => sides.estimate(of, to), { threshold, gate });
  const detectable = cells.flatMap((cell) => (cell.detectable === null ? [] : [cell.detectable]));
  const shift = shiftOf(cells, threshold);
  const comparison: Omit<Comparison, "warnings"> = {
    schemaVersion: COMPARISON_VERSION,
    kind: "comparison",
    method,
    base: sideOf(
      base,
      sources.base,
      names.map((name) => name.base),
    ),
    head: sideOf(
      head,
      sources.head,
      names.map((name) => name.head),
    ),
    threshold,
    gate,
    noiseMeasured: spreads.length > 0,
    counts: countsOf(cells),
    detectable: detectable.length === 0 ? null : median(detectable),
    shift,
    cells,
    ...defined({
      instructions: comparedInstructions(sides, pairs, (of, to) => sides.estimate(of, to), threshold),
    }),
    sizes,
    alone,
    differences: method === "paired" ? buildDifferences(cells) : differences,
    ...defined({
      failIfSlower:
        options.failIfSlower === undefined ? undefined : slowerLimit(options.failIfSlower, cells, alone),
    }),
  };
  return { ...comparison, warnings: warningsOf(comparison) };
}

function expectShares({ threshold = 0, failIfSlower = 0 }: CompareOptions): void {
  expectNumber("threshold", threshold, { integer: false, least: 0, most: 1 });
  expectNumber("failIfSlower", failIfSlower, { integer: false, least: 0, most: Number.MAX_VALUE });
}

function sideOf(record: RunRecord, source: string, codecs: readonly string[]): ComparedSide {
  const { tool, environment, runtimes, options, noise } = record;
  const cells = record.cells.filter(({ codec }) => codecs.includes(codec));
  return {
    source,
    startedAt: record.startedAt,
    complete: record.complete,
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
