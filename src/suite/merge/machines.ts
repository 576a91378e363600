/** What merged records are made of: runs on machines, whose blocks are numbered anew where they must. */
import { defined } from "../../model/defined.ts";
import type {
  Environment,
  MachineRecord,
  RunRecord,
  RuntimeRecord,
  TimeSource,
} from "../../model/records/run.ts";
import { lessTelling } from "../record-builder.ts";
import { fingerprintOf, type Named } from "./mergeable.ts";

/** One run of a record: of a merged one there are several. */
export interface Part {
  readonly source: string;
  readonly record: RunRecord;
  readonly startedAt: string;
  readonly seed: number;
  readonly shard?: string;
  readonly environment: Environment;
  readonly runtimes: readonly RuntimeRecord[];
  /** Numbers of its blocks in the merged record, by those in its own. */
  readonly numbers: ReadonlyMap<number, number>;
}

/** The runs of a record, with their blocks numbered as they are there. */
export function partsOf({ source, record }: Named): Part[] {
  const { merged, startedAt, environment, runtimes, options } = record;
  const { seed, shard } = options;
  const same = (blocks: readonly number[]): Map<number, number> =>
    new Map(blocks.map((block) => [block, block]));
  if (merged === undefined) {
    const own = { startedAt, seed, ...defined({ shard }), environment, runtimes };
    return [{ source, record, ...own, numbers: same(blocksOf(record)) }];
  }
  return merged.runs.map(({ machine, blocks, ...run }) => {
    const on = merged.machines.find(({ label }) => label === machine);
    const { environment: own, runtimes: its } = on ?? { environment, runtimes };
    return { ...run, record, environment: own, runtimes: its, numbers: same(blocks) };
  });
}

/** The blocks of which a record has processes, in order. */
function blocksOf({ cells, processes }: RunRecord): number[] {
  const timed = cells.flatMap(({ nanos, shared }) => [...(nanos?.blocks ?? []), ...(shared?.blocks ?? [])]);
  return [...new Set([...timed, ...processes.map(({ block }) => block)])].sort((a, b) => a - b);
}

/** The runs with the numbers that their blocks have together: those of a run that clash with others follow them. */
export function numbered(parts: readonly Part[]): Part[] {
  const taken = new Set<number>();
  return parts.map((part) => {
    const own = [...part.numbers.keys()];
    const clashes = own.some((block) => taken.has(block));
    const next = Math.max(-1, ...taken) + 1;
    const numbers = new Map(own.map((block, i) => [block, clashes ? next + i : block]));
    for (const number of numbers.values()) taken.add(number);
    return { ...part, numbers };
  });
}

/** The machines of some runs, in the order in which they come: those of one fingerprint are one. */
export function machinesOf(parts: readonly Part[]): [MachineRecord, ...MachineRecord[]] {
  const groups = new Map<string, { readonly facts: ReadonlyMap<string, string>; readonly parts: Part[] }>();
  for (const part of parts) {
    const facts = fingerprintOf({ ...part.record, environment: part.environment, runtimes: part.runtimes });
    const key = JSON.stringify([...facts]);
    const group = groups.get(key) ?? { facts, parts: [] };
    groups.set(key, group);
    group.parts.push(part);
  }
  const all = [...groups.values()];
  const labels = labelsOf(all.map(({ facts }) => facts));
  return all.map(({ parts: own }, i) => ({
    label: labels[i]!,
    environment: own[0]!.environment,
    runtimes: coarsest(own.map(({ runtimes }) => runtimes)),
    blocks: own.flatMap(({ numbers }) => [...numbers.values()]).sort((a, b) => a - b),
  })) as unknown as [MachineRecord, ...MachineRecord[]];
}

/** Each machine's CPU model; where another has the same, with what tells the two from each other. */
function labelsOf(machines: readonly ReadonlyMap<string, string>[]): string[] {
  const models = machines.map((facts) => facts.get(MODEL) ?? "unknown");
  return machines.map((facts, i) => {
    const alike = machines.filter((_, j) => models[j] === models[i]);
    const telling = [...facts].filter(([what, value]) => alike.some((other) => other.get(what) !== value));
    return [
      models[i],
      ...telling.map(([what, value]) => (UNITS.has(what) ? `${what} ${value}` : value)),
    ].join(", ");
  });
}

const MODEL = "CPU model";

/** Circumstances whose value alone does not say what it is of. */
const UNITS = new Set(["cores", "CPU governor", "flags of measuring processes", "browser opened by hand"]);

/** The runtimes of the first, with the coarsest clock of all, the time source that tells least, and isolated where all pages were. */
function coarsest(all: readonly (readonly RuntimeRecord[])[]): RuntimeRecord[] {
  return (all[0] ?? []).map((runtime, i) => {
    const steps = all.flatMap((runtimes) => runtimes[i]?.clockStepNanos ?? []);
    const sources = all.flatMap((runtimes) => runtimes[i]?.timeSource ?? []);
    const isolated = all.flatMap((runtimes) => runtimes[i]?.isolated ?? []);
    return {
      ...runtime,
      ...defined({
        clockStepNanos: steps.length === 0 ? undefined : Math.max(...steps),
        isolated: isolated.length === 0 ? undefined : isolated.every(Boolean),
        timeSource: sources.reduce<TimeSource | undefined>(
          (least, one) => lessTelling(one, least),
          undefined,
        ),
      }),
    };
  });
}
