import { KEPT_MEMORY, WHOLE_YOUNG_GENERATION } from "../measure/collector.ts";
import { assignments, javascript } from "./launch/javascript.ts";
import { defineRuntime } from "./launch/runtime.ts";

const V8_FLAGS = `--v8-flags=--expose-gc,${WHOLE_YOUNG_GENERATION}`;

const FLAGS = [V8_FLAGS];

export default defineRuntime({
  summary: "Deno, whose engine is V8",
  command: "deno",
  // What npm links as `deno` is a script, which loses the descriptor that messages go by.
  packaged: ["@deno/*/deno", "deno/deno"],
  execArgv: [...assignments(KEPT_MEMORY), ...FLAGS],
  noEvalArgv: [`${V8_FLAGS},--disallow-code-generation-from-strings`],
  ...javascript({
    args: ["run", "--quiet", "--allow-all", "--no-lock", ...FLAGS],
    // Without the first, Deno's node:fs does not know the descriptor that messages go by.
    env: { ...KEPT_MEMORY, DENO_EXTRA_STDIO_FDS: "3", DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
  }),
});
