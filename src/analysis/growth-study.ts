/** How time grows with the size of a dataset. */
import { defined } from "../model/defined.ts";
import type { Cell, Nanos, RunRecord } from "../model/records/run.ts";
import { mean } from "./statistics/location.ts";
import { studentPoint } from "./statistics/student.ts";

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

/** How time grows with size: as its power `exponent`. */
export interface Growth {
  readonly exponent: number;
  /** 95 % confidence interval; null for two sizes, through which a line always goes. */
  readonly ci95: readonly [number, number] | null;
  /** The exponent between each size and the next larger one. */
  readonly local: readonly LocalGrowth[];
}

/** The exponent between two sizes that are next to each other. */
export interface LocalGrowth {
  readonly from: number;
  readonly to: number;
  readonly exponent: number;
}

/**
 * How much above 1 an exponent may be that is still called linear. Linear work leaves the processor's caches as it
 * grows: a third more per byte over a thousandfold size is an exponent of 1.04. n log n from 1,000 to 1,000,000 is 1.1.
 */
const LINEAR = 0.05;

/**
 * Least squares of the logarithm of time on the logarithm of size, with Student's t for the interval. What does not grow
 * at all makes small sizes cost more than their share, and so the exponent too small: the local ones show it. Null for
 * fewer than two sizes, and where a size or a time is not positive.
 */
export function growth(points: readonly Pick<SizePoint, "size" | "nanos">[]): Growth | null {
  if (points.some(({ size, nanos }) => !isPositive(size) || !isPositive(nanos))) return null;
  const logs = points
    .map(({ size, nanos }) => ({ size, x: Math.log(size), y: Math.log(nanos) }))
    .sort((a, b) => a.x - b.x);
  if (logs.length < 2 || logs[0]!.size === logs.at(-1)!.size) return null;

  const x = mean(logs.map((log) => log.x));
  const y = mean(logs.map((log) => log.y));
  const width = logs.reduce((sum, log) => sum + (log.x - x) ** 2, 0);
  const exponent = logs.reduce((sum, log) => sum + (log.x - x) * (log.y - y), 0) / width;
  const left = logs.reduce((sum, log) => sum + (log.y - y - exponent * (log.x - x)) ** 2, 0);
  const degrees = logs.length - 2;
  const half = degrees > 0 ? studentPoint(0.05, degrees) * Math.sqrt(left / degrees / width) : 0;
  const local = logs.slice(1).flatMap((to, i) => {
    const from = logs[i]!;
    if (from.size === to.size) return [];
    return { from: from.size, to: to.size, exponent: (to.y - from.y) / (to.x - from.x) };
  });
  return { exponent, ci95: degrees > 0 ? [exponent - half, exponent + half] : null, local };
}

/** Whether time grows faster than size beyond doubt: the whole interval is above 1.05. Never without an interval. */
export function isWorseThanLinear({ ci95 }: Growth): boolean {
  return ci95 !== null && ci95[0] > 1 + LINEAR;
}

function isPositive(value: number): boolean {
  return value > 0 && Number.isFinite(value);
}
