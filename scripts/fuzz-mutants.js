// Feeds damaged messages to the decoders that are written here, each in turn, with a seed of its own:
//
//   npm run fuzz:mutants [-- MUTANTS [TEST-NAME]]
import { spawnSync } from "node:child_process";
import path from "node:path";

const [mutants = "10000000", name = ""] = process.argv.slice(2);
const vitest = path.resolve(import.meta.dirname, "../node_modules/vitest/vitest.mjs");
const seed = Math.floor(Math.random() * 2 ** 31);
console.log(`seed ${seed}: again with WIREBENCH_SEED=${seed} WIREBENCH_MUTANTS=${mutants}`);
const { status } = spawnSync(
  process.execPath,
  [vitest, "run", "hostile.test.ts", "--testTimeout=0", ...(name === "" ? [] : ["-t", name])],
  { stdio: "inherit", env: { ...process.env, WIREBENCH_SEED: String(seed), WIREBENCH_MUTANTS: mutants } },
);
process.exitCode = status ?? 1;
