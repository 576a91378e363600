/**
 * Counts the work of calls without a clock, in a process of its own that loads this module before any other: how often
 * the blocks of our own code and of what it generates are executed, by V8's precise coverage; what native code goes
 * over; and the memory that is allocated, by V8's sampling of the heap. A program gives {@link report} its families of
 * inputs; `describeLinearWork` runs it.
 */
import { type HeapProfiler, type Profiler, Session } from "node:inspector";
import { countNativeWork, takeNativeWork } from "./native-work.ts";

/** Inputs of one kind, as large as one likes. */
export interface Family {
  readonly name: string;
  /** Prepares a size, which is not counted, and returns what is. Input and output are to double with `n`. */
  readonly make: (n: number) => () => unknown;
  /** The least `n`; 512 by default. */
  readonly from?: number;
}

/** What the two sizes of a family took, of which the second is four times the first. */
export interface Work {
  readonly name: string;
  /** What came of the largest: `done`, or the name of the error. */
  readonly outcome: string;
  /** Executions of blocks of code. */
  readonly blocks: readonly number[];
  /** What native code went over: see native-work.ts. */
  readonly native: readonly number[];
  /** Words of eight bytes that were allocated on V8's heap. */
  readonly words: readonly number[];
}

/** Bytes between two samples of the heap. */
const SAMPLING = 512;

const session = new Session();
session.connect();

/** Asks V8, which answers before this returns. */
function ask<Answer = undefined>(method: string, params: object = {}): Answer {
  let answer: Answer | undefined;
  session.post(method, params, (error, result) => {
    if (error !== null) throw new Error(`${method}: ${JSON.stringify(error)}`);
    answer = result as Answer;
  });
  return answer as Answer;
}

ask("Profiler.enable");
ask("HeapProfiler.enable");
ask("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
countNativeWork();

/** Our own code has a path below `src`, what it generates has none. */
function takeBlocks(): number {
  const { result } = ask<Profiler.TakePreciseCoverageReturnType>("Profiler.takePreciseCoverage");
  return result
    .filter(({ url }) => url === "" || url.includes("/src/"))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0);
}

function startSampling(): void {
  const withCollected = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true };
  ask("HeapProfiler.startSampling", { samplingInterval: SAMPLING, ...withCollected });
}

function takeWords(): number {
  const { profile } = ask<HeapProfiler.StopSamplingReturnType>("HeapProfiler.stopSampling");
  const sum = ({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number =>
    children.reduce((total, child) => total + sum(child), selfSize);
  return Math.round(sum(profile.head) / 8);
}

function outcomeOf(run: () => unknown): string {
  try {
    run();
    return "done";
  } catch (error) {
    return (error as Error).constructor.name;
  }
}

function workOf({ name, make, from = 512 }: Family): Work {
  const work = { blocks: [] as number[], native: [] as number[], words: [] as number[] };
  // What is filled once and kept is no work of the first size.
  let outcome = outcomeOf(make(from));
  for (const n of [from, 4 * from]) {
    const run = make(n);
    startSampling();
    takeBlocks();
    takeNativeWork();
    outcome = outcomeOf(run);
    work.native.push(takeNativeWork());
    work.blocks.push(takeBlocks());
    work.words.push(takeWords());
  }
  return { name, outcome, ...work };
}

/** Prints the work of each family as a line of JSON. */
export function report(families: readonly Family[]): void {
  for (const family of families) process.stdout.write(`${JSON.stringify(workOf(family))}\n`);
}
