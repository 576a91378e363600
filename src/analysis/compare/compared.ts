import { UsageError } from "../../model/errors.ts";
import { expectNumber } from "../../model/expect-option.ts";
import {
  COMPARISON_VERSION,
  type ComparedSide,
  type Comparison,
  type Difference,
} from "../../model/records/comparison.ts";
import type { Cell, RunRecord, Verdict } from "../../model/records/run.ts";
import { median } from "../statistics/location.ts";
import type { RatioEstimate, Replicate } from "../statistics/ratio.ts";
import { matchedCells } from "./cell-pairs.ts";
import { judged } from "./cell-verdicts.ts";
import { buildDifferences } from "./fingerprint.ts";
import { shiftOf } from "./shift.ts";
import { comparedSizes, type NamePair } from "./sizes.ts";
import { slowerLimit } from "./slower-limit.ts";
import { warningsOf } from "./warnings.ts";

/** What a comparison is to look at. */
export interface CompareOptions {
  /** Differences below this share are not called differences; by default the larger of the runs' own. */
  readonly threshold?: number;
  /** Names the cells that are slower by more than this share. */
  readonly failIfSlower?: number;
}

/** Two sides that may be compared, and how. */
export interface Sides {
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
export function compared(sides: Sides, options: CompareOptions): Comparison {
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
    sizes,
    alone,
    differences: method === "paired" ? buildDifferences(cells) : differences,
    ...(options.failIfSlower === undefined
      ? {}
      : { failIfSlower: slowerLimit(options.failIfSlower, cells, alone) }),
  };
  return { ...comparison, warnings: warningsOf(comparison) };
}

function expectShares({ threshold = 0, failIfSlower = 0 }: CompareOptions): void {
  expectNumber("threshold", threshold, { integer: false, least: 0, most: 1 });
  expectNumber("failIfSlower", failIfSlower, { integer: false, least: 0, most: Number.MAX_VALUE });
}

function sideOf(record: RunRecord, source: string, codecs: readonly string[]): ComparedSide {
  const { tool, environment, options, noise } = record;
  const cells = record.cells.filter(({ codec }) => codecs.includes(codec));
  return {
    source,
    startedAt: record.startedAt,
    complete: record.complete,
    command: tool.command,
    tool: tool.version,
    profile: options.profile,
    cpu: environment.cpu.model,
    node: environment.node.version,
    libraries: librariesOf(cells),
    noise: noise?.spread ?? null,
  };
}

function librariesOf(cells: readonly Cell[]): ComparedSide["libraries"] {
  const known = new Map(
    cells.map(({ library, version, build }) => [
      [library, version, build].join(" "),
      { library, version, ...(build === undefined ? {} : { build }) },
    ]),
  );
  return [...known.keys()].sort().flatMap((key) => known.get(key) ?? []);
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
