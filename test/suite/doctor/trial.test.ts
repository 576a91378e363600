import { describe, expect, it } from "vitest";
import { withStandings } from "../../../src/analysis/standings.ts";
import type { Cell, ProcessRecord, RunRecord } from "../../../src/model/records/run.ts";
import {
  INJECTED,
  KNOWN_COST,
  MESSAGES,
  slowedBy,
  TURNS,
  unslowed,
} from "../../../src/suite/doctor/known-shares.ts";
import { OPERATIONS, trialOf } from "../../../src/suite/doctor/trial.ts";
import { measured, recordOf, refused } from "../../reports/record.ts";

const quiet: ProcessRecord = {
  block: 0,
  dataset: "nothing",
  codec: KNOWN_COST,
  operations: ["encode"],
  wallSeconds: 0.1,
  cpuSeconds: 0.1,
  involuntarySwitches: 0,
  pressure: 0,
  steal: null,
  throttled: null,
  disturbedBy: [],
  peakBytes: 1e7,
};

const BASELINE = unslowed("json");

function runOf(cells: readonly Cell[], own: Partial<RunRecord> = {}): RunRecord {
  const record = recordOf(cells);
  return {
    ...record,
    options: { ...record.options, baseline: BASELINE },
    processes: [quiet, { ...quiet, disturbedBy: ["waiting", "pressure"] }],
    noise: { twin: `${BASELINE} (A/A)`, spread: 0.013, gate: 0.013 },
    ...own,
  };
}

/** Codecs whose processes all take exactly what they should, but for a tenth of a per cent. */
const known = exact(KNOWN_COST, "encode", 1515);
const others = OPERATIONS.flatMap((operation) => [
  exact(BASELINE, operation, 7e4),
  ...[...INJECTED].map(([variant, share]) => exact(slowedBy("json", variant), operation, 7e4 * (1 + share))),
]);
const cells = withStandings([known, ...others], { baseline: BASELINE, threshold: 0.01 }).cells;

function exact(codec: string, operation: string, nanos: number): Cell {
  const cell = measured(codec, operation, 4, nanos);
  const times = [nanos, nanos * 1.001, nanos * 0.999];
  return cell.nanos === undefined
    ? cell
    : { ...cell, nanos: { ...cell.nanos, processes: times, batches: times.map((time) => [time + 2]) } };
}

describe("a trial", () => {
  it("has the cost that was measured, and what the cheaper of two loops says it is", () => {
    expect(trialOf(runOf(cells), "json", [1.6, 1.5]).knownCost).toEqual({
      measured: 1515,
      truth: 1.5 * TURNS,
    });
  });

  it.each([
    ["the others", [0, 2], 1515 * 1.001],
    ["none", [0, 1, 2], undefined],
  ])(
    "has the cost by processes whose batches are not divided by how slow the core was: %s",
    (_, scaled, cost) => {
      const divided = known.nanos === undefined ? known : { ...known, nanos: { ...known.nanos, scaled } };
      expect(trialOf(runOf([divided, ...cells.slice(1)]), "json", [1.5, 1.5]).knownCost.measured).toBe(cost);
    },
  );

  it("has the run's own comparison of each variant, and what is true of it", () => {
    const { comparisons, gate, slowed } = trialOf(runOf(cells), "json", [1.5, 1.5]);
    expect([gate, slowed]).toEqual([0.013, "json"]);
    expect(comparisons.map(({ codec, operation, injected }) => [codec, operation, injected])).toEqual(
      ["encode", "decode"].flatMap((operation) => [
        ["known-cost:json-same", operation, 0],
        ["known-cost:json-plus2", operation, 0.02],
        ["known-cost:json-plus5", operation, 0.05],
        ["known-cost:json-plus10", operation, 0.1],
        ["known-cost:json-plus20", operation, 0.2],
      ]),
    );
    expect(comparisons.map(({ verdict }) => verdict).slice(-2)).toEqual(["slower", "slower"]);
    expect(comparisons[0]?.ratio).toBe(1);
    expect(comparisons[3]?.ratio).toBeCloseTo(1.1, 3);
    const judged = cells.find(({ codec }) => codec === "known-cost:json-plus20")?.standing;
    expect(comparisons[4]).toMatchObject({ verdict: judged?.verdict, p: round6(judged?.p) });
  });

  it("has the threshold for its gate where the run has no twin", () => {
    const { noise: _, ...run } = runOf(cells);
    expect(trialOf(run, "json", [1.5, 1.5]).gate).toBe(run.options.threshold);
  });

  it("counts what disturbed its processes, as far as it is told", () => {
    expect(trialOf(runOf(cells), "json", [1.5, 1.5]).disturbed).toEqual({
      processes: 2,
      waiting: 1,
      switches: 0,
      pressure: 1,
      steal: null,
      throttling: null,
    });
  });

  it.each([
    [
      "was refused",
      [refused(KNOWN_COST, "encode", "failed", "crashed (signal SIGKILL)"), ...others],
      "crashed (signal SIGKILL)",
    ],
    ["is missing", cells.slice(0, 4), "known-cost:json-plus5: it was not measured"],
  ])("is none where a codec %s", (_, wrong, reason) => {
    expect(() => trialOf(runOf(wrong), "json", [1.5, 1.5])).toThrow(reason);
  });
});

describe("the slowdowns", () => {
  it("are whole numbers of messages", () => {
    for (const share of INJECTED.values())
      expect(Math.abs(((MESSAGES * share) % 1) - 0.5)).toBeCloseTo(0.5, 9);
  });
});

function round6(value: number | null | undefined): number | null {
  return typeof value === "number" ? Math.round(value * 1e6) / 1e6 : null;
}
