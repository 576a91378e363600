/** What a published method gave here, in its own lines and beside what was published. */
import {
  averageOf,
  PUBLISHED_ADDRESS_BOOK,
  PUBLISHED_ERLANG,
  PUBLISHED_IPC,
  PUBLISHED_PYTHON,
} from "../../analysis/claims/published.ts";
import type { Benchmark } from "../../model/records/claims.ts";
import type { ClassicRecord, ClassicRow, ClassicRun } from "../../model/records/classic.ts";
import { fileNamePart } from "../escape.ts";
import { left, right, type Table, tableOf } from "../table.ts";
import { counted, formatBytes, formatCount, formatMillis, formatRatio } from "../units.ts";

/** What a method does not tell. */
export const HIDES: readonly string[] = [
  "The method has one figure per loop, and no interval: nothing tells a difference from noise.",
  "Each loop is timed in one process, its warm-up included: another process of the same program may differ by a tenth.",
];

/** The lines of a record that the published programs printed; none where they printed none. */
export function publishedLines({ rows, options }: ClassicRecord): string[] {
  const codecs = [...new Set(rows.map(({ codec }) => codec))];
  return codecs.flatMap((codec) => {
    const own = rows.filter((row) => row.codec === codec);
    const refused = own.flatMap(refusalOf);
    const lines =
      options.benchmark === "address-book"
        ? listLines(own, options.loops ?? 0)
        : own.flatMap((row) => lineOf(row, options.benchmark));
    return [nameOf(own[0]!), ...lines.map((line) => `  ${line}`), ...refused.map((line) => `  ${line}`), ""];
  });
}

function nameOf({ codec, library, version }: ClassicRow): string {
  return codec.includes("(") ? codec : `${codec} (${library} ${version})`;
}

function refusalOf({ operation, dataset, status, reason }: ClassicRow): string[] {
  return status === "measured" ? [] : [`${operation} of ${dataset}: ${status}: ${reason}`];
}

/** As the published program had them: the runs one after the other, and the averages. */
function listLines(rows: readonly ClassicRow[], loops: number): string[] {
  const measured = rows.filter(({ status }) => status === "measured");
  const most = Math.max(0, ...measured.map(({ runs }) => runs.length));
  const runs = Array.from({ length: most }, (_, n) => [
    ...measured.flatMap(({ operation, runs: own }) =>
      own[n] === undefined ? [] : [loopLine(operation, own[n])],
    ),
    ...measured.slice(0, 1).map(({ bytes = 0 }) => `buf size:${bytes}`),
  ]);
  const averages = measured.flatMap((row) => {
    const nanos = callNanos(row);
    return nanos === undefined ? [] : [`${stepOf(row.operation)} ${((nanos * loops) / 1e6).toFixed(1)}ms`];
  });
  return [...runs.flat(), ...(averages.length === 0 ? [] : [`average: ${averages.join(", ")}`])];
}

function loopLine(operation: ClassicRow["operation"], { calls, milliseconds }: ClassicRun): string {
  return `${stepOf(operation)}: loop = ${calls}, time diff = ${Math.round(milliseconds)}ms`;
}

/** The published program's word: its decoding reads the fields in place. */
function stepOf(operation: ClassicRow["operation"]): string {
  return operation === "access" ? "decode" : operation;
}

/** MB of 2^20 bytes. */
const MEBIBYTE = 1_048_576;

/** Bytes per second in MB of 2^20 bytes. */
function megabytesOf({ bytes = 0 }: ClassicRow, { calls, milliseconds }: ClassicRun): number {
  return (calls * bytes) / (milliseconds / 1000) / MEBIBYTE;
}

