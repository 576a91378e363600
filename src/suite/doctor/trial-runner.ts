import { fileURLToPath } from "node:url";
import type { ProfileName } from "../../measure/profiles.ts";
import { defined } from "../../model/defined.ts";
import { ownModule } from "../../model/package-files.ts";
import type { DoctorTrial } from "../../model/records/doctor.ts";
import { makePlan, type Plan } from "../plan.ts";
import type { OnProgress } from "../progress-meter.ts";
import { runPlan } from "../run.ts";
import { besideBusyCore, turnCost } from "./core-loops.ts";
import { INJECTED, KNOWN_COST, MESSAGE, NOTHING, SLOWED, slowedBy, unslowed } from "./known-shares.ts";
import { OPERATIONS, trialOf } from "./trial.ts";

/** How many trials there are in a row, what they are, and who hears of their progress. */
export interface TrialOptions {
  readonly trials: number;
  /** Whether a second row runs beside a busy core. */
  readonly load: boolean;
  readonly profile?: ProfileName | undefined;
  readonly seed?: number | undefined;
  /** What codecs are measured in, as of a run. */
  readonly runtime?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

const SEEDS = 2 ** 31;

/** Carries out trials. Each is a run of one codec and its variants, the codecs by turns, and of the codec of known cost. */
export class TrialRunner {
  /** By the codec that is slowed. */
  readonly #plans: ReadonlyMap<string, Plan>;
  readonly #options: TrialOptions;
  readonly #started = Date.now();

  private constructor(plans: ReadonlyMap<string, Plan>, options: TrialOptions) {
    this.#plans = plans;
    this.#options = options;
  }

  /** Throws UsageError for options that make no sense. */
  static async of(options: TrialOptions): Promise<TrialRunner> {
    const plans = new Map<string, Plan>();
    let { seed } = options;
    for (const codec of SLOWED) {
      const plan = await planOf(codec, { ...options, seed });
      seed = plan.seed;
      plans.set(codec, plan);
    }
    return new TrialRunner(plans, options);
  }

  /** What the plans of all trials have in common; its seed is the first trial's. */
  get plan(): Plan {
    return this.#plans.get(SLOWED[0]!)!;
  }

  /**
   * One trial of a row. Rejects with the signal's reason. Throws VerificationError where a codec was not measured.
   * @param isLoaded whether one core is busy meanwhile; the trial of that number is otherwise the same in both rows
   */
  async trial(index: number, isLoaded: boolean): Promise<DoctorTrial> {
    const { signal } = this.#options;
    signal?.throwIfAborted();
    const slowed = SLOWED[index % SLOWED.length]!;
    const plan = this.#plans.get(slowed)!;
    const before = turnCost();
    const measured = () =>
      runPlan(
        // Time is all that is proven.
        { ...plan, seed: (plan.seed + index) % SEEDS, survey: false },
        { ...defined({ signal }), onProgress: this.#progressOf(index, isLoaded) },
      );
    const run = await (isLoaded ? besideBusyCore(measured) : measured());
    signal?.throwIfAborted();
    return trialOf(run, slowed, [before, turnCost()]);
  }

  /** Says that all trials have ended. */
  ends(): void {
    const total = this.#processes;
    this.#options.onProgress?.({
      done: total,
      total,
      elapsedMs: Date.now() - this.#started,
      remainingMs: 0,
    });
  }

  /** Of all trials together. */
  get #processes(): number {
    const { trials, load } = this.#options;
    return (load ? 2 : 1) * trials * this.#each;
  }

  /** Processes of a trial. */
  get #each(): number {
    return this.plan.profile.processes * this.plan.pairs.length;
  }

  /** What a trial's run is to tell. */
  #progressOf(index: number, isLoaded: boolean): OnProgress {
    const { trials, onProgress } = this.#options;
    const before = (isLoaded ? trials + index : index) * this.#each;
    return ({ done: own, current }) => {
      if (current === undefined) return;
      const [done, total] = [before + own, this.#processes];
      const elapsedMs = Date.now() - this.#started;
      const remaining = done === 0 ? {} : { remainingMs: (elapsedMs / done) * (total - done) };
      const where = `trial ${index + 1} of ${trials}${isLoaded ? " beside a busy core" : ""},`;
      onProgress?.({
        done,
        total,
        current: { dataset: where, codec: current.codec },
        elapsedMs,
        ...remaining,
      });
    };
  }
}

/** A run of a codec and its variants, in which the codec of known cost is measured too: on its own dataset, with no part in any comparison. */
async function planOf(codec: string, { profile, seed, runtime }: TrialOptions): Promise<Plan> {
  const runtimes = runtime === undefined ? undefined : [runtime];
  const shared = { plugins: [pluginFile()], ...defined({ profile, seed, runtimes }) };
  const plan = await makePlan({
    codecs: [unslowed(codec), ...[...INJECTED.keys()].map((variant) => slowedBy(codec, variant))],
    datasets: [MESSAGE],
    operations: OPERATIONS,
    baseline: unslowed(codec),
    ...shared,
  });
  const known = await makePlan({
    codecs: [KNOWN_COST],
    datasets: [NOTHING],
    operations: ["encode"],
    ...shared,
  });
  return {
    ...plan,
    // Its messages are short: where a process takes long the machine is busy, which a trial is to tell by all of them, and by no more.
    profile: { ...plan.profile, meanProcessMs: Number.POSITIVE_INFINITY, busyProcessMs: 0 },
    pairs: [...plan.pairs, ...known.pairs.filter(({ twinOf }) => twinOf === undefined)],
    operations: plan.operations.map((one) => (one.name === "encode" ? one : { ...one, dataset: MESSAGE })),
  };
}

/** The codec beside this module: a built .js, or the .ts that it is made of. */
function pluginFile(): string {
  return fileURLToPath(ownModule(`suite/doctor/${KNOWN_COST}`));
}
