import { type StreamRow, streamStudies } from "../../../analysis/stream-study.ts";
import type { RunRecord } from "../../../model/records/run.ts";
import { oneLine } from "../../escape.ts";
import { left, right, type TitledTable, tableOf } from "../../table.ts";
import { formatCount, formatMeanBytes, formatMebibytes, formatNanos, formatRate } from "../../units.ts";

/** A study of streams in a report. */
export const streamStudy = {
  title: "Streams",
  reading: `Each message stands behind its length as a varint, or as the format has it: JSON a line each, CBOR and MessagePack one after the
other, Cap'n Proto behind its table of segments, Avro in blocks. It is decoded as soon as it is complete. Each is what a message takes in the stream, beside its decode alone; heap bytes are for one message.`,
  tables: tablesOf,
};

function tablesOf(record: RunRecord): TitledTable[] {
  return streamStudies(record).map(({ dataset, count, rows }) => ({
    title: `${oneLine(dataset)}: a stream of ${formatCount(count)} messages in chunks of 64 KiB`,
    table: tableOf(rows, [
      left("codec", ({ codec }) => codec),
      right("messages a second", ({ perSecond }) => formatCount(Math.round(perSecond))),
      right("95 % interval", intervalText),
      right("MB/s", ({ bytes, perSecond }) => formatRate(bytes * perSecond, 1e9)),
      right("first message", ({ firstNanos }) =>
        firstNanos === undefined ? undefined : formatNanos(firstNanos),
      ),
      right("each", ({ nanos }) => formatNanos(nanos)),
      right("decode alone", ({ decodeNanos }) =>
        decodeNanos === undefined ? undefined : formatNanos(decodeNanos),
      ),
      right("heap bytes", ({ heapBytes }) =>
        heapBytes === undefined ? undefined : formatMeanBytes(heapBytes),
      ),
      right("peak MiB", ({ peakBytes }) =>
        peakBytes === undefined ? undefined : formatMebibytes(peakBytes),
      ),
    ]),
  }));
}

function intervalText({ ci95 }: StreamRow): string | undefined {
  return ci95?.map((rate) => formatCount(Math.round(rate))).join(" to ");
}
