import {
  type CodecStalls,
  type StallOutcome,
  type StallSize,
  type StallTime,
  stallStudies,
} from "../../../analysis/stall-study.ts";
import type { RunRecord } from "../../../model/records/run.ts";
import { oneLine } from "../../escape.ts";
import { left, right, type TitledTable, tableOf } from "../../table.ts";
import {
  formatBytes,
  formatCount,
  formatMeanBytes,
  formatNanos,
  formatRatio,
  formatSpread,
} from "../../units.ts";

/** A study of stalls in a report. */
export const stallStudy = {
  title: "Stalls",
  reading: `Decode on the main thread keeps it from everything else; longest is the longest of all calls that were timed one by one. With a worker
it is busy only while it sends the bytes, by transfer, and receives the value, by structured clone; the round trip is by the clock. Clone is
structuredClone of the value. Between sizes times are taken to grow in a straight line; in brackets are those beyond which the 95 % intervals
of the two do not overlap.`,
  tables: tablesOf,
};

function tablesOf(record: RunRecord): TitledTable[] {
  return stallStudies(record).flatMap(({ dataset, codecs }) => [
    {
      title: `${oneLine(dataset)}: from which size a worker keeps the main thread less busy`,
      table: tableOf(codecs, [
        left("codec", ({ codec }) => codec),
        left("a worker pays", outcomeText),
        right("longest stall", ({ sizes }) => longestText(sizes)),
        right("of bytes", ({ sizes }) => formatMeanBytes(sizes.at(-1)!.bytes)),
      ]),
    },
    {
      title: `${oneLine(dataset)}: what keeps the main thread, by size`,
      table: tableOf(
        codecs.flatMap(({ codec, sizes }) => sizes.map((size) => ({ codec, ...size }))),
        [
          left("codec", ({ codec }) => codec),
          right("values", ({ count }) => formatCount(count)),
          right("bytes", ({ bytes }) => formatMeanBytes(bytes)),
          right("decode", ({ decode }) => timeText(decode)),
          right("±", ({ decode }) => spreadText(decode)),
          right("longest", ({ longestNanos }) =>
            longestNanos === undefined ? undefined : formatNanos(longestNanos),
          ),
          right("with a worker", ({ busy }) => timeText(busy)),
          right("±", ({ busy }) => spreadText(busy)),
          right("x decode", ({ busy, decode }) =>
            busy === undefined || !(decode.nanos > 0) ? undefined : formatRatio(busy.nanos / decode.nanos),
          ),
          right("round trip", ({ trip }) => timeText(trip)),
          right("±", ({ trip }) => spreadText(trip)),
          right("clone", ({ clone }) => timeText(clone)),
        ],
      ),
    },
  ]);
}

/** "from about 45,000 bytes on (between 8,000 and 64,000)". */
function outcomeText({ sizes, outcome }: CodecStalls): string {
  const [least, most] = [sizes[0]!.bytes, sizes.at(-1)!.bytes].map(bytesText);
  switch (outcome.kind) {
    case "always":
      return `already from ${least} bytes on`;
    case "never":
      return `never up to ${most} bytes`;
    case "from":
      return `from about ${bytesText(Number(outcome.bytes.toPrecision(2)))} bytes on (${betweenText(outcome.between)})`;
    case "undecided":
      return outcome.less.length === 0
        ? `cannot be told up to ${most} bytes`
        : `for certain only at ${outcome.less.map(bytesText).join(", ")} bytes`;
    case "unknown":
      return "not known: nothing tells the time on a core, or no worker was measured";
  }
}

function betweenText([from, to]: Extract<StallOutcome, { kind: "from" }>["between"]): string {
  if (from !== null && to !== null) return `between ${bytesText(from)} and ${bytesText(to)}`;
  if (from !== null) return `above ${bytesText(from)}`;
  return to === null ? "within the noise" : `below ${bytesText(to)}`;
}

function bytesText(bytes: number): string {
  return formatBytes(Math.round(bytes));
}

/** The longest call at the largest size. */
function longestText(sizes: readonly StallSize[]): string | undefined {
  const { longestNanos } = sizes.at(-1)!;
  return longestNanos === undefined ? undefined : formatNanos(longestNanos);
}

function timeText(time: StallTime | undefined): string | undefined {
  return time && formatNanos(time.nanos);
}

function spreadText(time: StallTime | undefined): string | undefined {
  return time && formatSpread(time.nanos, time.ci95);
}
