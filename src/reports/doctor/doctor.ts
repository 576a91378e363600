import type { DoctorRecord } from "../../model/records/doctor.ts";
import { inlineCode, oneLine } from "../escape.ts";
import { markdownTable, type Table, textTable } from "../table.ts";
import { adviceOf, checkTable, conclusionLine, proofLines, slowdownTable } from "./tables.ts";

/** What `wirebench doctor` found, as a terminal shows it: the machine, the proof, and the answer. */
export function renderDoctorText(record: DoctorRecord): string {
  return joined(record, textTable, (line) => line);
}

/** The same as Markdown, with what was run, when and where. */
export function renderDoctorMarkdown(record: DoctorRecord): string {
  const { tool, startedAt, environment, options } = record;
  const { cpu, os, node } = environment;
  const { profile, processes, warmupMs, measureMs, batchMicros, seed } = options;
  const head = [
    `Command: ${inlineCode(tool.command)}`,
    `Date: ${startedAt}${record.complete ? "" : ` (not complete${record.reason === undefined ? "" : `: ${record.reason}`})`}`,
    `Machine: ${cpu.model}, ${cpu.cores} cores, ${os.platform} ${os.release} ${os.arch}, load ${environment.load.join(" ")}`,
    `Node ${node.version}, V8 ${node.v8}, ${node.execArgv.join(" ")}; wirebench ${tool.version}`,
    `Profile ${profile}: in each trial ${processes} processes per codec, ${warmupMs} ms of warm-up and ${measureMs} ms measured, in batches of about ${batchMicros} µs; seeds from ${seed} on`,
  ];
  const list = head.map((line) => `- ${oneLine(line)}`).join("\n");
  return `# wirebench doctor\n\n${list}\n\n${joined(record, markdownTable, (line) => `- ${line}`)}`;
}

/** The proof alone as Markdown, with where it comes from, to be put into another document. */
export function renderDoctorSummary(record: DoctorRecord): string {
  const { tool, startedAt, environment, proof } = record;
  const { cpu, os, node } = environment;
  const source = `${inlineCode(tool.command)} on ${startedAt.slice(0, 10)}; ${cpu.model}, ${cpu.cores} cores, ${os.platform} ${os.arch}, Node ${node.version}`;
  const proven =
    proof === undefined
      ? []
      : [
          markdownTable(slowdownTable(proof)),
          [...proofLines(record), RATES].map((line) => `- ${oneLine(line)}`).join("\n"),
        ];
  return `${[...proven, `${source}.`].join("\n\n")}\n`;
}

function joined(
  record: DoctorRecord,
  table: (table: Table) => string,
  item: (line: string) => string,
): string {
  const { machine, proof, trials, options, complete, reason } = record;
  const list = (lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [lines.map((line) => item(oneLine(line))).join("\n")];
  const proven =
    proof === undefined
      ? []
      : [
          table(checkTable(proof.checks, `the tool, in ${trials.length} of ${options.trials} trials`)),
          ...list(adviceOf(proof.checks)),
          table(slowdownTable(proof)),
          ...list([...proofLines(record), RATES]),
        ];
  const stopped = complete || reason === undefined ? [] : [oneLine(`Not complete: ${reason}.`)];
  const parts = [
    table(checkTable(machine, "the machine")),
    ...list(adviceOf(machine)),
    ...proven,
    ...stopped,
    conclusionLine(record),
  ];
  return `${parts.join("\n\n")}\n`;
}

const RATES =
  "In brackets: the 95 % interval of the rate (Wilson), as if all were independent; comparisons of one trial share a baseline.";
