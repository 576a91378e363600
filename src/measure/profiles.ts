/** How much time a run takes for how much certainty. */
export interface Profile {
  /** Processes per codec and dataset: one per block. */
  readonly processes: number;
  /** Warm-up before each operation is measured, in ms on a core; it ends after twice that in any case. */
  readonly warmupMs: number;
  /** Measured time per operation and process, in ms on a core; it ends after twice that in any case. */
  readonly measureMs: number;
  /**
   * Aimed length of a batch in µs. Below about 20 the cost of reading the clock shows, above about 200 a batch
   * seldom escapes the scheduler (measured: a sweep of batch sizes has its least spread at 50 to 100 µs).
   */
  readonly batchMicros: number;
  /**
   * Milliseconds that a process may take in the mean, from its start to its end: where those of a dataset take longer, there are
   * fewer of them. By default some seconds.
   */
  readonly meanProcessMs?: number;
  /**
   * The same where others share the cores: then there are more processes, as long as all of them take no longer than those of the
   * profile at so many milliseconds. By default there are never more.
   */
  readonly busyProcessMs?: number;
}

/** A profile by its name. */
export type ProfileName = "quick" | "standard" | "thorough";

/**
 * Chosen so that the default matrix on two cores takes about 25 s, a minute and a half, and six minutes; on a busy machine no more than
 * 45 s and two and a half minutes. There a process of the profile quick takes 0.7 s with the address book, and 1.1 s with a message of
 * 165 kB: then quick has three processes in place of four.
 */
export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  quick: {
    processes: 4,
    warmupMs: 32,
    measureMs: 16,
    batchMicros: 80,
    meanProcessMs: 750,
    busyProcessMs: 700,
  },
  standard: { processes: 8, warmupMs: 60, measureMs: 64, batchMicros: 100, busyProcessMs: 1250 },
  thorough: { processes: 16, warmupMs: 250, measureMs: 200, batchMicros: 200 },
};
