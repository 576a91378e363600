import type { Cell, RunRecord } from "../model/records/run.ts";

/** What reading parts of one dataset's message takes. */
export interface ReadsStudy {
  readonly dataset: string;
  /** The amounts that were read, the least share first. */
  readonly amounts: readonly Amount[];
  /** In the order of the codecs. */
  readonly codecs: readonly CodecReads[];
  /** One for each codec that reads in place and each share of a record's fields. */
  readonly crossovers: readonly ReadsCrossover[];
}

/** How much was read: shares from 0 to 1. */
export interface Amount {
  readonly operation: string;
  readonly records: number;
  readonly fields: number;
  /** Of the message: the product of both. */
  readonly share: number;
}

/** Nanoseconds, with a 95 % interval that is null where it cannot be known. */
export interface Time {
  readonly nanos: number;
  readonly ci95: readonly [number, number] | null;
}

/** What one codec takes. */
export interface CodecReads {
  readonly codec: string;
  /** Whether it reads from the bytes what is asked for; otherwise it decodes everything first. */
  readonly inPlace: boolean;
  /** By operation; without those that were not measured. */
  readonly times: ReadonlyMap<string, Time>;
  readonly decode: Time | undefined;
}

/** Where reading in place stops to be worth it, as more and more records are read, of each the same fields. */
export interface ReadsCrossover {
  readonly codec: string;
  /** Share of the fields that is read of each record. */
  readonly fields: number;
  /** What it is compared with: its own decoding of everything, or a codec that decodes everything. */
  readonly against: string;
  readonly outcome: ReadsOutcome;
}

/**
 * `always`: in place takes less time at every share, still `factor` times less at the largest. `never`: it takes more,
 * `factor` times as much already at the smallest. `crossover`: it takes less up to about `share` of the message, which
 * for certain lies between the two; null where a side is not certain. `undecided`: it takes less up to `wins` and more from
 * `loses` on, as far as either is certain, and otherwise it cannot be told.
 */
export type ReadsOutcome =
  | { readonly kind: "always"; readonly factor: number; readonly share: number }
  | { readonly kind: "never"; readonly factor: number }
  | {
      readonly kind: "crossover";
      readonly share: number;
      readonly between: readonly [number | null, number | null];
    }
  | { readonly kind: "undecided"; readonly wins: number | null; readonly loses: number | null };

/** The studies of a record, one per dataset; empty unless it is of partial reads. */
export function readsStudies(record: RunRecord): ReadsStudy[] {
  if (record.options.study !== "reads") return [];
  return record.datasets.flatMap(({ name }) => {
    const cells = record.cells.filter(({ dataset, twinOf }) => dataset === name && twinOf === undefined);
    const amounts = amountsOf(cells);
    if (amounts.length === 0) return [];
    const codecs = record.options.codecs.flatMap((codec) => codecReads(cells, codec));
    return [{ dataset: name, amounts, codecs, crossovers: crossoversOf(amounts, codecs) }];
  });
}

function amountsOf(cells: readonly Cell[]): Amount[] {
  const amounts = new Map<string, Amount>();
  for (const { operation, reads } of cells) {
    if (reads !== undefined)
      amounts.set(operation, { operation, ...reads, share: reads.records * reads.fields });
  }
  return [...amounts.values()].sort((a, b) => a.share - b.share || a.records - b.records);
}

function codecReads(cells: readonly Cell[], codec: string): CodecReads[] {
  const own = cells.filter((cell) => cell.codec === codec);
  if (own.length === 0) return [];
  const times = new Map<string, Time>();
  for (const cell of own) {
    const time = timeOf(cell);
    if (cell.reads !== undefined && time !== undefined) times.set(cell.operation, time);
  }
  const decode = timeOf(own.find(({ operation }) => operation === "decode"));
  return [{ codec, inPlace: own.some(({ inPlace }) => inPlace === true), times, decode }];
}

function timeOf(cell: Cell | undefined): Time | undefined {
  return cell?.nanos === undefined ? undefined : { nanos: cell.nanos.median, ci95: cell.nanos.ci95 };
}

