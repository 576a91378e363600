import { defined } from "../model/defined.ts";
import type { Cell, Nanos, RunRecord } from "../model/records/run.ts";
import { type Growth, growth, isWorseThanLinear } from "./statistics/growth.ts";

/** One dataset in several sizes. */
export interface GrowthStudy {
  /** Name without a size. */
  readonly dataset: string;
  /** What the sizes count, as in "records". */
  readonly unit: string;
  /** In ascending order. */
  readonly sizes: readonly number[];
  /** By operation, then in the order of the codecs. */
  readonly rows: readonly GrowthRow[];
}

/** How one operation of one codec grows. */
export interface GrowthRow {
  readonly operation: string;
  readonly codec: string;
  /** Of the sizes that were measured, ascending. */
  readonly points: readonly SizePoint[];
  /** Null where there are fewer than three sizes, and where something took no time. */
  readonly growth: Growth | null;
  /** Where it is worse than linear beyond doubt: over all sizes, else between neighbouring ones. */
  readonly worse: readonly WorseGrowth[];
}

/** What was found at one size: of a call, not of a record. */
export interface SizePoint {
  readonly size: number;
  readonly nanos: number;
  readonly ci95: readonly [number, number] | null;
  readonly bytes: number;
  /** Absent where it was not measured. */
  readonly heapBytes?: number;
  readonly firstCallNanos?: number;
  /** Most memory that a process of the codec held at this size. */
  readonly peakBytes?: number;
}

/** Sizes between which time grows as a power above 1. */
export interface WorseGrowth {
  readonly from: number;
  readonly to: number;
  readonly exponent: number;
  readonly ci95: readonly [number, number];
}

/** Fewest sizes through which a line says anything. */
export const LEAST_SIZES = 3;

/** The datasets of a record that were measured in more than one size, as studies; empty unless it is of that study. */
export function growthStudies(record: RunRecord): GrowthStudy[] {
  if (record.options.study !== "size") return [];
  const families = new Map<string, { unit: string; datasets: SizedDataset[] }>();
  for (const { name, size } of record.datasets) {
    if (size === undefined) continue;
    const base = name.split(":")[0] ?? name;
    const family = families.get(base) ?? { unit: size.unit, datasets: [] };
    family.datasets.push({ name, count: size.count });
    families.set(base, family);
  }
  return [...families].map(([dataset, { unit, datasets }]) => {
    const sorted = [...datasets].sort((a, b) => a.count - b.count);
    return { dataset, unit, sizes: sorted.map(({ count }) => count), rows: rowsOf(record, sorted) };
  });
}

interface SizedDataset {
  readonly name: string;
  readonly count: number;
}

function rowsOf(record: RunRecord, datasets: readonly SizedDataset[]): GrowthRow[] {
  const names = new Set(datasets.map(({ name }) => name));
  const cells = record.cells.filter(
    ({ dataset, twinOf, part }) => names.has(dataset) && twinOf === undefined && part !== true,
  );
  const { operations, codecs } = record.options;
  return operations.flatMap((operation) =>
    codecs.flatMap((codec) => {
      const own = cells.filter((cell) => cell.operation === operation && cell.codec === codec);
      if (own.length === 0) return [];
      const points = datasets.flatMap(({ name, count }) => {
        const cell = own.find(({ dataset }) => dataset === name);
        return cell === undefined ? [] : pointOf(record, cell, count);
      });
      return [{ operation, codec, points, ...grown(points) }];
    }),
  );
}

function pointOf(
  record: RunRecord,
  { nanos, bytes, memory, start, codec, dataset }: Cell,
  size: number,
): SizePoint[] {
  if (nanos === undefined || bytes === undefined) return [];
  const peaks = record.processes.filter((process) => process.codec === codec && process.dataset === dataset);
  return [
    {
      size,
      ...timesOf(nanos),
      bytes,
      ...defined({
        heapBytes: memory?.heapBytes,
        firstCallNanos: start?.firstCallNanos,
        peakBytes: peaks.length === 0 ? undefined : Math.max(...peaks.map(({ peakBytes }) => peakBytes)),
      }),
    },
  ];
}

function timesOf({ median, ci95 }: Nanos): Pick<SizePoint, "nanos" | "ci95"> {
  return { nanos: median, ci95 };
}

function grown(points: readonly SizePoint[]): Pick<GrowthRow, "growth" | "worse"> {
  const fitted = points.length < LEAST_SIZES ? null : growth(points);
  const [first, last] = [points[0], points.at(-1)];
  if (fitted?.ci95 && first !== undefined && last !== undefined && isWorseThanLinear(fitted)) {
    return {
      growth: fitted,
      worse: [{ from: first.size, to: last.size, exponent: fitted.exponent, ci95: fitted.ci95 }],
    };
  }
  const worse = points.slice(1).flatMap((to, index) => worseBetween(points[index], to));
  return { growth: fitted, worse };
}

/**
 * What does not grow at all hides in the exponent over all sizes what grows too fast at the large ones; so each size
 * is compared with the next too, by the ends of their intervals that are nearest to each other.
 */
function worseBetween(from: SizePoint | undefined, to: SizePoint): WorseGrowth[] {
  if (from === undefined || from.ci95 === null || to.ci95 === null || from.size === to.size) return [];
  const exponent = (small: number, large: number): number =>
    Math.log(large / small) / Math.log(to.size / from.size);
  const ci95 = [exponent(from.ci95[1], to.ci95[0]), exponent(from.ci95[0], to.ci95[1])] as const;
  const found = { from: from.size, to: to.size, exponent: exponent(from.nanos, to.nanos), ci95 };
  return isWorseThanLinear({ exponent: found.exponent, ci95, local: [] }) ? [found] : [];
}
