import { defineConfig } from "vitest/config";

/** The tests that the mutants of a group are held against, which scripts/mutants.js names: small ones, of src/ itself. */
export default defineConfig({
  test: {
    include: (process.env["WIREBENCH_MUTANTS_TESTS"] ?? "none").split(" "),
    exclude: ["**/*-simulated{,.long}.test.ts"],
    isolate: false,
    testTimeout: 300_000,
  },
});
