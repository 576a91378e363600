import { spawnSync } from "node:child_process";

/** Ends the benchmark in one line, with exit code 2, where a program that it compares with is not there. */
export function needs(program, ...args) {
  const { error } = spawnSync(program, args, { stdio: "ignore" });
  if (error === undefined) return;
  console.error(`${program}: cannot be run (${error.code}), and there is nothing else to compare with`);
  process.exit(2);
}
