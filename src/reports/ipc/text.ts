import { testGroups } from "../../analysis/ipc-tests.ts";
import type { IpcRecord, IpcTestName, IpcTestRecord } from "../../model/records/ipc.ts";
import { defineReport } from "../../model/report.ts";
import { oneLine } from "../escape.ts";
import { incompleteLines } from "../provenance.ts";
import { setupText } from "../sections/ipc/conditions.ts";
import {
  driftTable,
  messageTable,
  pairTable,
  singlePointTable,
  stageTable,
  testNotes,
  throughputTable,
} from "../sections/ipc/tables.ts";
import { fittedText, textTable } from "../table.ts";
import { counted } from "../units.ts";

export default defineReport({
  of: "ipc",
  summary: "the tables alone, as a terminal shows them after a run",
  render: renderIpcText,
});

/** The tables of a run between processes as a terminal shows them. */
export function renderIpcText(record: IpcRecord, columns?: number): string {
  const sections = [
    ...incompleteLines(record),
    ...testGroups(record.tests).flatMap(({ test, dataset, setups }) =>
      setups.map((tests) => setupBlock(test, dataset, tests, columns)),
    ),
    keyText(record),
  ];
  return fittedText(`${sections.join("\n\n")}\n`, columns);
}

function setupBlock(
  test: IpcTestName,
  dataset: string,
  tests: readonly IpcTestRecord[],
  columns: number | undefined,
): string {
  const tables = [
    messageTable(tests),
    stageTable(tests),
    ...(test === "throughput" ? [throughputTable(tests)] : []),
    ...(test === "one-to-two" || test === "two-to-one" ? [pairTable(tests)] : []),
    ...(test === "stability" ? [driftTable(tests)] : []),
    ...(test === "single-point" ? [singlePointTable(tests)] : []),
  ];
  return [
    oneLine(`${test}: ${dataset}: ${setupText(tests)}`),
    ...tables.flatMap((table) => (table === undefined ? [] : [textTable(table, columns)])),
    ...testNotes(tests),
  ].join("\n\n");
}

function keyText({ options, environment }: IpcRecord): string {
  const scaled = options.profile === "quick" ? ", scaled down" : "";
  return `p50 to max: from the start of encode until every field was read. %: share of the four stages. Profile ${options.profile}${scaled}; ${counted(environment.cpu.cores, "core")}.`;
}