function crossoversOf(amounts: readonly Amount[], codecs: readonly CodecReads[]): ReadsCrossover[] {
  const read = amounts.filter(({ share }) => share > 0);
  if (read.length === 0) return [];
  // Of a message that is one record, more can be read only as more of its fields.
  const isOneRecord = read.every(({ records }) => records === 1);
  const all = Math.max(...read.map(({ fields }) => fields));
  const levels = isOneRecord ? [all] : [...new Set(read.map(({ fields }) => fields))];
  return codecs
    .filter(({ inPlace }) => inPlace)
    .flatMap((codec) =>
      levels
        .sort((a, b) => b - a)
        .flatMap((fields) => {
          const curve = amounts.filter(
            (amount) => isOneRecord || amount.fields === fields || amount.share === 0,
          );
          const { decode } = codec;
          const rival = fastest(codecs, curve);
          const compare = (against: string, other: (amount: Amount) => Time | undefined): ReadsCrossover => ({
            codec: codec.codec,
            fields,
            against,
            outcome: outcomeOf(pairsOf(curve, codec, other)),
          });
          return [
            ...(decode === undefined ? [] : [compare(codec.codec, () => decode)]),
            ...(rival === undefined
              ? []
              : [compare(rival.codec, ({ operation }) => rival.times.get(operation))]),
          ];
        }),
    );
}

/** Of those that decode everything, the codec that takes the least time over some amounts; one that lacks any is none. */
function fastest(codecs: readonly CodecReads[], curve: readonly Amount[]): CodecReads | undefined {
  const total = ({ times }: CodecReads): number =>
    curve.reduce((sum, { operation }) => sum + (times.get(operation)?.nanos ?? Number.POSITIVE_INFINITY), 0);
  const whole = codecs.filter((codec) => !codec.inPlace && Number.isFinite(total(codec)));
  return whole.sort((a, b) => total(a) - total(b))[0];
}

/** Both ways at one share. */
interface Pair {
  readonly share: number;
  readonly inPlace: Time;
  readonly other: Time;
}

function pairsOf(
  curve: readonly Amount[],
  codec: CodecReads,
  other: (amount: Amount) => Time | undefined,
): Pair[] {
  return curve.flatMap((amount) => {
    const [own, theirs] = [codec.times.get(amount.operation), other(amount)];
    return own === undefined || theirs === undefined
      ? []
      : [{ share: amount.share, inPlace: own, other: theirs }];
  });
}

/** By measured times; a crossover is put between neighbouring shares in a straight line. */
function outcomeOf(pairs: readonly Pair[]): ReadsOutcome {
  const [first, last] = [pairs[0], pairs.at(-1)];
  if (first === undefined || last === undefined) return { kind: "undecided", wins: null, loses: null };
  if (pairs.every(wins)) {
    return { kind: "always", factor: last.other.nanos / last.inPlace.nanos, share: last.share };
  }
  if (pairs.every(loses)) return { kind: "never", factor: first.inPlace.nanos / first.other.nanos };
  const won = pairs[pairs.findIndex((pair) => !wins(pair)) - 1]?.share ?? null;
  const lost = pairs[pairs.findLastIndex((pair) => !loses(pair)) + 1]?.share ?? null;
  const turn = pairs.findIndex((pair) => lead(pair) <= 0);
  const [before, after] = [pairs[turn - 1], pairs[turn]];
  if (before === undefined || after === undefined) return { kind: "undecided", wins: won, loses: lost };
  const share = before.share + ((after.share - before.share) * lead(before)) / (lead(before) - lead(after));
  return { kind: "crossover", share, between: [won, lost] };
}

/** Nanoseconds by which in place takes less. */
function lead({ inPlace, other }: Pair): number {
  return other.nanos - inPlace.nanos;
}

function wins({ inPlace, other }: Pair): boolean {
  return isBelow(inPlace, other);
}

function loses({ inPlace, other }: Pair): boolean {
  return isBelow(other, inPlace);
}

/** Whether one takes less for certain: of one process alone nothing is. */
export function isBelow(one: Pick<Time, "ci95">, other: Pick<Time, "ci95">): boolean {
  return one.ci95 !== null && other.ci95 !== null && one.ci95[1] < other.ci95[0];
}
