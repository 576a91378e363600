import { KEPT_MEMORY, WHOLE_YOUNG_GENERATION } from "../measure/collector.ts";
import { EXEC_ARGV } from "./launch/child-process.ts";
import { assignments, javascript } from "./launch/javascript.ts";
import { defineRuntime } from "./launch/runtime.ts";

/**
 * Both compiling and collecting are done by the thread that calls. With them processes deviate by 0.8 % in the middle of six cells
 * and by 1.2 % in the worst, without by 4.4 and 13.5 %. `--predictable` and `--single-threaded` gain nothing more. Measured
 * by `benchmarks/jit-lottery.js`: docs/compare.md has what it printed.
 */
const STEADY = ["--no-concurrent-recompilation", "--single-threaded-gc"];

const FLAGS = [...EXEC_ARGV, WHOLE_YOUNG_GENERATION];

export default defineRuntime({
  summary: "Node.js, whose engine is V8",
  command: "node",
  packaged: ["node-*/bin/node", "node/bin/node"],
  leadsImports: true,
  execArgv: [...assignments(KEPT_MEMORY), ...FLAGS],
  steadyArgv: STEADY,
  noEvalArgv: ["--disallow-code-generation-from-strings"],
  ...javascript({ args: FLAGS, env: KEPT_MEMORY }),
});
