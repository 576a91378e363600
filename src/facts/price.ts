/** What one way to do something costs more than another, told in one process. */

/** Milliseconds of processor time that one batch takes at least, and how many of each there are. */
const BATCH = 1;
const ROUNDS = 40;

/** Milliseconds of either before anything counts: code that was met often is another. */
const WARM = 25;

/** Milliseconds after which no more rounds begin, and rounds that there are all the same. */
const ENOUGH = 150;
const LEAST_ROUNDS = 8;

/**
 * How much longer `dear` takes than `plain`, as a share of that: of the fastest batches of each, in turns. It says of what size a
 * price is, not more. Time is the processor's: what else the machine does is no price.
 */
export function priceOf(plain: () => unknown, dear: () => unknown): number {
  const [calls, dearCalls] = [plain, dear].map(callsOf) as [number, number];
  let least = Number.POSITIVE_INFINITY;
  let leastDear = Number.POSITIVE_INFINITY;
  for (let round = 0, spent = 0; round < ROUNDS && (round < LEAST_ROUNDS || spent < ENOUGH); round++) {
    const [one, other] = [millisOf(plain, calls), millisOf(dear, dearCalls)];
    spent += one + other;
    least = Math.min(least, one / calls);
    leastDear = Math.min(leastDear, other / dearCalls);
  }
  return leastDear / least - 1;
}

/** Calls of a batch, once they are warm. */
function callsOf(work: () => unknown): number {
  let calls = 1;
  for (let spent = 0; ; ) {
    const millis = millisOf(work, calls);
    spent += millis;
    if (millis < BATCH) calls *= 2;
    else if (spent >= WARM) return calls;
  }
}

function millisOf(work: () => unknown, calls: number): number {
  const started = process.cpuUsage();
  for (let call = 0; call < calls; call++) work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}
