import { defineReport } from "../model/report.ts";
import type { RunRecord } from "../model/run-record.ts";
import { refusals } from "../rendering/cells.ts";
import { oneLine } from "../rendering/escape.ts";
import { isProof, proofTable } from "../rendering/proof-table.ts";
import { textTable } from "../rendering/table.ts";
import { headlineTable, partsTable } from "../rendering/timing-table.ts";

export default defineReport({
  summary: "the tables alone, as a terminal shows them after a run",
  render: renderText,
});

/** The tables of a run as text. */
export function renderText(record: RunRecord): string {
  if (isProof(record)) return `${textTable(proofTable(record))}\n`;
  const sections = record.datasets.map(({ name, story }) => {
    const parts = partsTable(record, name);
    return [
      oneLine(`${name}: ${story}`),
      "",
      textTable(headlineTable(record, name, { rates: false })),
      ...(parts === undefined ? [] : ["", "parts of encode and decode", textTable(parts)]),
      ...refusals(record, name).map((line) => `\n${line}`),
    ].join("\n");
  });
  const { baseline, processes, profile } = record.options;
  const key = `× ${baseline}: time as a multiple of ${baseline}'s. ±: half of the 95 % interval over ${processes} processes (${profile}).`;
  return `${[...sections, key].join("\n\n")}\n`;
}