function lineOf(row: ClassicRow, benchmark: Benchmark): string[] {
  const { operation, dataset, bytes = 0, runs, latenciesMs } = row;
  if (latenciesMs !== undefined) return [latencyLine(row, latenciesMs)];
  return runs.map((run) => {
    const { calls, milliseconds } = run;
    const seconds = milliseconds / 1000;
    const what = operation === "empty" ? "empty loop" : `${operation} ${dataset}, ${counted(bytes, "byte")}`;
    if (benchmark === "python")
      return `${what}: ${formatCount(Math.round(calls / seconds))} calls in one second`;
    return `${what}: ${calls} iterations in ${seconds.toFixed(3)} s, ${megabytesOf(row, run).toFixed(2)} MB/s`;
  });
}

function latencyLine({ bytes = 0 }: ClassicRow, latencies: readonly (number | null)[]): string {
  const known = latencies.filter((one) => one !== null);
  if (known.length === 0) return "no message arrived";
  const [least, most] = [Math.min(...known), Math.max(...known)].map(formatMillis);
  return `${known.length} messages of ${formatBytes(bytes)} bytes: average ${formatMillis(averageOf(known))}, ${least} to ${most}`;
}

/** Measured figures beside the published ones: a row for each figure. */
export function besideTable(record: ClassicRecord): Table {
  return TABLES[record.options.benchmark](record);
}

const TABLES: Readonly<Record<Benchmark, (record: ClassicRecord) => Table>> = {
  "address-book": listTable,
  "erlang-term": termTable,
  python: pythonTable,
  interprocess: latencyTable,
};

/** Nanoseconds per call: all runs together. */
function callNanos({ runs }: ClassicRow): number | undefined {
  const calls = runs.reduce((sum, run) => sum + run.calls, 0);
  const milliseconds = runs.reduce((sum, run) => sum + run.milliseconds, 0);
  return calls === 0 ? undefined : (milliseconds * 1e6) / calls;
}

function timeText(nanos: number | undefined): string {
  return nanos === undefined ? "–" : formatMillis(nanos / 1e6);
}

/** A row as a multiple of protobuf's of the same step and side. */
function listTable({ rows }: ClassicRecord): Table {
  const { rows: published, machines } = PUBLISHED_ADDRESS_BOOK;
  const ofProtobuf = (row: ClassicRow): number | undefined => {
    const other = rows.find(
      (one) => one.system === "protobuf" && one.operation === row.operation && one.runtime === row.runtime,
    );
    const [own, nanos] = [callNanos(row), other && callNanos(other)];
    return own === undefined || nanos === undefined ? undefined : own / nanos;
  };
  const timesOf = ({ system, operation }: ClassicRow, machine: number): number => {
    const { encodeMs, decodeMs } = published.find((row) => row.system === system)!;
    return averageOf((operation === "encode" ? encodeMs : decodeMs)[machine]!);
  };
  return tableOf(rows, [
    left("system", nameOf),
    left("step", ({ operation }) => stepOf(operation)),
    right("bytes published", ({ system }) =>
      formatBytes(published.find((row) => row.system === system)?.bytes ?? 0),
    ),
    right("here", ({ bytes }) => (bytes === undefined ? "–" : formatBytes(bytes))),
    ...machines.map((machine, at) => right<ClassicRow>(machine, (row) => timeText(timesOf(row, at)))),
    right("here", (row) => timeText(callNanos(row))),
    right("× protobuf published", (row) =>
      machines
        .map((_, at) => formatRatio(timesOf(row, at) / timesOf({ ...row, system: "protobuf" }, at)))
        .join(", "),
    ),
    right("here", (row) => {
      const ratio = ofProtobuf(row);
      return ratio === undefined ? "–" : formatRatio(ratio);
    }),
  ]);
}

