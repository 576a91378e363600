import type { CompressionRecord, RunRecord } from "../../model/records/run.ts";
import { CellIndex, isMeasured, type MeasuredCell } from "../cells.ts";

/**
 * A choice to send a dataset's message: with a codec, and compressed or not. Its time is that of both ends together,
 * one after the other; what the link takes comes on top (see {@link totalNanos}).
 */
export interface LinkChoice {
  readonly codec: string;
  /** Null where the message is sent as it is. */
  readonly compression: Compression | null;
  /** What is sent, without framing. */
  readonly bytes: number;
  /** Nanoseconds to encode, compress, inflate and decode. */
  readonly nanos: number;
  /** What of these is compressing and inflating. */
  readonly compressionNanos: number;
  /**
   * 95 % interval of the nanoseconds to encode and decode: the ends of the two intervals added, which is as wide as
   * it can be, because both are of the same processes. Null where one of them cannot be known.
   */
  readonly codecCi95: Interval | null;
  /** The same to compress and inflate. What was timed once only is taken for right within a factor of 2. */
  readonly compressionCi95: Interval;
}

/** An algorithm at a level. */
export type Compression = Pick<CompressionRecord, "algorithm" | "level">;

/** `json`, `json + gzip 6`: the level is the algorithm's own. */
export function choiceName({ codec, compression }: Pick<LinkChoice, "codec" | "compression">): string {
  return compression === null ? codec : `${codec} + ${compressionName(compression)}`;
}

/** `brotli 11`. */
export function compressionName({ algorithm, level }: Compression): string {
  return `${algorithm} ${level}`;
}

/** From and to. */
export type Interval = readonly [number, number];

/**
 * The choices to send a dataset's message that a record knows the time and size of, in the record's order: none for a
 * codec without a measured encode, a measured decode or a payload. Payloads and their compression are of the first
 * value; where the values' sizes differ, all are scaled to the mean size, which the times are of.
 */
export function choicesOf(record: RunRecord, dataset: string): LinkChoice[] {
  const index = new CellIndex(record.cells);
  return record.payloads
    .filter((payload) => payload.dataset === dataset)
    .flatMap(({ codec, bytes: first }) => {
      const encode = measuredCell(index, "encode", dataset, codec);
      const decode = measuredCell(index, "decode", dataset, codec);
      if (encode === undefined || decode === undefined) return [];
      const scale = first === 0 ? 1 : encode.bytes / first;
      const nanos = encode.nanos.median + decode.nanos.median;
      const codecCi95 = added(encode.nanos.ci95, decode.nanos.ci95);
      const plain: LinkChoice = {
        codec,
        compression: null,
        bytes: encode.bytes,
        nanos,
        compressionNanos: 0,
        codecCi95,
        compressionCi95: [0, 0],
      };
      return [
        plain,
        ...compressionsOf(record, dataset, codec).map((entry) => compressed(plain, entry, scale)),
      ];
    });
}

/** What a choice takes on a link in nanoseconds: its own time and 8 bits per byte. Neither latency nor framing is in it. */
export function totalNanos({ bytes, nanos }: LinkChoice, bitsPerSecond: number): number {
  return nanos + transferNanos(bytes, bitsPerSecond);
}

/** Nanoseconds that so many bytes take on a link. */
export function transferNanos(bytes: number, bitsPerSecond: number): number {
  return (bytes * 8e9) / bitsPerSecond;
}

/** The share within which the run calls nothing different: see `Noise.gate`. */
export function gateOf({ noise, options }: RunRecord): number {
  return noise?.gate ?? options.threshold;
}

function compressed(plain: LinkChoice, entry: CompressionRecord, scale: number): LinkChoice {
  const { algorithm, level, bytes, compressNanos, decompressNanos } = entry;
  const forth = entry.compressCi95 ?? withinFactor2(compressNanos);
  const back = entry.decompressCi95 ?? withinFactor2(decompressNanos);
  const compressionNanos = (compressNanos + decompressNanos) * scale;
  return {
    ...plain,
    compression: { algorithm, level },
    bytes: bytes * scale,
    nanos: plain.nanos + compressionNanos,
    compressionNanos,
    compressionCi95: [(forth[0] + back[0]) * scale, (forth[1] + back[1]) * scale],
  };
}

function withinFactor2(nanos: number): Interval {
  return [nanos / 2, nanos * 2];
}

/** What was measured of compressing a codec's message of a dataset. */
function compressionsOf(record: RunRecord, dataset: string, codec: string): CompressionRecord[] {
  return record.compression.filter((entry) => entry.dataset === dataset && entry.codec === codec);
}

/** The second measurement of the baseline is no codec of its own, and partial reads are no decoding. */
function measuredCell(
  index: CellIndex,
  operation: string,
  dataset: string,
  codec: string,
): MeasuredCell | undefined {
  const cell = index.cell(operation, dataset, codec);
  return isMeasured(cell) && cell.twinOf === undefined && cell.reads === undefined ? cell : undefined;
}

function added(a: Interval | null, b: Interval | null): Interval | null {
  return a === null || b === null ? null : [a[0] + b[0], a[1] + b[1]];
}
