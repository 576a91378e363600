import { describe, expect, it } from "vitest";
import type { DoctorTrial } from "../../../src/model/records/doctor.ts";
import { conclusionOf, proofOf } from "../../../src/suite/doctor/proof.ts";
import { type Calls, trialOf } from "./trials.ts";

function many(trials: number, of: (index: number) => DoctorTrial = () => trialOf()): DoctorTrial[] {
  return Array.from({ length: trials }, (_, index) => of(index));
}

/** A trial with two operations, of which the same is called. */
function twice(calls: Calls = {}): DoctorTrial {
  const trial = trialOf(calls);
  const decode = trial.comparisons.map((one) => ({ ...one, operation: "decode" }));
  return { ...trial, comparisons: [...trial.comparisons, ...decode] };
}

function checks(trials: readonly DoctorTrial[]): Record<string, string> {
  return Object.fromEntries(proofOf(trials).checks.map(({ name, verdict }) => [name, verdict]));
}

describe("what trials prove", () => {
  it("is how often each slowdown was called what", () => {
    const { slowdowns } = proofOf([
      trialOf({ plus2: "undecided" }),
      trialOf({ plus2: "faster", plus5: "same" }),
      trialOf({ plus2: "undecided" }),
      trialOf(),
    ]);
    const counts = slowdowns.map(({ injected, found, undecided, same, reversed }) => [
      injected,
      ...[found, undecided, same, reversed].map(({ count }) => count),
    ]);
    expect(counts).toEqual([
      [0.02, 1, 2, 0, 1],
      [0.05, 3, 0, 1, 0],
      [0.1, 4, 0, 0, 0],
      [0.2, 4, 0, 0, 0],
    ]);
    expect(slowdowns[3]?.found).toMatchObject({ of: 4, ci95: [0.5101, 1] });
  });

  it("counts equal codecs that were called different, by comparison and by trial", () => {
    const proof = proofOf([twice({ same: "faster" }), twice(), twice()]);
    expect(proof.alike).toMatchObject({ count: 2, of: 6 });
    expect(proof.alikeTrials).toMatchObject({ count: 1, of: 3 });
  });

  it("takes the middle and the furthest of the known costs", () => {
    const costs = [1485, 1515, 1650].map((measured) => trialOf({}, { knownCost: { measured, truth: 1500 } }));
    expect(proofOf(costs).knownCost).toEqual({ median: 0.01, furthest: 0.1 });
    const unknown = trialOf({}, { knownCost: { truth: 1500 } });
    expect(proofOf([unknown, ...costs]).knownCost).toEqual({ median: 0.01, furthest: 0.1 });
    expect(proofOf([unknown]).knownCost).toBeUndefined();
    expect(proofOf([unknown]).checks[0]).toMatchObject({ value: null, verdict: "unknown" });
  });

  it.each<[string, string, readonly DoctorTrial[]]>([
    ["known cost is off by", "ok", many(3)],
    ["known cost is off by", "bad", many(3, () => trialOf({}, { knownCost: { measured: 94, truth: 100 } }))],
    ["equals called different", "ok", many(5)],
    // One of ten may be chance, five of ten may not.
    ["equals called different", "warning", many(5, (i) => trialOf(i === 0 ? { same: "slower" } : {}))],
    ["equals called different", "bad", many(5, () => trialOf({ same: "slower" }))],
    ["slower called faster", "ok", many(3, () => trialOf({ plus2: "undecided" }))],
    ["slower called faster", "bad", many(9, (i) => trialOf(i === 0 ? { plus2: "faster" } : {}))],
    ["20 % slower is found", "ok", many(10, (i) => trialOf(i === 0 ? { plus20: "undecided" } : {}))],
    ["20 % slower is found", "bad", many(5, (i) => trialOf(i === 0 ? { plus20: "undecided" } : {}))],
  ])("%s is %s", (name, verdict, trials) => {
    expect(checks(trials)).toMatchObject({ [name]: verdict });
  });
});

describe("what follows", () => {
  const well = { name: "clock", value: 1, verdict: "ok" } as const;

  it.each([
    ["can", []],
    ["with-care", [{ ...well, verdict: "warning" as const }]],
    ["cannot", [{ ...well, verdict: "bad" as const }]],
    ["can", [{ ...well, verdict: "unknown" as const }]],
  ])("is that the machine %s measure, by its worst check", (verdict, found) => {
    expect(conclusionOf([well, ...found], proofOf(many(3)))).toMatchObject({ verdict });
  });

  it.each<[string, DoctorTrial, number | null]>([
    ["all were", trialOf(), 0.02],
    ["2 % was not", trialOf({ plus2: "undecided" }), 0.05],
    ["2 % was, but 5 % was not", trialOf({ plus5: "same" }), 0.1],
    ["only the largest was not", trialOf({ plus20: "undecided" }), null],
  ])("is the smallest slowdown that was found, and all larger ones: %s", (_, trial, smallest) => {
    expect(conclusionOf([well], proofOf([trial])).smallest).toBe(smallest);
  });

  it("is that it cannot where not even the largest slowdown is found", () => {
    const proof = proofOf([trialOf({ plus20: "undecided" })]);
    expect(conclusionOf([well], proof).verdict).toBe("cannot");
  });
});
