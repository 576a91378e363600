/** How long a message keeps the event loop from anything else, and from which size on a worker thread keeps it less. */
import { defined } from "../model/defined.ts";
import type { Cell, RunRecord } from "../model/records/run.ts";
import { wallNanos } from "./processor-time.ts";
import { isBelow } from "./reads-study.ts";
import { confidenceInterval } from "./statistics/location.ts";

/** One dataset in messages of more and more values. */
export interface StallStudy {
  readonly dataset: string;
  /** In the order of the codecs; without those that were not measured. */
  readonly codecs: readonly CodecStalls[];
}

/** What one codec makes of it. */
export interface CodecStalls {
  readonly codec: string;
  /** The least message first. */
  readonly sizes: readonly StallSize[];
  readonly outcome: StallOutcome;
}

/** Nanoseconds, with a 95 % interval over processes that is null where it cannot be known. */
export interface StallTime {
  readonly nanos: number;
  readonly ci95: readonly [number, number] | null;
}

/** What a message of one size takes. */
export interface StallSize {
  /** Values in the message. */
  readonly count: number;
  readonly bytes: number;
  /** Decode on the main thread: for so long it does nothing else. */
  readonly decode: StallTime;
  /** The longest decode of all; absent where calls were too short to be timed one by one. */
  readonly longestNanos?: number;
  /** What the main thread is busy for where a worker decodes: sending, and receiving. Absent where nothing tells time on a core. */
  readonly busy?: StallTime;
  /** From sending to the value, by the clock. */
  readonly trip?: StallTime;
  /** structuredClone of the value: both sides of what a message port does. */
  readonly clone?: StallTime;
}

/**
 * Whether a worker keeps the main thread busy for less time than decoding there. `always`: at every size. `never`: at none. `from`: from
 * about `bytes` on, which for certain lies between the two; null where a side is not certain. `undecided`: it does for certain at the sizes
 * of `less`, which are followed by others or are none; otherwise it does not, or it cannot be told. `unknown`: nothing tells time on a core.
 */
export type StallOutcome =
  | { readonly kind: "always" | "never" | "unknown" }
  | {
      readonly kind: "from";
      readonly bytes: number;
      readonly between: readonly [number | null, number | null];
    }
  | { readonly kind: "undecided"; readonly less: readonly number[] };

/** The studies of a record, one per dataset; empty unless it is of that study. */
export function stallStudies(record: RunRecord): StallStudy[] {
  if (record.options.study !== "stall") return [];
  const sized = record.datasets.flatMap(({ name }) => {
    const [, dataset, count] = /^(.*) x (\d+)$/s.exec(name) ?? [];
    return dataset === undefined ? [] : [{ name, dataset, count: Number(count) }];
  });
  return [...new Set(sized.map(({ dataset }) => dataset))].flatMap((dataset) => {
    const own = sized.filter((one) => one.dataset === dataset);
    const codecs = record.options.codecs.flatMap((codec): CodecStalls[] => {
      const sizes = own.flatMap(({ name, count }) => {
        const cells = record.cells.filter(
          (cell) => cell.codec === codec && cell.dataset === name && cell.twinOf === undefined,
        );
        return sizeOf(count, (operation) => cells.find((cell) => cell.operation === operation));
      });
      return sizes.length === 0 ? [] : [{ codec, sizes, outcome: outcomeOf(sizes) }];
    });
    return codecs.length === 0 ? [] : [{ dataset, codecs }];
  });
}

function sizeOf(count: number, cellOf: (operation: string) => Cell | undefined): StallSize[] {
  const decode = cellOf("decode");
  if (decode?.nanos === undefined || decode.bytes === undefined) return [];
  const { batches, loops, batchCalls } = decode.nanos;
  const alone = batches.flatMap((times, i) =>
    batchCalls[i] === 1 ? times.map((nanos) => nanos - loops[i]!) : [],
  );
  const worker = cellOf("worker")?.nanos;
  const trip = worker && wallNanos(worker);
  const trips = worker?.wall?.filter((nanos) => nanos !== null) ?? [];
  return [
    {
      count,
      bytes: decode.bytes,
      decode: { nanos: decode.nanos.median, ci95: decode.nanos.ci95 },
      ...defined({
        longestNanos: alone.length === 0 ? undefined : alone.reduce((most, one) => Math.max(most, one)),
        clone: timeOf(cellOf("clone")),
        busy: trip === undefined ? undefined : timeOf(cellOf("worker")),
        trip: trip === undefined ? undefined : { nanos: trip, ci95: confidenceInterval(trips) },
      }),
    },
  ];
}

function timeOf(cell: Cell | undefined): StallTime | undefined {
  return cell?.nanos && { nanos: cell.nanos.median, ci95: cell.nanos.ci95 };
}

/** Both ways at one size. */
interface Pair {
  readonly bytes: number;
  readonly decode: StallTime;
  readonly busy: StallTime;
}

/** By measured times; between neighbouring sizes both are taken to grow in a straight line. */
function outcomeOf(sizes: readonly StallSize[]): StallOutcome {
  const pairs = sizes.flatMap(({ bytes, decode, busy }): Pair[] =>
    busy === undefined ? [] : [{ bytes, decode, busy }],
  );
  if (pairs.length === 0) return { kind: "unknown" };
  if (pairs.every(pays)) return { kind: "always" };
  if (pairs.every(costs)) return { kind: "never" };
  const turn = pairs.findLastIndex((pair) => lead(pair) <= 0);
  const [before, after] = [pairs[turn], pairs[turn + 1]];
  const less = pairs.filter(pays).map(({ bytes }) => bytes);
  // It is a turn where all before it cost more, or may, and something after it pays for certain.
  if (before === undefined || after === undefined || !pairs.slice(turn + 1).some(pays))
    return { kind: "undecided", less };
  if (pairs.slice(0, turn + 1).some(pays)) return { kind: "undecided", less };
  const bytes = before.bytes + ((after.bytes - before.bytes) * -lead(before)) / (lead(after) - lead(before));
  const lost = pairs.findLast(costs)?.bytes ?? null;
  return { kind: "from", bytes, between: [lost, less[0]!] };
}

/** Nanoseconds by which the main thread is busy for less with a worker. */
function lead({ decode, busy }: Pair): number {
  return decode.nanos - busy.nanos;
}

function pays({ decode, busy }: Pair): boolean {
  return isBelow(busy, decode);
}

function costs({ decode, busy }: Pair): boolean {
  return isBelow(decode, busy);
}
