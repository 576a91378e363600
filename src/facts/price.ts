/** What one way to do something costs more than another, told in one process. */
import { confidenceInterval, median } from "../analysis/statistics/location.ts";
import type { FactCell } from "../model/records/facts.ts";

/** What rows that ask for a price are called by. They are asked in a process that has answered nothing else: what it ran would count. */
export const PRICE = "price of";

/** Whether a row asks for a price. */
export function isPrice(name: string): boolean {
  return name.startsWith(PRICE);
}

/** Milliseconds of processor time that one batch takes at least. */
const BATCH = 0.5;

/** Milliseconds of either way until the calls of a batch are settled. */
const WARM = 20;

/** Milliseconds of all rounds, and how many there are at least. */
const ENOUGH = 400;
const LEAST_ROUNDS = 16;

/**
 * How much longer `dear` takes than `plain`, as a share of that. Each round has both twice, in the order plain, dear, dear, plain, and
 * the faster of each: a machine that gets slower meanwhile is so for both. Of the second half of the rounds the middle one is the price,
 * and their order gives the interval: in the first, V8 compiles what it met. Time is the processor's: what else the machine does is no
 * price.
 */
export function priceOf(
  plain: () => unknown,
  dear: () => unknown,
): Required<Pick<FactCell, "outcome" | "price" | "priceCi95">> {
  const [calls, dearCalls] = [plain, dear].map(callsOf) as [number, number];
  const rounds: number[] = [];
  for (let spent = 0; rounds.length < LEAST_ROUNDS || spent < ENOUGH; ) {
    const first = millisOf(plain, calls);
    const dears = [millisOf(dear, dearCalls), millisOf(dear, dearCalls)] as const;
    const plains = [first, millisOf(plain, calls)] as const;
    spent += plains[0] + plains[1] + dears[0] + dears[1];
    rounds.push(Math.min(...dears) / dearCalls / (Math.min(...plains) / calls));
  }
  const settled = rounds.slice(rounds.length >> 1);
  const [low, high] = confidenceInterval(settled) ?? [Number.NaN, Number.NaN];
  return { outcome: "same", price: median(settled) - 1, priceCi95: [low - 1, high - 1] };
}

/** Calls of a batch, once they are warm. A single one may have been long because code was compiled or garbage collected in it. */
function callsOf(work: () => unknown): number {
  let calls = 1;
  for (let spent = 0; ; ) {
    const batches = [millisOf(work, calls), millisOf(work, calls), millisOf(work, calls)];
    spent += batches.reduce((sum, millis) => sum + millis);
    if (Math.min(...batches) < BATCH) calls *= 2;
    else if (spent >= WARM) return calls;
  }
}

function millisOf(work: () => unknown, calls: number): number {
  const started = process.cpuUsage();
  for (let call = 0; call < calls; call++) work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}
