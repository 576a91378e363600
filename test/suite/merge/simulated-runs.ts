/** Records of runs that nobody made: one run, and the shards that it could have been cut into. */
import { withStandings } from "../../../src/analysis/standings.ts";
import { defined } from "../../../src/model/defined.ts";
import type { Cell, Environment, Nanos, RunRecord } from "../../../src/model/records/run.ts";
import { nanosOf } from "../../../src/suite/cell-builder.ts";
import { Simulation } from "../../analysis/simulated-cells.ts";
import { recordOf } from "../../reports/record.ts";

/** Times of codecs in ns; `again` is the second measurement of json. */
export const CODECS = { json: 1000, msgpackr: 700, v8: 1500, amf3: 1010, again: 1000 };

/** What a simulated run may be: 9 blocks of {@link CODECS} with 2 % between processes, where nothing else is said. */
export interface SimulatedRun {
  readonly seed: number;
  readonly blocks?: number;
  readonly codecs?: Readonly<Record<string, number>>;
  readonly deviation?: number;
  readonly cpu?: string;
  readonly environment?: Partial<Environment>;
}

/** The record of a simulated run of one table. */
export function simulatedRun(options: SimulatedRun): RunRecord {
  const { seed, blocks = 9, codecs = CODECS, deviation = 0.02, cpu, environment } = options;
  const cells = new Simulation(seed, blocks).table(codecs, deviation, { bytes: 10 });
  return compared(
    cells.map((cell) => ({ ...cell, ...defined({ nanos: only(cell.nanos, () => true) }) })),
    { seed, blocks, ...defined({ cpu, environment }) },
  );
}

function compared(
  cells: readonly Cell[],
  {
    seed,
    blocks,
    cpu,
    environment,
  }: { seed: number; blocks: number; cpu?: string; environment?: Partial<Environment> },
): RunRecord {
  const base = recordOf(cells.filter(({ twinOf }) => twinOf === undefined));
  const own = { ...base.environment, ...environment };
  const { baseline, threshold } = base.options;
  return {
    ...base,
    startedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, seed)).toISOString(),
    environment: cpu === undefined ? own : { ...own, cpu: { ...own.cpu, model: cpu } },
    options: { ...base.options, seed, processes: blocks, profile: "standard" },
    ...withStandings(cells, { baseline, threshold }),
  };
}

/** What a run would have left that carried out some of its blocks only. */
export function cut(whole: RunRecord, blocks: readonly number[], shard?: string): RunRecord {
  const { baseline, threshold } = whole.options;
  const cells = whole.cells.map((cell) => ({
    ...cell,
    ...defined({ nanos: only(cell.nanos, (block) => blocks.includes(block)) }),
  }));
  return {
    ...whole,
    options: { ...whole.options, blocks, ...defined({ shard }) },
    ...withStandings(cells, { baseline, threshold }),
  };
}

/** The shards that a run could have been cut into. */
export function shardsOf(whole: RunRecord, count: number): RunRecord[] {
  return Array.from({ length: count }, (_, i) => {
    const blocks = Array.from({ length: whole.options.processes }, (__, block) => block);
    return cut(
      whole,
      blocks.filter((block) => block % count === i),
      `${i + 1}/${count}`,
    );
  });
}

function only(nanos: Nanos | undefined, has: (block: number) => boolean): Nanos | undefined {
  if (nanos === undefined) return undefined;
  const { blocks, batches, loops, batchCalls, warmUp } = nanos;
  return nanosOf(
    blocks.flatMap((block, i) => {
      const samples = { batches: batches[i]!, loop: loops[i]!, batchCalls: batchCalls[i]! };
      return has(block) ? [{ block, warmUp: warmUp[i]!, samples }] : [];
    }),
  );
}
