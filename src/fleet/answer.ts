/** What a worker answers: the journal of one block, and the record that is made of many. */
import { defined } from "../model/defined.ts";
import type { RunRecord } from "../model/records/run.ts";
import { parseJson } from "../schema/values/json-source.ts";
import { journalProblem } from "../store/journal.ts";
import type { JournalEntry, JournalHeader, JournalLine } from "../suite/journal.ts";
import { journalHeader } from "../suite/journal.ts";
import { mergeRecords } from "../suite/merge/merge.ts";
import type { Plan } from "../suite/plan.ts";
import { recoveredRecord } from "../suite/run.ts";
import { type FleetId, FleetMessageError } from "./messages.ts";

/** The journal of one block. */
export interface Answer {
  readonly block: number;
  /** Who measured it, and what that machine is called. */
  readonly worker: FleetId;
  readonly host: string;
  readonly header: JournalHeader;
  readonly entries: readonly JournalEntry[];
}

/** The journal of a block as bytes: lines of JSON, as in a file. */
export function answerBytes(lines: readonly JournalLine[]): Uint8Array {
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""), "utf8");
}

/**
 * Reads what {@link answerBytes} made. Throws FleetMessageError for what is no journal, and for one that is not of this
 * block of this plan.
 */
export function readAnswer(
  bytes: Uint8Array,
  { block, worker, host }: Pick<Answer, "block" | "worker" | "host">,
  plan: Plan,
): Answer {
  const lines = Buffer.from(bytes).toString("utf8").split("\n");
  if (lines.pop() !== "") throw new FleetMessageError("journal: cut off");
  const values = lines.map((line, index) => {
    const parsed = parseJson(line);
    if ("problem" in parsed) throw new FleetMessageError(`journal:${index + 1}: ${parsed.problem}`);
    return parsed.value;
  });
  const found = values.length === 0 ? { line: 1, problem: "it is empty" } : journalProblem(values);
  if (found !== undefined) throw new FleetMessageError(`journal:${found.line}: ${found.problem}`);
  const [header, ...entries] = values as [JournalHeader, ...JournalEntry[]];
  const answer = { block, worker, host, header, entries };
  const problem = planProblem(answer, plan);
  if (problem !== undefined) throw new FleetMessageError(`journal: ${problem}`);
  return answer;
}

/** What of a journal is not as the plan has it. */
function planProblem({ header, entries, block }: Answer, plan: Plan): string | undefined {
  const expected = journalHeader({ ...plan, blocks: [block] }, "");
  if (JSON.stringify(header.run.options) !== JSON.stringify(expected.run.options))
    return "expected the options of the run";
  for (const field of ["operations", "datasets", "pairs"] as const) {
    const names = (of: JournalHeader): string => JSON.stringify(of[field].map(namesIn));
    if (names(header) !== names(expected)) return `expected the ${field} of the run`;
  }
  const pairs = new Set(expected.pairs.map(pairName));
  for (const entry of entries) {
    if ("finishedAt" in entry) continue;
    const number = "completedBlock" in entry ? entry.completedBlock : entry.block;
    if (number !== block) return `expected block ${block}, got ${number}`;
    if ("completedBlock" in entry) continue;
    const other = entry.assignments.find((one) => !pairs.has(pairName(one)));
    if (other !== undefined) return `expected a codec and dataset of the run, got ${pairName(other)}`;
    if (entry.result.members.length !== entry.assignments.length)
      return "expected an answer for each assignment";
  }
  const [last, end] = entries.slice(-2);
  const isWhole = last !== undefined && "completedBlock" in last && end !== undefined && "finishedAt" in end;
  return isWhole ? undefined : "expected a complete block";
}

/** What a pair, a dataset or an operation of a header is called. */
function namesIn(one: {
  readonly name?: string;
  readonly codec?: string;
  readonly dataset?: string;
}): string[] {
  return [one.name ?? "", one.codec ?? "", one.dataset ?? ""];
}

function pairName({ codec, dataset }: { readonly codec: string; readonly dataset: string }): string {
  return JSON.stringify([codec, dataset]);
}

/**
 * The record of a run whose blocks these are: the blocks of each worker are a run of its own, and the runs are merged.
 * Throws UsageError where they differ in what they measured.
 */
export function mergedAnswers(
  answers: readonly Answer[],
  plan: Plan,
  { command, complete }: { readonly command: string; readonly complete: boolean },
): RunRecord {
  const byWorker = new Map<FleetId, Answer[]>();
  for (const answer of [...answers].sort((a, b) => a.block - b.block)) {
    byWorker.set(answer.worker, [...(byWorker.get(answer.worker) ?? []), answer]);
  }
  const all = [...byWorker.values()];
  const records = all.map((own) => recordOf(own, plan, { command, complete }));
  const [only] = records;
  if (only === undefined) return recoveredRecord(journalHeader(plan, command), []);
  if (records.length === 1) return only;
  return mergeRecords(records, { sources: all.map(([first]) => first?.host ?? ""), command });
}

/** The record of the blocks of one worker, in order: as if it had made a run of them. */
function recordOf(
  answers: readonly Answer[],
  plan: Plan,
  { command, complete }: { readonly command: string; readonly complete: boolean },
): RunRecord {
  const { header } = answers[0]!;
  const { blocks: _, ...options } = header.run.options;
  const blocks = answers.map(({ block }) => block);
  const run = {
    ...header.run,
    tool: { ...header.run.tool, command },
    options: {
      ...options,
      ...defined({ blocks: blocks.length < plan.profile.processes ? blocks : undefined }),
    },
  };
  const entries = answers.flatMap((answer) => answer.entries);
  const ends = entries.filter((entry) => "finishedAt" in entry);
  return recoveredRecord({ ...header, run }, [
    ...entries.filter((entry) => !("finishedAt" in entry)),
    ...(complete ? ends.slice(-1) : []),
  ]);
}
