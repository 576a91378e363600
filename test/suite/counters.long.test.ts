/** Counters from a process of perf into a record, by real measuring processes from dist/. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import type { RunRecord } from "wirebench";
import { counterFault } from "../../dist/runtimes/node/perf.js";
import { makePlan, type Plan } from "../../dist/suite/plan.js";
import { runPlan } from "../../dist/suite/run.js";
import recordSchema from "../../schemas/run-record.schema.json" with { type: "json" };
import { ANSWERING, withFakePerf } from "../runtimes/fake-perf.ts";

const validate = new Ajv2020({ strictTypes: false, allowUnionTypes: true }).compile(recordSchema);

async function brief(changes: Partial<Plan> = {}): Promise<RunRecord> {
  const plan = await makePlan({
    codecs: ["json"],
    operations: ["encode", "decode"],
    profile: "quick",
    counters: true,
  });
  const profile = { ...plan.profile, processes: 2, warmupMs: 2, measureMs: 2 };
  const record = await runPlan({ ...plan, survey: false, ...changes, profile }, {});
  expect(validate(JSON.parse(JSON.stringify(record))), JSON.stringify(validate.errors)).toBe(true);
  return { ...record, cells: record.cells.filter(({ twinOf }) => twinOf === undefined) };
}

const SOFTWARE = { instructions: "task-clock:u", cycles: "page-faults:u" };
const isLinux = process.platform === "linux";

describe.runIf(isLinux && counterFault(SOFTWARE) === undefined)(
  "a run that counts what the kernel does",
  () => {
    it("has a figure of each operation and process", async () => {
      const { cells, options, runtimes } = await brief({ counters: SOFTWARE });
      expect(options.counters).toBe(true);
      expect(runtimes[0]?.countersReason).toBeUndefined();
      expect(cells.map(({ operation }) => operation)).toEqual(["encode", "decode"]);
      for (const { counters } of cells) {
        expect(counters?.processes.map(({ block }) => block)).toEqual([0, 1]);
        expect(counters?.cycles).toBeGreaterThanOrEqual(0);
      }
    });
  },
);

describe.runIf(isLinux)("a run", () => {
  it("takes what is counted around nothing off", async () => {
    const { cells } = await withFakePerf(ANSWERING, () => brief());
    expect(cells.map(({ counters }) => counters?.instructions)).toEqual([0, 0]);
    expect(cells.map(({ counters }) => counters?.processes.length)).toEqual([2, 2]);
  });

  it("has times and a reason where nothing can be counted", async () => {
    const { cells, runtimes, options } = await withFakePerf("echo 'Error: not today' >&2; exit 1", () =>
      brief(),
    );
    expect(runtimes[0]?.countersReason).toBe("perf says: not today");
    expect(options.counters).toBe(true);
    expect(cells.map(({ status, counters }) => [status, counters])).toEqual([
      ["measured", undefined],
      ["measured", undefined],
    ]);
  });

  it("has times and a reason where perf fails later", async () => {
    const plan = { instructions: "instructions:u", cycles: "cycles:u" };
    const { cells, runtimes } = await withFakePerf("exit 1", () => brief({ counters: plan }));
    expect(runtimes[0]?.countersReason).toBe("perf says: it printed nothing");
    expect(cells.map(({ status }) => status)).toEqual(["measured", "measured"]);
  });
});
