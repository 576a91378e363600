/** How random tests are drawn: always alike, but for a long search with `npm run fuzz`. */

/** Seed of every random test. */
export const SEED = Number(process.env["WIREBENCH_SEED"] ?? 20_261_120);

/**
 * Share of the cases that a test tries: WIREBENCH_TEST_CASES is `full` in continuous integration, and may be any share;
 * a tenth is enough while one works.
 */
const SHARE = shareOf(process.env["WIREBENCH_TEST_CASES"] ?? "0.1");

function shareOf(text: string): number {
  const share = text === "full" ? 1 : Number(text);
  if (share > 0 && share <= 1) return share;
  throw new Error(`WIREBENCH_TEST_CASES: expected full or a share up to 1, got ${text}`);
}

/** How many cases a test tries of `full` ones: at least ten of them, if there are as many. */
export function cases(full: number): number {
  return Math.max(Math.min(full, 10), Math.ceil(full * SHARE));
}

/** How many random cases a test tries: its share of `full`, or as many as the search asks for. */
export function runs(full: number): number {
  return Number(process.env["WIREBENCH_RUNS"] ?? cases(full));
}

/** How many damaged messages a decoder is tried with: its share of `full`, or WIREBENCH_MUTANTS. */
export function mutants(full: number): number {
  return Number(process.env["WIREBENCH_MUTANTS"] ?? cases(full));
}
