/** Circumstances of a run, as they are named, and builds of libraries that differ. */
import { expect, it } from "vitest";
import { buildDifferences, CIRCUMSTANCES, ENGINE } from "../../../src/analysis/compare/circumstances.ts";
import type { ComparedCell } from "../../../src/model/records/comparison.ts";
import type { RunRecord } from "../../../src/model/records/run.ts";
import { recordOf } from "../../reports/record.ts";

const record = recordOf([]);
const [runtime] = record.runtimes;

function factsOf(run: RunRecord): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ ...ENGINE, ...CIRCUMSTANCES }).map(([what, of]) => [what, of(run)]),
  );
}

it("circumstances are those of every runtime", () => {
  const node = {
    ...runtime!,
    name: "node",
    version: "v20.1.2",
    engine: { name: "V8", version: "11.3.4" },
  } as const;
  const bun = { ...node, name: "bun", version: "1.2.3", engine: { name: "JSC", version: "7.8.9" } } as const;
  const runtimes = [
    { ...node, execArgv: ["--a", "--b"], timeSource: "schedstat" },
    { ...bun, execArgv: [] },
  ] as unknown as RunRecord["runtimes"];
  expect(factsOf({ ...record, runtimes })).toMatchObject({
    runtime: "node 20, bun 1",
    engine: "V8 11.3, JSC 7.8",
    "timed by": "schedstat, wall",
    "runtime version": "node v20.1.2, bun 1.2.3",
    "engine version": "V8 11.3.4, JSC 7.8.9",
    "flags of measuring processes": "--a --b, none",
  });
});

it("circumstances that nothing told are said to be unknown", () => {
  const { clocksource: _, ...environment } = { ...record.environment, clocksource: undefined };
  const { cores: __, ...options } = { ...record.options, cores: undefined };
  expect(factsOf({ ...record, environment, options } as RunRecord)).toMatchObject({
    clocksource: "unknown",
    "cores of a measuring process": "all",
  });
});

it("a library that was built in another way is named once", () => {
  const cell = (base?: string, head?: string) =>
    ({
      base: { library: "lib", build: base },
      head: { library: "lib", build: head },
    }) as unknown as ComparedCell;
  const what = "how lib was built";
  expect(buildDifferences([cell("a", "a"), cell("a", "b"), cell("a", "b")])).toEqual([
    { what, base: "a", head: "b", weight: "warning" },
  ]);
  expect(buildDifferences([cell("a")])).toEqual([{ what, base: "a", head: "unknown", weight: "warning" }]);
  expect(buildDifferences([cell(undefined, "b")])).toEqual([
    { what, base: "unknown", head: "b", weight: "warning" },
  ]);
});