function termTable({ rows }: ClassicRecord): Table {
  const { rows: published, terms } = PUBLISHED_ERLANG;
  const publishedOf = ({ system, dataset }: ClassicRow) =>
    published.find((row) => row.system === system && terms[row.term] === dataset);
  return tableOf(rows, [
    left("system", nameOf),
    left("term", ({ dataset }) => dataset),
    left("step", ({ operation }) => operation),
    right("bytes published", (row) => formatBytes(publishedOf(row)?.bytes ?? 0)),
    right("here", ({ bytes }) => (bytes === undefined ? "–" : formatBytes(bytes))),
    right("MB/s published", (row) => {
      const { operation } = row;
      if (operation !== "encode" && operation !== "decode") return "";
      return publishedOf(row)?.[operation].megabytes.toFixed(2);
    }),
    right("here", (row) => row.runs.map((run) => megabytesOf(row, run).toFixed(2)).join(", ")),
    right("per call", (row) => timeText(callNanos(row))),
  ]);
}

/** Time of a call without that of the loop around it, whose own is that of an empty one. */
function pythonTable({ rows }: ClassicRecord): Table {
  const { emptyPerSecond, rows: published } = PUBLISHED_PYTHON;
  const measured = rows.filter(({ operation }) => operation !== "empty");
  const emptyOf = ({ codec }: ClassicRow): number | undefined => {
    const empty = rows.find((row) => row.operation === "empty" && row.codec === codec);
    return empty && callNanos(empty);
  };
  const perSecondOf = ({ system, dataset, operation }: ClassicRow): number | undefined => {
    const row = published.find((one) => one.system === system && one.dataset === dataset);
    return operation === "encode" && row !== undefined && "perSecond" in row ? row.perSecond : undefined;
  };
  const rate = (nanos: number | undefined): string =>
    nanos === undefined || nanos <= 0 ? "–" : formatCount(Math.round(1e9 / nanos));
  return tableOf(measured, [
    left("system", nameOf),
    left("call", ({ operation, dataset }) => `${operation} ${dataset}`),
    right("calls a second published", (row) => {
      const perSecond = perSecondOf(row);
      return perSecond === undefined ? "–" : formatCount(perSecond);
    }),
    right("less an empty loop", (row) => {
      const perSecond = perSecondOf(row);
      return perSecond === undefined ? "–" : rate(1e9 / perSecond - 1e9 / emptyPerSecond);
    }),
    right("here", (row) => rate(callNanos(row))),
    right("less an empty loop", (row) => {
      const [nanos, empty] = [callNanos(row), emptyOf(row)];
      return rate(nanos === undefined || empty === undefined ? undefined : nanos - empty);
    }),
    right("bytes", ({ bytes }) => (bytes === undefined ? "–" : formatBytes(bytes))),
  ]);
}

function latencyTable({ rows }: ClassicRecord): Table {
  const { x86_64, aarch64 } = PUBLISHED_IPC.latency;
  const publishedOf = ({ system }: ClassicRow, machine: typeof x86_64 | typeof aarch64): number =>
    system === "capnp" ? machine.capnpMs : machine.protobufMs;
  return tableOf(rows, [
    left("system", nameOf),
    right("published, x86_64", (row) => formatMillis(publishedOf(row, x86_64))),
    right("published, aarch64", (row) => formatMillis(publishedOf(row, aarch64))),
    right("average here", ({ latenciesMs = [] }) => {
      const known = latenciesMs.filter((one) => one !== null);
      return known.length === 0 ? "–" : formatMillis(averageOf(known));
    }),
    right("bytes", ({ bytes }) => (bytes === undefined ? "–" : formatBytes(bytes))),
  ]);
}

/** A file for each codec whose messages were sent between processes, as was published: index and latency of each message. */
export function classicCsvFiles({ rows }: ClassicRecord): { file: string; text: string }[] {
  return rows.flatMap(({ codec, latenciesMs }) => {
    if (latenciesMs === undefined) return [];
    const lines = latenciesMs.map((latency, index) => `${index},${latency?.toFixed(6) ?? ""}\n`);
    return [{ file: `latency-${fileNamePart(codec)}.csv`, text: `index,latency_ms\n${lines.join("")}` }];
  });
}
