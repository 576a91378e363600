/** The figures of messages between processes one by one, as tidy CSV has them: each has what it is of, its unit and its value. */
import type { IpcPercentiles, IpcProcess, IpcTestRecord } from "../../../model/records/ipc.ts";
import type { Tool } from "../../../model/records/quantities.ts";
import type { Environment } from "../../../model/records/run.ts";
import type { CsvValue } from "../../escape.ts";

/** A figure: of what, which, in what unit. */
export type Observation = readonly [measure: string, statistic: string, unit: Unit, value: CsvValue];

type Unit = "ns" | "bytes" | "messages" | "per s" | "bytes per s" | "ratio" | "count";

/** The names of an {@link Observation}'s columns. */
export const OBSERVATION = ["measure", "statistic", "unit", "value"] as const;

/** One of a test: of all its pairs, of one, or of a talker or a listener alone. */
export interface TestObservation {
  readonly talker?: number;
  readonly listener?: number;
  readonly of: Observation;
}

const NANOS_PER_MS = 1e6;

/** Percentiles of times; those that too few messages tell are left out. */
function percentilesOf(measure: string, times: IpcPercentiles): Observation[] {
  const { n, ...ranks } = times;
  return [
    [measure, "n", "messages", n],
    ...Object.entries(ranks).map(([rank, nanos]): Observation => [measure, rank, "ns", nanos]),
  ];
}

/** Percentiles of the stages of a message, by their names in the record. */
export function stagesOf(stages: object): Observation[] {
  return Object.entries(stages as Readonly<Record<string, IpcPercentiles>>).flatMap(([stage, times]) =>
    percentilesOf(snakeCase(stage), times),
  );
}

/** All figures of a test; none of one that was not measured. */
export function observationsOf(test: IpcTestRecord): TestObservation[] {
  const { throughput, drift, unfairness, first } = test;
  const whole: Observation[] = stagesOf(test.stages);
  if (throughput !== undefined)
    whole.push(
      ["throughput", "messages", "per s", throughput.messagesPerSecond],
      ["throughput", "payload", "bytes per s", throughput.payloadBytesPerSecond],
      ["throughput", "encoded", "bytes per s", throughput.encodedBytesPerSecond],
      ["throughput", "share_of_memcpy", "ratio", throughput.shareOfMemcpy],
    );
  if (drift !== undefined)
    whole.push(
      ["drift", "slope_per_1000", "ns", drift.slopePer1000],
      ["drift", "slope_per_1000_ci95_low", "ns", drift.ci95[0]],
      ["drift", "slope_per_1000_ci95_high", "ns", drift.ci95[1]],
      ["drift", "first_decile", "ns", drift.firstDecile],
      ["drift", "last_decile", "ns", drift.lastDecile],
    );
  if (unfairness !== undefined) whole.push(["unfairness", "slowest_to_quickest", "ratio", unfairness]);
  return [
    ...whole.map((of) => ({ of })),
    ...test.pairs.flatMap(({ talker, listener, published, received, drops, outOfOrder, totalMs, endToEnd }) =>
      [
        ["messages", "published", "messages", published] as const,
        ["messages", "received", "messages", received] as const,
        ["messages", "dropped_sender", "messages", drops.sender] as const,
        ["messages", "dropped_overwritten", "messages", drops.overwritten] as const,
        ["messages", "dropped_receiver", "messages", drops.receiver] as const,
        ["messages", "out_of_order", "messages", outOfOrder] as const,
        ["messages", "total", "ns", totalMs * NANOS_PER_MS] as const,
        ...percentilesOf("end_to_end", endToEnd),
      ].map((of) => ({ talker, listener, of })),
    ),
    ...test.processes.flatMap((one) => processOf(one).map((of) => ({ [one.role]: one.id, of }))),
    ...firstOf("talker", first?.talkers),
    ...firstOf("listener", first?.listeners),
  ];
}

function processOf(one: IpcProcess): Observation[] {
  return [
    ["process", "start", "ns", one.startMs * NANOS_PER_MS],
    ["process", "bind", "ns", one.bindMs * NANOS_PER_MS],
    ["process", "connect", "ns", one.connectMs * NANOS_PER_MS],
    ["process", "cpu_user", "ns", one.cpuMs.user * NANOS_PER_MS],
    ["process", "cpu_system", "ns", one.cpuMs.system * NANOS_PER_MS],
    ["process", "handling", "ns", one.handlingMs * NANOS_PER_MS],
    ["process", "first_handling", "ns", one.firstHandling],
    ["process", "stalled", "ns", one.stalledMs * NANOS_PER_MS],
    ["process", "rss_start", "bytes", one.rssBytes.start],
    ["process", "rss_end", "bytes", one.rssBytes.end],
    ["process", "rss_peak", "bytes", one.rssBytes.peak],
    ["process", "gc", "count", one.gc.count],
    ["process", "gc_total", "ns", one.gc.totalMs * NANOS_PER_MS],
    ["process", "gc_longest", "ns", one.gc.longestMs * NANOS_PER_MS],
  ];
}

/** What the first message took each process of a native program. */
function firstOf(role: "talker" | "listener", nanos: readonly number[] = []): TestObservation[] {
  return nanos.map((value, id) => ({ [role]: id, of: ["process", "first_handling", "ns", value] }));
}

/** What tells a record from others: names of columns, and their values. */
export function contextOf(record: {
  readonly startedAt: string;
  readonly complete: boolean;
  readonly environment: Environment;
  readonly tool: Tool;
}): Readonly<Record<string, CsvValue>> {
  const { cpu, os, runtime } = record.environment;
  return {
    started_at: record.startedAt,
    complete: String(record.complete),
    cpu: cpu.model,
    cores: cpu.cores,
    platform: `${os.platform} ${os.arch}`,
    runtime: runtime.name,
    runtime_version: runtime.version,
    wirebench: record.tool.version,
  };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
