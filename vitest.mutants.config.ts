import { defineConfig } from "vitest/config";

/** The tests that mutants are held against: those of one process, which see the code as it stands in src/. */
export default defineConfig({
  test: {
    include: ["test/{analysis,measure}/**/*.test.ts", "test/ipc/figures/*.test.ts"],
    testTimeout: 60_000,
    isolate: false,
  },
});
