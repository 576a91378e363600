/** Records of messages with sizes and times made up so that what they cost on a wire is known. */
import type { Cell, CompressionRecord, RunRecord } from "../../../src/model/records/run.ts";
import { measured, nanosOf, recordOf } from "../../reports/record.ts";

/** A codec with the median times of its encode and decode, in ns. */
export interface Sent {
  readonly codec: string;
  readonly bytes: number;
  readonly encode: number;
  readonly decode: number;
  /** Half of their intervals, as a share; no interval if null, exact unless given. */
  readonly spread?: number | null;
  readonly compressed?: readonly Compressed[];
}

/** A compressed message; its times are exact unless a spread says otherwise, as above. */
export interface Compressed {
  readonly algorithm: CompressionRecord["algorithm"];
  readonly level?: number;
  readonly bytes: number;
  readonly compress: number;
  readonly inflate: number;
  readonly spread?: number | null;
}

/** A record of `tellist` in these codecs, with a threshold of nothing unless one is given. */
export function wireRecord(sent: readonly Sent[], options: Partial<RunRecord["options"]> = {}): RunRecord {
  const record = recordOf(
    sent.flatMap(({ codec, bytes, encode, decode, spread = 0 }) => [
      timed(measured(codec, "encode", bytes, encode), spread),
      timed(measured(codec, "decode", bytes, decode), spread),
    ]),
    sent.map(({ codec, bytes }) => ({ dataset: "tellist", codec, bytes, gzip: bytes, brotli: bytes })),
  );
  return {
    ...record,
    options: { ...record.options, threshold: 0, ...options },
    compression: sent.flatMap(({ codec, compressed = [] }) =>
      compressed.map(({ algorithm, level = 6, bytes, compress, inflate, spread = 0 }) => ({
        dataset: "tellist",
        codec,
        algorithm,
        level,
        bytes,
        compressNanos: compress,
        compressCi95: around(compress, spread),
        decompressNanos: inflate,
        decompressCi95: around(inflate, spread),
      })),
    ),
  };
}

function timed(cell: Cell, spread: number | null): Cell {
  const median = cell.nanos?.median ?? 0;
  return { ...cell, nanos: { ...nanosOf(median), ci95: around(median, spread) } };
}

function around(nanos: number, spread: number | null): readonly [number, number] | null {
  return spread === null ? null : [nanos * (1 - spread), nanos * (1 + spread)];
}
