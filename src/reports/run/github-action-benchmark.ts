import type { RunRecord } from "../../model/records/run.ts";
import { defineReport } from "../../model/report.ts";
import { sizesOf, type TimeSeries, timesOf } from "../sections/run/series.ts";
import { counted } from "../units.ts";
import { viewOf } from "../view.ts";

export default defineReport({
  of: "run",
  summary: "times and sizes for github-action-benchmark, whose tool is customSmallerIsBetter",
  render: renderActionBenchmark,
});

/** An entry of the action's custom format (README, "Minimal setup" of custom benchmarks). */
interface Entry {
  readonly name: string;
  readonly unit: "ns" | "bytes";
  readonly value: number;
  /** In the entry's unit, as the action reads it. */
  readonly range?: string;
  /** What a chart shows of a point. */
  readonly extra?: string;
}

/** Times and sizes of a run as the entries of github-action-benchmark. Units never change: it divides plain values. */
export function renderActionBenchmark(record: RunRecord): string {
  const view = viewOf(record);
  const times = timesOf(view).map(
    (time): Entry => ({ name: time.name, unit: "ns", value: time.median, ...spreadOf(time) }),
  );
  const sizes = sizesOf(view).map(
    ({ name, bytes, payload }): Entry => ({
      name,
      unit: "bytes",
      value: bytes,
      ...(payload && { extra: `gzip ${payload.gzip}, brotli ${payload.brotli}` }),
    }),
  );
  return `${JSON.stringify([...times, ...sizes], null, 2)}\n`;
}

function spreadOf({ ci95, processes, cell }: TimeSeries): Pick<Entry, "range" | "extra"> {
  const versions = `${cell.library} ${cell.version}; ${counted(processes, "process", "processes")}`;
  if (ci95 === null) return { extra: versions };
  const [low, high] = ci95.map(rounded) as [number, number];
  return { range: `± ${rounded((high - low) / 2)}`, extra: `${versions}; 95 % interval ${low} to ${high}` };
}

function rounded(nanos: number): number {
  return Number(nanos.toPrecision(4));
}
