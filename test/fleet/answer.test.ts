/** What a worker answers is read only where it is the journal of that block of that plan. */
import { beforeAll, describe, expect, it } from "vitest";
import { runPlan } from "../../dist/suite/run.js";
import { answerBytes, mergedAnswers, readAnswer } from "../../src/fleet/answer.ts";
import { FleetMessageError } from "../../src/fleet/messages.ts";
import type { JournalLine, journalHeader } from "../../src/suite/journal.ts";
import { makePlan, type Plan } from "../../src/suite/plan.ts";

const WHO = { block: 1, worker: "a".repeat(32), host: "here" };

let plan: Plan;
let lines: JournalLine[];
beforeAll(async () => {
  const selection = {
    profile: "quick",
    codecs: ["v8"],
    operations: ["encode"],
    datasets: ["packet-small"],
  } as const;
  plan = await makePlan({ ...selection, seed: 3 });
  const carried: JournalLine[] = [];
  // The journal's own process starts programs of dist/.
  const { makePlan: planned } = await import("../../dist/suite/plan.js");
  const own = await planned({ ...selection, seed: 3, blocks: [1], survey: false });
  await runPlan(own, { onJournal: (line) => void carried.push(line as JournalLine) });
  lines = carried;
});

/** The lines with one that is changed. */
function changed(at: number, change: object): JournalLine[] {
  return lines.map((line, i) => (i === at ? ({ ...line, ...change } as JournalLine) : line));
}

describe("an answer", () => {
  it("gives the record of its block, which is not complete as a run", () => {
    const answer = readAnswer(answerBytes(lines), WHO, plan);
    const record = mergedAnswers([answer], plan, { command: "wirebench run", complete: false });
    expect(record).toMatchObject({
      complete: false,
      options: { blocks: [1] },
      tool: { command: "wirebench run" },
    });
    for (const { nanos } of record.cells) expect(nanos?.blocks).toEqual([1]);
    expect(record.cells).not.toEqual([]);
  });

  it("without a block is the record of a run that has begun", () => {
    const record = mergedAnswers([], plan, { command: "wirebench run", complete: false });
    expect(record).toMatchObject({ complete: false, cells: [] });
  });

  it("is refused where it is of another block, plan, codec or machine's words", () => {
    const [header, ...rest] = lines as [ReturnType<typeof journalHeader>, ...JournalLine[]];
    const { run } = header;
    const other = { codec: "evil", dataset: "packet-small", operations: ["encode"] };
    const wrong: (readonly [string, Uint8Array])[] = [
      ["no lines", new Uint8Array(0)],
      ["no JSON", Buffer.from("{\n")],
      ["no last line break", answerBytes(lines).subarray(0, -1)],
      ["no header", answerBytes(rest)],
      ["no end", answerBytes(lines.slice(0, -1))],
      ["another seed", answerBytes(changed(0, { run: { ...run, options: { ...run.options, seed: 4 } } }))],
      ["other pairs", answerBytes(changed(0, { pairs: [] }))],
      ["another block", answerBytes(changed(1, { block: 2 }))],
      ["another codec", answerBytes(changed(1, { assignments: [other] }))],
      ["an answer less", answerBytes(changed(1, { result: { members: [] } }))],
    ];
    for (const [what, bytes] of wrong)
      expect(() => readAnswer(bytes, WHO, plan), what).toThrow(FleetMessageError);
    expect(() => readAnswer(answerBytes(lines), { ...WHO, block: 0 }, plan)).toThrow("options of the run");
  });
});
