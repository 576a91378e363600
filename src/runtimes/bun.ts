import { javascript } from "./launch/javascript.ts";
import { defineRuntime } from "./launch/runtime.ts";

const FLAGS = ["--expose-gc"];

export default defineRuntime({
  summary: "Bun, whose engine is JavaScriptCore",
  command: "bun",
  // What npm links as `bun` refuses to run where its script was not.
  packaged: ["@oven/bun-*/bin/bun"],
  execArgv: FLAGS,
  ...javascript({ args: ["--no-install", ...FLAGS] }),
});
