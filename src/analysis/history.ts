/** The times of the same cells in runs one after the other, and where these are not to be compared. */
import { UsageError } from "../model/errors.ts";
import {
  type Cell,
  type CellOnMachine,
  cellKey,
  type Environment,
  type RunRecord,
  type RuntimeRecord,
} from "../model/records/run.ts";
import { isMeasured, type MeasuredCell } from "./cells.ts";

/** Runs, the earliest first, and a line for each of their cells. */
export interface History {
  readonly runs: readonly HistoryRun[];
  readonly lines: readonly CellLine[];
}

/** What a run was. */
export interface HistoryRun {
  /** What its record is called. */
  readonly source: string;
  readonly startedAt: string;
  readonly complete: boolean;
  readonly profile: string;
  readonly cpu: string;
  readonly runtime: string;
  readonly wirebench: string;
}

/** A cell over the runs. */
export interface CellLine {
  readonly operation: string;
  readonly dataset: string;
  /** With the label of the machine where a record has several. */
  readonly codec: string;
  /** One for each run that measured it, the earliest first. */
  readonly points: readonly HistoryPoint[];
}

/** What a run says of a cell: times are nanoseconds. */
export interface HistoryPoint extends Pick<CellOnMachine, "median" | "ci95" | "processes"> {
  /** Index of the run. */
  readonly run: number;
  readonly bytes: number;
  /** What is another than in the point before: the line is broken there, and the two are not compared. Absent where nothing is. */
  readonly breaks?: readonly Change[];
}

