/** A record is made of its run's journal and of nothing else: after any line, it is the record of the run until then. */
import path from "node:path";
import { expect, it } from "vitest";
import type { RunRecord } from "../../src/model/records/run.ts";
import type { JournalEntry, JournalHeader, JournalLine } from "../../src/suite/journal.ts";
import { recoveredRecord, run } from "../../src/suite/run.ts";

const fileOf = (name: string): string => path.join(import.meta.dirname, name);

it("gives the record of a run after every line, as it was then", async () => {
  const lines: string[] = [];
  const records: { readonly after: number; readonly record: RunRecord }[] = [];
  const last = await run({
    codecs: ["json", "raw-struct", "misbehaving:throws"],
    datasets: ["one-number"],
    plugins: [fileOf("../plugins/misbehaving.js"), fileOf("../../benchmarks/plugins/one-number.js")],
    profile: "quick",
    jit: "shared",
    onJournal: (line: JournalLine) => lines.push(JSON.stringify(line)),
    onRecord: (record) => records.push({ after: lines.length, record }),
  });
  const recovered = (count: number): RunRecord => {
    const [header, ...entries] = lines.slice(0, count).map((line) => JSON.parse(line) as unknown);
    return recoveredRecord(header as JournalHeader, entries as JournalEntry[]);
  };
  expect(records.length).toBeGreaterThanOrEqual(3);
  for (const { after, record } of records) expect(recovered(after)).toEqual(record);
  expect(recovered(lines.length)).toEqual(last);
  expect(last.complete).toBe(true);
  expect(recovered(lines.length - 1)).toMatchObject({ complete: false });
  expect(recovered(1)).toMatchObject({ complete: false, cells: [], processes: [] });
}, 60_000);
