/** What calls allocate and keep on both sides, and what of it is more than runs of equal code differ by. */
import type { ComparedBytes, ComparedCell, MemoryFigure } from "../../model/records/comparison.ts";
import type { Memory } from "../../model/records/run.ts";
import type { MeasuredCell } from "../cells.ts";
import { median } from "../statistics/location.ts";

/** How far apart two sides are: so many times the smaller, and so many bytes. */
interface Distance {
  readonly times: number;
  readonly bytes: number;
}

/** From which distance on a difference is worth a line. */
const SHOWN: Readonly<Record<MemoryFigure, Distance>> = {
  heapBytes: { times: 1.2, bytes: 16 },
  externalBytes: { times: 1.2, bytes: 16 },
  retainedBytes: { times: 1.2, bytes: 4096 },
};

/**
 * What two runs of equal code do not differ by. Memory is measured in one process of a run, whose compiler leaves out
 * allocations or does not, each for good: of sixty runs some had 3.39 times the bytes of others, and kept up to 110 KiB more.
 */
const DECIDED: Readonly<Record<MemoryFigure, Distance>> = {
  heapBytes: { times: 3.5, bytes: 16 },
  externalBytes: { times: 2.5, bytes: 16 },
  retainedBytes: { times: 2.5, bytes: 262_144 },
};

/**
 * From so many ways on to part all runs into sides of these sizes (those of four and four, or five and three), all runs
 * of one side lie by chance beyond all of the other in a fortieth of comparisons.
 */
const ENOUGH_WAYS = 56;

/** What a cell allocates and keeps on both sides, where both have it. */
export function comparedMemory(
  base: readonly MeasuredCell[],
  head: readonly MeasuredCell[],
): Pick<ComparedCell, "memory"> {
  const known = (cells: readonly MeasuredCell[]): Memory[] =>
    cells.flatMap(({ memory }) => (memory === undefined ? [] : [memory]));
  const [before, after] = [known(base), known(head)];
  if (before.length === 0 || after.length === 0) return {};
  const compared = (figure: MemoryFigure): ComparedBytes => {
    const [from, to] = [before, after].map((runs) => runs.map((memory) => memory[figure])) as [
      number[],
      number[],
    ];
    const [baseBytes, headBytes] = [median(from), median(to)];
    return {
      base: baseBytes,
      head: headBytes,
      ratio: baseBytes === 0 ? null : headBytes / baseBytes,
      verdict: verdictOf(figure, from, to),
    };
  };
  return {
    memory: {
      heapBytes: compared("heapBytes"),
      externalBytes: compared("externalBytes"),
      retainedBytes: compared("retainedBytes"),
    },
  };
}

function verdictOf(
  figure: MemoryFigure,
  from: readonly number[],
  to: readonly number[],
): ComparedBytes["verdict"] {
  const isMore = median(to) > median(from);
  const [low, high] = isMore ? [from, to] : [to, from];
  if (!isApart(median(low), median(high), SHOWN[figure])) return "same";
  const limits = waysToPart(from.length, to.length) < ENOUGH_WAYS ? DECIDED : SHOWN;
  if (!isApart(Math.max(...low), Math.min(...high), limits[figure])) return "undecided";
  return isMore ? "more" : "less";
}

function isApart(low: number, high: number, { times, bytes }: Distance): boolean {
  return high - low >= bytes && high >= times * low;
}

/** In how many ways a + b runs can be a runs and b others. */
function waysToPart(a: number, b: number): number {
  let ways = 1;
  for (let i = 1; i <= b; i++) ways = (ways * (a + i)) / i;
  return ways;
}
