import type { Interval } from "../../model/records/quantities.ts";
import type { RunRecord } from "../../model/records/run.ts";
import { defineReport } from "../../model/report.ts";
import { sizesOf, timesOf } from "../sections/run/series.ts";
import { viewOf } from "../view.ts";

export default defineReport({
  of: "run",
  summary:
    "Bencher's metric format, for bencher run --adapter json: times with their bounds, sizes and memory",
  render: renderBmf,
});

/** A figure, and what it lies between. https://bencher.dev/bmf.json has the schema. */
interface Metric {
  readonly value: number;
  readonly lower_value?: number;
  readonly upper_value?: number;
}

/**
 * Times, sizes and memory of a run in version 0 of Bencher's metric format. `latency` is Bencher's own measure, in
 * nanoseconds; it makes the others when it first meets them.
 */
export function renderBmf(record: RunRecord): string {
  const view = viewOf(record);
  const times = timesOf(view).map(({ name, median, ci95, cell: { memory } }): [string, object] => [
    name,
    {
      latency: metric(median, ci95),
      ...(memory === undefined ? {} : { "heap-bytes": metric(memory.heapBytes) }),
    },
  ]);
  const sizes = sizesOf(view).map(({ name, bytes, payload }): [string, object] => [
    name,
    {
      bytes: metric(bytes),
      ...(payload === undefined
        ? {}
        : { "gzip-bytes": metric(payload.gzip), "brotli-bytes": metric(payload.brotli) }),
    },
  ]);
  return `${JSON.stringify(Object.fromEntries([...times, ...sizes]), null, 2)}\n`;
}

function metric(value: number, interval: Interval | null = null): Metric {
  return interval === null ? { value } : { value, lower_value: interval[0], upper_value: interval[1] };
}
