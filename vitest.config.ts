import { defineConfig } from "vitest/config";

/** Tests of processes, their environment and their time: each file begins in a process of its own. */
const processes = [
  "test/{measure,runtimes,suite,cli,ipc,fleet}/**/*.test.ts",
  "test/{package,npx}.long.test.ts",
  // What V8 makes of a value depends on what it has seen before.
  "test/schema/input-ring.test.ts",
];

/** Files that take longer than some five seconds: `npm test` leaves them to `npm run test:long`. */
const long = "test/**/*.long.test.ts";

/** What a test may take, and what is waited for in one a fifth of it. */
const PATIENCE_MS = 600_000;

export default defineConfig({
  test: {
    // Measuring processes and the command line run from dist/, as a user's do.
    globalSetup: ["test/build-first.ts"],
    // Of two cores vitest would leave one idle.
    maxWorkers: "100%",
    // Nothing is judged by its time: these end what hangs, on a machine that is busy with other things too.
    testTimeout: PATIENCE_MS,
    hookTimeout: PATIENCE_MS,
    expect: { poll: { timeout: PATIENCE_MS / 5 } },
    projects: [
      project("processes", processes, [long]),
      project("modules", ["test/**/*.test.ts"], [...processes, long]),
      project("long-processes", processes, ["test/**/!(*.long).test.ts"]),
      project("long-modules", [long], processes),
    ],
  },
});

function project(name: string, include: string[], exclude: string[]) {
  // What modules load is loaded once, and is optimised by the time that the last of them runs.
  const isolate = name.endsWith("processes");
  return { extends: true as const, test: { name, include, exclude, isolate } };
}
