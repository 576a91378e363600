/** Puts the records of several runs together, as if one run had measured them. */
import { answersOf } from "../../analysis/answer/answer.ts";
import { withOriginals } from "../../analysis/originals.ts";
import { withStandings } from "../../analysis/standings.ts";
import { defined } from "../../model/defined.ts";
import {
  type CellOnMachine,
  cellKey,
  type Noise,
  type RunOptionsRecord,
  type RunRecord,
} from "../../model/records/run.ts";
import { machinesOf, numbered, partsOf } from "./machines.ts";
import { expectMergeable } from "./mergeable.ts";
import { type PooledCell, pooledCells } from "./pooled-cells.ts";

/** How records are merged. */
export interface MergeOptions {
  /** What the records are called, in their order; by default by their times. */
  readonly sources?: readonly string[];
  /** The command line, for the record. */
  readonly command?: string;
}

/**
 * The record that one run would have made of all their blocks: processes are pooled, and compared by the code that compares
 * those of a run. Blocks keep their numbers, but for those of a run whose numbers another one has: they follow the others.
 * What is measured once, as memory is, is that of the first record that has it. Where the machines are of several kinds, each
 * is a stratum: see `Merged`. Throws UsageError where the records differ in what they measured.
 */
export function mergeRecords(records: readonly RunRecord[], options: MergeOptions = {}): RunRecord {
  const named = records.map((record, i) => ({ source: options.sources?.[i] ?? record.startedAt, record }));
  expectMergeable(named);
  const [first] = records as [RunRecord];
  const parts = numbered(named.flatMap(partsOf));
  const machines = machinesOf(parts);
  const labels = new Map(
    machines.flatMap(({ label, blocks }) => blocks.map((block) => [block, label] as const)),
  );
  const pooled = pooledCells(parts, first.options);
  const machineOf = machines.length > 1 ? (block: number): string => labels.get(block) ?? "" : undefined;
  const { baseline, threshold } = first.options;
  const { cells, noise } = withStandings(
    pooled.map(({ cell }) => cell),
    { baseline, threshold, machineOf },
  );
  const strata =
    machineOf === undefined ? [] : machines.map((machine) => stratumOf(machine, pooled, first.options));
  const complete = records.every((record) => record.complete);
  const times = (of: (record: RunRecord) => string | undefined): string[] =>
    records.flatMap((one) => of(one) ?? []).sort();
  const merged: RunRecord = {
    schemaVersion: first.schemaVersion,
    tool: { ...first.tool, command: options.command ?? "wirebench.mergeRecords()" },
    startedAt: times(({ startedAt }) => startedAt)[0]!,
    ...defined({ finishedAt: complete ? times(({ finishedAt }) => finishedAt).at(-1) : undefined }),
    complete,
    ...defined({ reason: records.find(({ reason }) => reason !== undefined)?.reason }),
    environment: first.environment,
    runtimes: machines[0]!.runtimes,
    ...defined({ natives: first.natives }),
    options: mergedOptions(records, [...labels.keys()]),
    datasets: first.datasets.map((dataset) => {
      const all = records.flatMap(({ datasets }) => datasets.filter(({ name }) => name === dataset.name));
      return all.find(({ sha256 }) => sha256 !== undefined) ?? dataset;
    }),
    payloads: firstOfEach(
      records.flatMap(({ payloads }) => payloads),
      ({ dataset, codec }) => [dataset, codec],
    ),
    compression: firstOfEach(
      records.flatMap(({ compression }) => compression),
      ({ dataset, codec, algorithm, level }) => [dataset, codec, algorithm, level],
    ),
    processes: parts
      .flatMap(({ record, numbers }) =>
        record.processes.flatMap((process) => {
          const block = numbers.get(process.block);
          return block === undefined ? [] : [{ ...process, block }];
        }),
      )
      .sort((a, b) => a.block - b.block),
    ...defined({ noise }),
    merged: {
      runs: parts.map(({ source, startedAt, seed, shard, numbers }) => {
        const blocks = [...numbers.values()];
        const machine = labels.get(blocks[0] ?? -1) ?? machines[0]!.label;
        return { source, startedAt, seed, ...defined({ shard }), machine, blocks };
      }),
      machines: machines.map((machine, i) => ({ ...machine, ...defined({ noise: strata[i]?.noise }) })),
    },
    cells: (machineOf === undefined ? withOriginals(cells) : cells).map((cell) => {
      const machinesOfCell = strata.flatMap(({ cells: own }) => own.get(cellKey(cell)) ?? []);
      return { ...cell, ...defined({ machines: machinesOfCell.length === 0 ? undefined : machinesOfCell }) };
    }),
  };
  const answer = complete ? answersOf(merged) : [];
  return answer.length === 0 ? merged : { ...merged, answer };
}

/** What one machine has by itself, compared as a run of its own would be. */
function stratumOf(
  { label, blocks }: { readonly label: string; readonly blocks: readonly number[] },
  pooled: readonly PooledCell[],
  { baseline, threshold }: RunOptionsRecord,
): { readonly cells: ReadonlyMap<string, CellOnMachine>; readonly noise?: Noise } {
  const own = pooled.map(({ cell, on }) => ({ ...cell, ...defined({ nanos: on(blocks) }) }));
  const { cells, noise } = withStandings(own, { baseline, threshold });
  const found = cells.flatMap((cell) => {
    const { nanos, standing, status } = cell;
    if (nanos === undefined || status !== "measured") return [];
    const { median, ci95, processes } = nanos;
    const one = { machine: label, processes: processes.length, median, ci95, ...defined({ standing }) };
    return [[cellKey(cell), one] as const];
  });
  return { cells: new Map(found), ...defined({ noise }) };
}

/** Those of the first record, for all blocks. */
function mergedOptions(records: readonly RunRecord[], blocks: readonly number[]): RunOptionsRecord {
  const { shard: _, blocks: __, ...options } = records[0]!.options;
  const sorted = blocks.toSorted((a, b) => a - b);
  const least = Math.min(...records.map((record) => record.options.processes));
  const processes = Math.max(least, (sorted.at(-1) ?? 0) + 1);
  return { ...options, processes, ...defined({ blocks: sorted.length < processes ? sorted : undefined }) };
}

/** The first of those that have one key, in the order in which the keys come. */
function firstOfEach<T>(items: readonly T[], keyOf: (item: T) => readonly unknown[]): T[] {
  const found = new Map<string, T>();
  for (const item of items) {
    const key = JSON.stringify(keyOf(item));
    if (!found.has(key)) found.set(key, item);
  }
  return [...found.values()];
}
