/** How random tests are drawn: always alike, but for a long search with `npm run fuzz`. */

/** Seed of every random test. */
export const SEED = Number(process.env["WIREBENCH_SEED"] ?? 20_261_120);

/** How many random cases a test tries: `usual`, or as many as the search asks for. */
export function runs(usual: number): number {
  return Number(process.env["WIREBENCH_RUNS"] ?? usual);
}

/** How many damaged messages a decoder is tried with: `usual`, or as many as the search asks for. */
export function mutants(usual: number): number {
  return Number(process.env["WIREBENCH_MUTANTS"] ?? usual);
}
