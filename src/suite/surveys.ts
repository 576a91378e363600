/**
 * Surveys of memory, which time nothing that another process could disturb: those of some processes are made at once, and no
 * operation is timed meanwhile. A process waits for its survey, with its codec as warm as the timing has left it.
 */
import type { JobResult } from "../measure/job.ts";

/** A process that has timed everything and waits. */
export interface WaitingSurvey {
  /** Lets it go on. */
  begin(): void;
  /** Its whole answer. */
  readonly whole: Promise<JobResult>;
}

/** A process up to its survey: its whole answer, or what it has timed, with the survey that waits. */
export interface TimedProcess {
  readonly result: JobResult;
  readonly survey?: WaitingSurvey;
}

/**
 * Settles when a process has ended, or has timed everything and waits. Rejects as the process does.
 * @param start is given what it calls when everything is timed, and settles with the whole answer
 */
export async function untilTimed(
  start: (onTimed: (timed: JobResult) => Promise<void>) => Promise<JobResult>,
): Promise<TimedProcess> {
  const { promise: allowed, resolve: begin } = settable<void>();
  const { promise: timed, resolve: onTimed } = settable<JobResult>();
  const whole = start((result) => {
    onTimed(result);
    return allowed;
  });
  return Promise.race([
    whole.then((result) => ({ result })),
    timed.then((result) => ({ result, survey: { begin, whole } })),
  ]);
}

/** A promise, and what settles it. */
function settable<Result>(): { readonly promise: Promise<Result>; resolve(result: Result): void } {
  let resolve!: (result: Result) => void;
  const promise = new Promise<Result>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Each keeps the memory of its process. */
const MOST_AT_ONCE = 2;

/** Surveys that wait for one another. */
export class Surveys {
  readonly #atOnce: number;
  #waiting: (WaitingSurvey & { readonly done: (result: JobResult) => void })[] = [];

  /** @param cores that processes may have */
  constructor(cores: number) {
    this.#atOnce = Math.min(cores, MOST_AT_ONCE);
  }

  get areWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /**
   * Adds one, and makes all that wait once there are enough of them. Rejects as {@link make} does.
   * @param done is called with the process's whole answer
   */
  async add(survey: WaitingSurvey, done: (result: JobResult) => void): Promise<void> {
    this.#waiting.push({ ...survey, done });
    if (this.#waiting.length >= this.#atOnce) await this.make();
  }

  /** Makes those that wait, at once. Rejects as the first of their processes does. */
  async make(): Promise<void> {
    await Promise.all(
      this.#waiting.map(async ({ begin, whole, done }) => {
        begin();
        done(await whole);
      }),
    );
    this.#waiting = [];
  }

  /** Nobody asks for those that wait, or have begun, any more. Settles when their processes have ended. */
  async abandon(): Promise<void> {
    for (const { begin } of this.#waiting) begin();
    await Promise.allSettled(this.#waiting.map(({ whole }) => whole));
    this.#waiting = [];
  }
}
