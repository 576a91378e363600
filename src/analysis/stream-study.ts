/** How fast codecs get messages out of a stream. */
import { defined } from "../model/defined.ts";
import type { RunRecord } from "../model/records/run.ts";

/** One dataset as a stream. */
export interface StreamStudy {
  readonly dataset: string;
  /** Messages of the stream. */
  readonly count: number;
  /** In the order of the codecs; without those that were not measured. */
  readonly rows: readonly StreamRow[];
}

/** What one codec takes. */
export interface StreamRow {
  readonly codec: string;
  /** Messages a second, all of them decoded; with the 95 % interval, null where it is not known. */
  readonly perSecond: number;
  /** Nanoseconds of one of them. */
  readonly nanos: number;
  readonly ci95: readonly [number, number] | null;
  /** Bytes of a message, without its frame. */
  readonly bytes: number;
  /** Until the first message was decoded, from the first chunk on. */
  readonly firstNanos?: number;
  /** Decode of one message alone. */
  readonly decodeNanos?: number;
  /** Heap that a message takes. */
  readonly heapBytes?: number;
  /** Most memory that a process of the codec held. */
  readonly peakBytes?: number;
}

/** The studies of a record, one per dataset; empty unless it is of that study. */
export function streamStudies(record: RunRecord): StreamStudy[] {
  if (record.options.study !== "stream") return [];
  const count = Number(
    record.options.operations.flatMap((name) => /^stream:(\d+)$/.exec(name)?.[1] ?? [])[0],
  );
  return record.datasets.flatMap(({ name }) => {
    const rows = record.options.codecs.flatMap((codec) => rowOf(record, name, codec, count));
    return rows.length === 0 ? [] : [{ dataset: name, count, rows }];
  });
}

function rowOf({ cells, processes }: RunRecord, dataset: string, codec: string, count: number): StreamRow[] {
  const own = cells.filter(
    (cell) => cell.dataset === dataset && cell.codec === codec && cell.twinOf === undefined,
  );
  const cellOf = (operation: string) => own.find((cell) => cell.operation === operation);
  const all = cellOf(`stream:${count}`);
  if (all?.nanos === undefined || all.bytes === undefined || !(all.nanos.median > 0)) return [];
  const { median, ci95 } = all.nanos;
  const rate = (nanos: number): number => (count * 1e9) / nanos;
  const peaks = processes.filter((one) => one.codec === codec && one.dataset === dataset);
  return [
    {
      codec,
      perSecond: rate(median),
      nanos: median / count,
      ci95: ci95 === null || !(ci95[0] > 0) ? null : [rate(ci95[1]), rate(ci95[0])],
      bytes: all.bytes,
      ...defined({
        firstNanos: cellOf(`stream:first:${count}`)?.nanos?.median,
        decodeNanos: cellOf("decode")?.nanos?.median,
        heapBytes: all.memory === undefined ? undefined : all.memory.heapBytes / count,
        peakBytes: peaks.length === 0 ? undefined : Math.max(...peaks.map(({ peakBytes }) => peakBytes)),
      }),
    },
  ];
}
