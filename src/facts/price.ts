/** What one way to do something costs more than another, told in one process. */

/** Milliseconds of processor time that one batch takes at least, and how many of each there are. */
const BATCH = 1;
const ROUNDS = 40;

/** Milliseconds of either before anything counts: code that was met often is another. */
const WARM = 20;

/** Milliseconds after which no more rounds begin, and rounds that there are all the same. */
const ENOUGH = 150;
const LEAST_ROUNDS = 8;

/** What the fastest batch is faster than the one before where that still says something, as a share, and rounds without one. */
const FASTER = 0.01;
const SETTLED = 8;

/**
 * How much longer `dear` takes than `plain`, as a share of that: of the fastest batches of each, in turns. It says of what size a
 * price is, not more. Time is the processor's: what else the machine does is no price.
 */
export function priceOf(plain: () => unknown, dear: () => unknown): number {
  const [calls, dearCalls] = [plain, dear].map(callsOf) as [number, number];
  let least = Number.POSITIVE_INFINITY;
  let leastDear = Number.POSITIVE_INFINITY;
  let settled = 0;
  for (let round = 0, spent = 0; round < ROUNDS && (round < LEAST_ROUNDS || spent < ENOUGH); round++) {
    const [one, other] = [millisOf(plain, calls), millisOf(dear, dearCalls)];
    spent += one + other;
    const isFaster = one / calls < (1 - FASTER) * least || other / dearCalls < (1 - FASTER) * leastDear;
    least = Math.min(least, one / calls);
    leastDear = Math.min(leastDear, other / dearCalls);
    settled = isFaster ? 0 : settled + 1;
    if (settled === SETTLED) break;
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