/** A circumstance with which a time is another. */
export interface Change {
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

/** What a history needs of a run: a small part of its record. */
export interface RunTimes {
  readonly run: HistoryRun;
  readonly seed: number;
  readonly times: readonly CellTime[];
}

/** A cell's time in a run. */
interface CellTime {
  readonly of: Omit<CellLine, "points">;
  readonly point: Omit<Point, "run">;
}

/** The history of the cells of several runs, in whatever order they are given. Throws UsageError for a run that is given twice. */
export function historyOf(runs: readonly RunTimes[]): History {
  const sorted = runs.toSorted((a, b) => Date.parse(a.run.startedAt) - Date.parse(b.run.startedAt));
  expectDistinct(sorted);
  const lines = new Map<string, { readonly of: Omit<CellLine, "points">; points: Point[] }>();
  for (const [run, { times }] of sorted.entries()) {
    for (const { of, point } of times) {
      const key = cellKey(of);
      const line = lines.get(key) ?? { of, points: [] };
      lines.set(key, line);
      line.points.push({ run, ...point });
    }
  }
  return {
    runs: sorted.map(({ run }) => run),
    lines: Array.from(lines.values(), ({ of, points }) => ({ ...of, points: points.map(withBreaks) })),
  };
}

/** How the last time of a line is to the first one since it was last broken; undefined where there is nothing between. */
export function latestChange({
  points,
}: CellLine): { readonly ratio: number; readonly since: HistoryPoint } | undefined {
  const since = points[points.findLastIndex(({ breaks }, i) => i === 0 || breaks !== undefined)];
  const last = points.at(-1);
  if (since === undefined || last === undefined || last === since || since.median === 0) return undefined;
  return { ratio: last.median / since.median, since };
}

/** A point, and the circumstances of its time by their names. */
interface Point extends Omit<HistoryPoint, "breaks"> {
  readonly facts: Readonly<Record<string, string>>;
}

function expectDistinct(runs: readonly RunTimes[]): void {
  const sources = new Map<string, string>();
  for (const { run, seed } of runs) {
    const key = `${run.startedAt} ${seed}`;
    const other = sources.get(key);
    if (other !== undefined)
      throw new UsageError(`${other} and ${run.source}: both hold the same run, expected each once`);
    sources.set(key, run.source);
  }
}

/** What a history needs of a record. @param source what the record is called */
export function runTimesOf(record: RunRecord, source: string): RunTimes {
  const { startedAt, complete, options, environment, runtimes, merged, tool } = record;
  const machines = merged?.machines ?? [];
  const run = {
    source,
    startedAt,
    complete,
    profile: options.profile,
    cpu: machines.length > 1 ? machines.map(({ label }) => label).join(" and ") : environment.cpu.model,
    runtime: runtimes.map(({ name, version }) => `${name} ${version}`).join(", "),
    wirebench: tool.version,
  };
  return { run, seed: options.seed, times: timesOf(record) };
}

/** The times of a run. What has no time has no point, and neither has a second measurement of the baseline. */
function timesOf(record: RunRecord): CellTime[] {
  const machines = record.merged?.machines ?? [];
  return record.cells.flatMap((cell) => {
    if (!isMeasured(cell) || cell.twinOf !== undefined) return [];
    const { operation, dataset, codec, bytes, nanos } = cell;
    const pointOn = (time: Omit<Point, "run" | "bytes" | "facts">, at: Place): CellTime["point"] => ({
      bytes,
      median: time.median,
      ci95: time.ci95,
      processes: time.processes,
      facts: factsOf(cell, at, record),
    });
    if (machines.length <= 1) {
      const point = pointOn({ ...nanos, processes: nanos.processes.length }, record);
      return [{ of: { operation, dataset, codec }, point }];
    }
    return (cell.machines ?? []).flatMap((time) => {
      const place = machines.find(({ label }) => label === time.machine);
      if (place === undefined) return [];
      return [
        { of: { operation, dataset, codec: `${codec} (${time.machine})` }, point: pointOn(time, place) },
      ];
    });
  });
}

/** A machine, and what runs there. */
interface Place {
  readonly environment: Environment;
  readonly runtimes: readonly RuntimeRecord[];
}

/** What a time is of: with another of these, it is another time. */
function factsOf(
  cell: MeasuredCell,
  { environment: { cpu, os }, runtimes }: Place,
  { options, datasets, natives = [] }: RunRecord,
): Record<string, string> {
  const data = datasets.find(({ name }) => name === cell.dataset)?.sha256;
  const facts = {
    CPU: cpu.model,
    platform: `${os.platform} ${os.arch}`,
    library: libraryOf(cell),
    data: data === undefined ? "unknown" : `${data.slice(0, 16)}…`,
    cores: String(options.cores ?? "all"),
  };
  if (cell.program !== undefined) {
    const native = natives.find(({ program }) => program === cell.program);
    const { compiler = "unknown", flags = [], libraries = [] } = native ?? {};
    return { ...facts, compiler: [compiler, ...flags].join(" "), libraries: libraries.join(", ") };
  }
  const runtime = runtimes.find(({ label }) => cell.runtime === undefined || label === cell.runtime);
  if (runtime === undefined) return facts;
  const { name, version, engine, execArgv, steadyArgv = [], timeSource = "wall" } = runtime;
  return {
    ...facts,
    runtime: `${name} ${version} (${engine.name} ${engine.version})`,
    flags: [...execArgv, ...steadyArgv].join(" ") || "none",
    "timed by": timeSource,
  };
}

function libraryOf({ library, version, build }: Cell): string {
  return `${library} ${version}${build === undefined ? "" : ` (${build})`}`;
}

/** A point without its circumstances, but for those that are others than in the one before. */
function withBreaks({ facts, ...point }: Point, i: number, points: readonly Point[]): HistoryPoint {
  const earlier = points[i - 1]?.facts;
  if (earlier === undefined) return point;
  const breaks = [...new Set([...Object.keys(earlier), ...Object.keys(facts)])].flatMap((what): Change[] => {
    const [before = "unknown", after = "unknown"] = [earlier[what], facts[what]];
    return before === after ? [] : [{ what, before, after }];
  });
  return breaks.length === 0 ? point : { ...point, breaks };
}
