import { defineConfig } from "vitest/config";

/** Tests of processes, their environment and their time: each file begins in a process of its own. */
const processes = [
  "test/{measure,runtimes,suite,cli,ipc,fleet}/**/*.test.ts",
  "test/{package,npx}.test.ts",
  // What V8 makes of a value depends on what it has seen before.
  "test/schema/input-ring.test.ts",
];

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
      { extends: true, test: { name: "processes", include: processes } },
      {
        extends: true,
        test: {
          name: "modules",
          include: ["test/**/*.test.ts"],
          exclude: processes,
          // What these load is loaded once, and is optimised by the time that the last of them runs.
          isolate: false,
        },
      },
    ],
  },
});
