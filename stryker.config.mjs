/** Mutation tests of what decides a verdict: `npm run mutants`. */
export default {
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "vitest.mutants.config.ts", related: true },
  mutate: [
    "src/analysis/statistics/*.ts",
    "src/analysis/{standings,verdict}.ts",
    "src/analysis/compare/*.ts",
    "src/ipc/figures/*.ts",
    "src/measure/sampler.ts",
  ],
  coverageAnalysis: "perTest",
  concurrency: 1,
  reporters: ["clear-text", "progress", "json"],
  jsonReporter: { fileName: "coverage/mutants.json" },
  tempDirName: "coverage/mutants",
  timeoutMS: 20_000,
  // Stryker reads it with a compiler interface that TypeScript 7 does not have; nothing here needs it rewritten.
  tsconfigFile: "none",
  disableTypeChecks: false,
};
