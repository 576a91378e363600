import { EXEC_ARGV } from "./launch/child-process.ts";
import { javascript } from "./launch/javascript.ts";
import { defineRuntime } from "./launch/runtime.ts";

export default defineRuntime({
  summary: "Node.js, whose engine is V8",
  command: "node",
  packaged: ["node-*/bin/node", "node/bin/node"],
  execArgv: EXEC_ARGV,
  ...javascript({ args: EXEC_ARGV }),
});
