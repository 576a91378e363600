import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

/** Where `node benchmarks/install.js` puts what the benchmarks compare with; WIREBENCH_RIVALS names another folder. */
export const RIVALS_FOLDER = path.resolve(
  process.env.WIREBENCH_RIVALS ?? path.join(import.meta.dirname, "../rivals"),
);

/** What a message about something that is missing ends with. */
export const INSTALL = "node benchmarks/install.js installs it";

/** Loads a rival of npm. Where it is not installed, that is said in a line, and the answer is undefined. */
export function loadRival(name) {
  try {
    return createRequire(path.join(RIVALS_FOLDER, "package.json"))(name);
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
    console.log(`${name}: not installed: ${INSTALL}`);
    return undefined;
  }
}

/** The Python of a virtual environment there, or that of a variable; undefined where there is none. */
export function pythonOf(environment, variable) {
  const program = process.env[variable] ?? path.join(RIVALS_FOLDER, environment, "bin/python");
  return existsSync(program) || process.env[variable] !== undefined ? program : undefined;
}

/** Ends the benchmark in one line, with exit code 2, where a program that it compares with is not there. */
export function needs(program, ...args) {
  const { error } = spawnSync(program, args, { stdio: "ignore" });
  if (error === undefined) return;
  console.error(`${program}: cannot be run (${error.code}), and nothing else is compared with: ${INSTALL}`);
  process.exit(2);
}
