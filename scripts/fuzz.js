// Searches for values, schemas and damaged bytes that break a codec: the random tests with many more cases, and a
// new seed each round, until something fails or the time is over.
//
//   npm run fuzz [-- MINUTES [CASES [TEST-NAME]]]
import { spawnSync } from "node:child_process";
import path from "node:path";

const [minutes = "10", cases = "3000", name = ""] = process.argv.slice(2);
const until = Date.now() + Number(minutes) * 60_000;
const vitest = path.resolve(import.meta.dirname, "../node_modules/vitest/vitest.mjs");
const files = ["test/codecs.long.test.ts", "test/codecs/verify-holds.long.test.ts"];
do {
  const seed = Math.floor(Math.random() * 2 ** 31);
  console.log(`seed ${seed}, ${cases} cases: again with WIREBENCH_SEED=${seed} WIREBENCH_RUNS=${cases}`);
  const { status } = spawnSync(
    process.execPath,
    [vitest, "run", ...files, "--testTimeout=0", ...(name === "" ? [] : ["-t", name])],
    { stdio: "inherit", env: { ...process.env, WIREBENCH_SEED: String(seed), WIREBENCH_RUNS: cases } },
  );
  if (status !== 0) process.exit(1);
} while (Date.now() < until);
