/** The cells of several records as one: their processes are pooled, and nothing else is made of them. */
import { defined } from "../../model/defined.ts";
import {
  type Cell,
  type CountedProcess,
  cellKey,
  type Nanos,
  type RunOptionsRecord,
  type Start,
} from "../../model/records/run.ts";
import { countersFrom, nanosOf, startOf } from "../cell-builder.ts";
import type { Part } from "./machines.ts";

/** A cell of a merged record, without its standing. */
export interface PooledCell {
  readonly cell: Cell;
  /** Its time in some of the blocks; undefined where it has no process there. */
  on(blocks: readonly number[]): Nanos | undefined;
}

/** One process of a cell: as {@link nanosOf} takes it. */
type Replicate = Parameters<typeof nanosOf>[0][number];

/** The cells of all parts, in the order of a record. */
export function pooledCells(parts: readonly Part[], options: RunOptionsRecord): PooledCell[] {
  const found = new Map<string, { readonly cell: Cell; readonly part: Part }[]>();
  for (const part of parts) {
    for (const cell of part.record.cells) {
      const key = cellKey(cell);
      found.set(key, [...(found.get(key) ?? []), { cell, part }]);
    }
  }
  const rank = (names: readonly string[], name: string): number =>
    names.includes(name) ? names.indexOf(name) : names.length;
  return [...found.values()]
    .map(pooledCell)
    .sort(
      ({ cell: a }, { cell: b }) =>
        rank(options.datasets, a.dataset) - rank(options.datasets, b.dataset) ||
        rank(options.operations, a.operation) - rank(options.operations, b.operation) ||
        rank(options.codecs, a.codec) - rank(options.codecs, b.codec),
    );
}

/** A cell that was refused in one run is refused: half a measurement is none. */
function pooledCell(found: readonly { readonly cell: Cell; readonly part: Part }[]): PooledCell {
  const refused = found.find(({ cell }) => cell.status === "failed" || cell.status === "unsupported");
  const [first] = found as [(typeof found)[number]];
  const { standing: _standing, machines: _machines, original: _original, ...cell } = (refused ?? first).cell;
  if (refused !== undefined || cell.status !== "measured") return { cell, on: () => undefined };
  const replicates = pooled(found, ({ nanos }) => nanos);
  const shared = pooled(found, (one) => one.shared);
  const starts = [...new Set(found.map((one) => one.cell))].flatMap(({ start }) => start ?? []);
  const memory = found.find((one) => one.cell.memory !== undefined)?.cell.memory;
  const { memoryReason, memory: _memory, counters: _counters, ...own } = cell;
  return {
    cell: {
      ...own,
      nanos: nanosOf(replicates),
      ...defined({
        shared: shared.length === 0 ? undefined : nanosOf(shared),
        sharedReason: found.find((one) => one.cell.sharedReason !== undefined)?.cell.sharedReason,
        start: starts.length === 0 ? undefined : { ...startOf(starts), ...startedIn(found) },
        counters: countersFrom(found.flatMap(countedIn).sort((a, b) => a.block - b.block)),
        memory,
        memoryReason: memory === undefined ? memoryReason : undefined,
      }),
    },
    on: (blocks) => {
      const there = replicates.filter(({ block }) => blocks.includes(block));
      return there.length === 0 ? undefined : nanosOf(there);
    },
  };
}

/** The cold figures of each process, where all runs have them. */
function startedIn(found: readonly { readonly cell: Cell; readonly part: Part }[]): Pick<Start, "processes"> {
  if (found.some(({ cell }) => cell.start?.processes === undefined)) return {};
  const processes = found.flatMap(({ cell, part }) =>
    (cell.start?.processes ?? []).flatMap((one) => {
      const block = part.numbers.get(one.block);
      return block === undefined ? [] : [{ ...one, block }];
    }),
  );
  return { processes: processes.sort((a, b) => a.block - b.block) };
}

/** What processes of a part's blocks counted. */
function countedIn({ cell, part }: { readonly cell: Cell; readonly part: Part }): CountedProcess[] {
  return (cell.counters?.processes ?? []).flatMap((one) => {
    const block = part.numbers.get(one.block);
    return block === undefined ? [] : [{ ...one, block }];
  });
}

/** The processes of a cell in all parts, in the order of their blocks. */
function pooled(
  found: readonly { readonly cell: Cell; readonly part: Part }[],
  nanos: (cell: Cell) => Nanos | undefined,
): Replicate[] {
  return found
    .flatMap(({ cell, part }) => replicatesIn(nanos(cell), part.numbers))
    .sort((a, b) => a.block - b.block);
}

/** The processes of blocks that have a new number. */
function replicatesIn(nanos: Nanos | undefined, numbers: ReadonlyMap<number, number>): Replicate[] {
  if (nanos === undefined) return [];
  const { blocks, loops, batchCalls, warmUp, wall, allThreads, preempted, slowed, scaled } = nanos;
  return nanos.batches.flatMap((batches, i): Replicate[] => {
    const block = numbers.get(blocks[i]!);
    if (block === undefined) return [];
    const optional = defined({
      wall: wall?.[i] ?? undefined,
      allThreads: allThreads?.[i] ?? undefined,
      preempted: preempted?.[i] ?? undefined,
      slowed: slowed?.[i] ?? undefined,
      scaled: scaled?.includes(i) === true ? (true as const) : undefined,
    });
    const samples = { batches, loop: loops[i]!, batchCalls: batchCalls[i]!, ...optional };
    return [{ block, warmUp: warmUp[i]!, samples }];
  });
}
