/** A record is made of its run's journal and of nothing else: after any line, it is the record of the run until then. */
import path from "node:path";
import { expect, it } from "vitest";
import { makePlan } from "../../dist/suite/plan.js";
import { recoveredRecord, runPlan } from "../../dist/suite/run.js";
import type { RunRecord } from "../../src/model/records/run.ts";
import type { JournalEntry, JournalHeader, JournalLine } from "../../src/suite/journal.ts";
import type { Plan } from "../../src/suite/plan.ts";

const fileOf = (name: string): string => path.join(import.meta.dirname, name);

/** A plan of few and short processes: what they find is not looked at. */
function shortened(plan: Plan, processes: number): Plan {
  const pairs = plan.pairs.filter(({ twinOf }) => twinOf === undefined);
  return { ...plan, pairs, profile: { ...plan.profile, processes, warmupMs: 2, measureMs: 2 } };
}

/** What is recovered of these lines. */
function recordOf(lines: readonly string[]): RunRecord {
  const [header, ...entries] = lines.map((line) => JSON.parse(line) as unknown);
  return recoveredRecord(header as JournalHeader, entries as JournalEntry[]);
}

it("gives the record of a run after every line, as it was then", async () => {
  const lines: string[] = [];
  const records: { readonly after: number; readonly record: RunRecord }[] = [];
  const plan = await makePlan({
    codecs: ["json", "raw-struct", "misbehaving:throws"],
    datasets: ["one-number"],
    plugins: [fileOf("../plugins/misbehaving.js"), fileOf("../../benchmarks/plugins/one-number.js")],
    profile: "quick",
    jit: "shared",
  });
  const last = await runPlan(shortened(plan, 2), {
    onJournal: (line: JournalLine) => lines.push(JSON.stringify(line)),
    onRecord: (record) => records.push({ after: lines.length, record }),
  });
  const recovered = (count: number): RunRecord => recordOf(lines.slice(0, count));
  expect(records.length).toBeGreaterThanOrEqual(3);
  for (const { after, record } of records) expect(recovered(after)).toEqual(record);
  expect(recovered(lines.length)).toEqual(last);
  expect(last.complete).toBe(true);
  expect(recovered(lines.length - 1)).toMatchObject({ complete: false });
  expect(recovered(1)).toMatchObject({ complete: false, cells: [], processes: [] });
});

it("keeps the times of a process whose memory was being measured when the run ended", async () => {
  const lines: string[] = [];
  const plan = await makePlan({ codecs: ["json"], datasets: ["tellist:2"], profile: "quick" });
  const last = await runPlan(shortened(plan, 1), {
    onJournal: (line: JournalLine) => lines.push(JSON.stringify(line)),
  });
  const pending = lines.findIndex((line) => line.includes('"surveyPending":true'));
  expect(pending).toBeGreaterThan(0);
  expect(recordOf(lines.slice(0, pending)).processes).toHaveLength(0);
  const amid = recordOf(lines.slice(0, pending + 1));
  expect(amid.processes).toHaveLength(1);
  const times = ({ cells }: RunRecord) => cells.map(({ nanos }) => nanos?.processes);
  expect(times(amid)).toEqual(times(last));
  expect(amid.cells.map(({ memoryReason }) => memoryReason)).toEqual(Array(3).fill("the run ended before"));
  expect(recordOf(lines)).toEqual(last);
});
