import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Measuring processes and the command line run from dist/, as a user's do.
    globalSetup: ["test/build-first.ts"],
    testTimeout: 60_000,
    // Of two cores vitest would leave one idle.
    maxWorkers: "100%",
  },
});
