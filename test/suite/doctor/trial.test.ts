import { describe, expect, it } from "vitest";
import type { Cell, ProcessRecord, RunRecord } from "../../../src/model/records/run.ts";
import { INJECTED, KNOWN_COST, TURNS } from "../../../src/suite/doctor/known-turns.ts";
import { trialOf } from "../../../src/suite/doctor/trial.ts";
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

function runOf(cells: readonly Cell[], own: Partial<RunRecord> = {}): RunRecord {
  const record = recordOf(cells);
  return {
    ...record,
    options: { ...record.options, baseline: KNOWN_COST },
    processes: [quiet, { ...quiet, disturbedBy: ["waiting", "pressure"] }],
    noise: { twin: `${KNOWN_COST} (A/A)`, spread: 0.013, gate: 0.013 },
    ...own,
  };
}

/** Codecs whose processes all take exactly what they should, but for a tenth of a per cent. */
const others = [...INJECTED].map(([codec, share]) => exact(codec, 1515 * (1 + share)));
const cells = [exact(KNOWN_COST, 1515), ...others];

function exact(codec: string, nanos: number): Cell {
  const cell = measured(codec, "encode", 4, nanos);
  const times = [nanos, nanos * 1.001, nanos * 0.999];
  return cell.nanos === undefined
    ? cell
    : { ...cell, nanos: { ...cell.nanos, processes: times, batches: times.map((time) => [time + 2]) } };
}

describe("a trial", () => {
  it("has the cost that was measured, and what the cheaper of two loops says it is", () => {
    expect(trialOf(runOf(cells), [1.6, 1.5]).knownCost).toEqual({ measured: 1515, truth: 1.5 * TURNS });
  });

  it("has a comparison of each codec with the baseline alone, and what is true of it", () => {
    const { comparisons, gate } = trialOf(runOf(cells), [1.5, 1.5]);
    expect(gate).toBe(0.013);
    expect(comparisons.map(({ codec, injected }) => [codec, injected])).toEqual([
      ["known-cost:same", 0],
      ["known-cost:again", 0],
      ["known-cost:plus1", 0.01],
      ["known-cost:plus2", 0.02],
      ["known-cost:plus3", 0.03],
      ["known-cost:plus5", 0.05],
    ]);
    expect(comparisons.map(({ verdict }) => verdict).slice(-2)).toEqual(["slower", "slower"]);
    expect(comparisons[0]?.ratio).toBe(1);
    expect(comparisons[4]?.ratio).toBeCloseTo(1.03, 3);
  });

  it("has the threshold for its gate where the run has no twin", () => {
    const { noise: _, ...run } = runOf(cells);
    expect(trialOf(run, [1.5, 1.5]).gate).toBe(run.options.threshold);
  });

  it("counts what disturbed its processes, as far as it is told", () => {
    expect(trialOf(runOf(cells), [1.5, 1.5]).disturbed).toEqual({
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
    ["is missing", cells.slice(0, 3), "known-cost:plus1: it was not measured"],
  ])("is none where a codec %s", (_, wrong, reason) => {
    expect(() => trialOf(runOf(wrong), [1.5, 1.5])).toThrow(reason);
  });
});

describe("the slowdowns", () => {
  it("are whole numbers of turns", () => {
    for (const share of INJECTED.values()) expect(Math.abs(((TURNS * share) % 1) - 0.5)).toBeCloseTo(0.5, 9);
  });
});
