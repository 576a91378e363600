/**
 * Takes mutants of one format, in a process whose heap is small, and prints one line of JSON on what came of them:
 *
 *     node --max-old-space-size=… program.js FORMAT SEED MUTANTS [TRACE]
 *
 * The same arguments give the same mutants. With TRACE, a file, each mutant is written there before it is taken: its
 * last line is the one that ended the process. A fault ends it with code 1, and its text on the standard error.
 */
import { openSync, writeSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { seededRandom } from "../../src/model/random.ts";
import { randomMutant } from "../mutate.ts";
import { type Target, targetsOf } from "./targets.ts";

/** What a process took. */
export interface Round {
  readonly format: string;
  readonly mutants: number;
  readonly taken: number;
  /** Processor time of the mutants, in seconds. */
  readonly seconds: number;
  /** Mutants that took long by the clock, twice: their steps decide. */
  readonly slow: readonly { readonly target: number; readonly hex: string }[];
  /** Largest resident set of the process, in MiB. */
  readonly mib: number;
}

/** Mutants of a target in a row: enough for V8 to stay with what it has compiled. */
const ROW = 250;

/** From so many milliseconds on, the steps of a mutant are counted afterwards. */
const SLOW_MS = 25;

/** Most of them that are kept. */
const MOST_SLOW = 20;

const [format = "", seed = "1", mutants = "1000", trace] = process.argv.slice(2);
Error.stackTraceLimit = 0;
const prototypes = [
  Object.prototype,
  Array.prototype,
  Map.prototype,
  Function.prototype,
  Uint8Array.prototype,
];
const namesOf = (): string => prototypes.map((one) => Object.getOwnPropertyNames(one).join()).join("|");
const before = namesOf();

const targets = await targetsOf(format, Number(seed));
const random = seededRandom(Number(seed));
const file = trace === undefined ? undefined : openSync(trace, "w");
const slow: { target: number; hex: string }[] = [];
let tried = 0;
let taken = 0;
const start = process.cpuUsage();
for (let row = 0; tried < Number(mutants); row++) {
  const index = row % targets.length;
  for (let i = 0; i < ROW; i++) take(targets[index]!, index, randomMutant(targets[index]!.vectors, random));
  // Node frees what inflated bytes only between two events.
  await setImmediate();
}
const { user, system } = process.cpuUsage(start);
if (namesOf() !== before) throw new Error(`${format}: a prototype was changed`);
const round: Round = {
  format,
  mutants: tried,
  taken,
  seconds: (user + system) / 1e6,
  slow,
  mib: process.resourceUsage().maxRSS / 1024,
};
process.stdout.write(`${JSON.stringify(round)}\n`);

function take(target: Target, index: number, mutant: Buffer): void {
  if (file !== undefined) writeSync(file, `${index} ${mutant.toString("hex")}\n`);
  const kept = Buffer.from(mutant);
  const at = performance.now();
  try {
    if (target.take(mutant)) taken += 1;
  } catch (error) {
    const { message } = error as Error;
    process.stderr.write(`${target.name}: ${message}: ${kept.toString("hex")}\n`);
    process.exit(1);
  }
  tried += 1;
  if (performance.now() - at > SLOW_MS && slow.length < MOST_SLOW && isSlow(target, mutant)) {
    slow.push({ target: index, hex: kept.toString("hex") });
  }
  if (!kept.equals(mutant)) {
    process.stderr.write(`${target.name}: the input was written to: ${kept.toString("hex")}\n`);
    process.exit(1);
  }
}

/** Whether the bytes take long once more: the first time, another process may have had the processor. */
function isSlow(target: Target, bytes: Uint8Array): boolean {
  const at = performance.now();
  target.take(bytes);
  return performance.now() - at > SLOW_MS;
}
